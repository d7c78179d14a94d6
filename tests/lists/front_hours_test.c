/*
 * Front pages that are kept each full hour, against a plain model, while articles are posted,
 * voted on, removed and restored, and two writers come at random moments.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "../support/commands.h"
#include "lists/front_hours.h"
#include "redis/redis.h"

enum {
	HOUR = FRONT_HOUR_SECONDS,
	ARTICLES = 120,
	MEMBERS = 6,
	HOURS_MAX = 600,
	STEPS = 260
};

/* An article, and the page of an hour: what is expected. */
struct known {
	int64_t posted, points;
	bool is_removed;
	enum vote votes[MEMBERS]; /* by member, from 2 on */
};

struct site {
	struct world *world;
	struct known articles[ARTICLES + 1]; /* by id */
	uint64_t count;
	struct front_hour pages[HOURS_MAX];
	size_t page_count;
	struct front_writer writers[2];
	int64_t now;
	unsigned seed;
};

static unsigned
pick(struct site *site, unsigned below)
{
	return (unsigned)rand_r(&site->seed) % below;
}

static void
set_clock(struct site *site, int64_t moment)
{
	site->now = moment;
	world_stop_clock(site->world, moment);
}

static void
post(struct site *site)
{
	struct world *world = site->world;
	uint64_t id = ++site->count;

	assert_int_equal(
	    world_post(world, 1, "T",
		fixture_string(&world->arena, "http://a.b/%d", (int)id), ""),
	    id);
	site->articles[id] = (struct known){ .posted = site->now, .points = 1 };
}

static void
vote_or_remove(struct site *site)
{
	uint64_t id = 1 + pick(site, (unsigned)site->count);
	unsigned voter = pick(site, MEMBERS);
	struct known *known = &site->articles[id];
	enum vote vote = pick(site, 3) == 0 ? VOTE_DOWN : VOTE_UP;

	if (pick(site, 8) == 0 && known->is_removed)
		assert_int_equal(article_restore(&site->world->store,
				     &site->world->arena, id, &world_restoring),
		    STORE_OK);
	else if (pick(site, 8) == 0 && !known->is_removed)
		world_remove(site->world, id);
	else if (!known->is_removed && known->votes[voter] != vote &&
	    site->now < known->posted + 7 * 86400) {
		world_vote(site->world, id, 2 + voter, vote);
		known->points += (vote == VOTE_UP) - (vote == VOTE_DOWN) -
		    (known->votes[voter] == VOTE_UP) +
		    (known->votes[voter] == VOTE_DOWN);
		known->votes[voter] = vote;
		return;
	} else {
		return;
	}
	known->is_removed = !known->is_removed;
}

static int64_t
score_of(const struct known *known)
{
	return known->posted + 432 * known->points;
}

/* Nothing is interesting: the order is by score, and then the newer. */
static struct front_hour
expected_page(const struct site *site, int64_t hour)
{
	struct front_hour page = { .hour = hour };
	bool is_there[ARTICLES + 1] = { false };

	while (page.count < FRONT_HOUR_PLACES) {
		uint64_t best = 0;

		for (uint64_t id = 1; id <= site->count; id++)
			if (!is_there[id] && !site->articles[id].is_removed &&
			    (best == 0 ||
				score_of(&site->articles[id]) >=
				    score_of(&site->articles[best])))
				best = id;
		if (best == 0)
			break;
		is_there[best] = true;
		page.articles[page.count++] = best;
	}
	return page;
}

static const struct front_hour *
find_page(const struct site *site, int64_t hour)
{
	for (size_t i = 0; i < site->page_count; i++)
		if (site->pages[i].hour == hour)
			return &site->pages[i];
	return NULL;
}

/* A writer comes; the first one of an hour, that is not late, keeps its page. */
static void
write_page(struct site *site)
{
	int64_t hour = site->now / HOUR, wait;

	assert_int_equal(front_writer_step(&site->writers[pick(site, 2)],
			     &site->world->store, &wait),
	    STORE_OK);
	assert_in_range(wait, 1, FRONT_HOURS_WAIT_MS);
	if (site->now % HOUR < FRONT_HOUR_LATE && find_page(site, hour) == NULL)
		site->pages[site->page_count++] = expected_page(site, hour);
}

static void
compare_pages(const struct site *site, int64_t first, int64_t last)
{
	struct store *store = &site->world->store;
	struct arena arena = { 0 };
	int64_t before = 0, found_before, found_after;

	for (int64_t hour = first; hour <= last; hour++) {
		const struct front_hour *page = find_page(site, hour);
		int64_t after = hour + 1;
		struct front_hour found;

		while (after <= last && find_page(site, after) == NULL)
			after++;
		assert_int_equal(front_hour_read(store, &arena, hour, &found),
		    page != NULL ? STORE_OK : STORE_ABSENT);
		if (page != NULL) {
			assert_int_equal(found.count, page->count);
			assert_memory_equal(found.articles, page->articles,
			    page->count * sizeof(found.articles[0]));
		}
		assert_int_equal(front_hour_near(store, &arena, hour,
				     &found_before, &found_after),
		    STORE_OK);
		assert_int_equal(found_before, before);
		assert_int_equal(found_after, after > last ? 0 : after);
		if (page != NULL)
			before = hour;
		arena_reset(&arena);
	}
	arena_free(&arena);
}

static int
expected_place(const struct front_hour *page, uint64_t id)
{
	if (page == NULL)
		return FRONT_HOUR_MISSING;
	for (size_t i = 0; i < page->count; i++)
		if (page->articles[i] == id)
			return (int)i + 1;
	return 0;
}

/* The first hour whose page has an article; 0: there is none. */
static int64_t
first_hour_of(const struct site *site, uint64_t id)
{
	for (size_t i = 0; i < site->page_count; i++)
		if (expected_place(&site->pages[i], id) > 0)
			return site->pages[i].hour;
	return 0;
}

static void
compare_places(const struct site *site, struct read_cache *cache, uint64_t id)
{
	struct article article = world_article(site->world, id, 0);
	int64_t week = 7 * 24 * HOUR;
	int64_t last = (article.post.posted + week - FRONT_HOUR_LATE) / HOUR;
	int64_t first = first_hour_of(site, id);
	struct front_places places;

	if (last > site->now / HOUR)
		last = site->now / HOUR;
	assert_int_equal(article.front, first * HOUR);
	assert_int_equal(
	    front_places_read(&site->world->store, &site->world->arena, cache,
		&article, site->now, &places),
	    STORE_OK);
	if (first == 0) {
		assert_int_equal(places.count, 0);
		return;
	}
	assert_int_equal(places.first, first);
	assert_int_equal(places.count, first > last ? 0 : last - first + 1);
	for (size_t i = 0; i < places.count; i++)
		assert_int_equal(places.places[i],
		    expected_place(find_page(site, first + (int64_t)i), id));
}

static void
compare_all(const struct site *site)
{
	struct read_cache *cache = read_cache_new();

	compare_pages(site, site->pages[0].hour - 3, site->now / HOUR);
	/* Again, from the cache. */
	for (int i = 0; i < 2; i++)
		for (uint64_t id = 1; id <= site->count; id++)
			compare_places(site, cache, id);
	read_cache_free(cache);
}

static void
walk(struct site *site)
{
	for (int step = 0; step < STEPS; step++) {
		int64_t hour = site->now / HOUR + 1 +
		    (pick(site, 6) == 0 ? pick(site, 5) : 0);
		int visits = 1 + (int)pick(site, 3);

		if (site->count < ARTICLES)
			post(site);
		for (int i = 0; i < 3; i++)
			vote_or_remove(site);
		set_clock(site, hour * HOUR);
		for (int i = 0; i < visits; i++) {
			set_clock(site, site->now + pick(site, 50));
			write_page(site);
			vote_or_remove(site);
		}
	}
}

static void
open_site(struct site *site, struct world *world, unsigned seed)
{
	memset(site, 0, sizeof(*site));
	site->world = world;
	site->seed = seed;
	/* 25 November 2023: the walk goes on in December. */
	set_clock(site, 1700900000);
	for (int i = 0; i <= MEMBERS; i++)
		world_member(world, fixture_string(&world->arena, "m%d", i));
}

static struct site the_site;

static void
pages_are_those_of_the_model(void **state)
{
	struct world *world = *state;
	struct site *site = &the_site;
	struct text dump;

	open_site(site, world, 4);
	walk(site);
	assert_in_range(site->page_count, STEPS / 3, STEPS);
	compare_all(site);
	commands_assert_whole(world);
	dump = commands_dump(world).out;
	assert_same(commands_dump_again(
			world, site->now, dump, 5 - world->store.buckets.count),
	    dump);
}

/* Of two writers at once the second is told so; of one that is late, or early. */
static void
an_hour_is_kept_once_and_in_time(void **state)
{
	struct world *world = *state;
	struct store *store = &world->store;
	const int64_t hour = NOON / HOUR;
	struct front_hour one = { hour, { 1, 2 }, 2 },
			  other = { hour, { 3 }, 1 };
	struct front_hour found;

	world_stop_clock(world, hour * HOUR - 1);
	assert_int_equal(
	    front_hour_keep(store, &world->arena, &one), STORE_CLOSED);
	world_stop_clock(world, hour * HOUR + FRONT_HOUR_LATE);
	assert_int_equal(
	    front_hour_keep(store, &world->arena, &one), STORE_CLOSED);
	assert_int_equal(
	    front_hour_read(store, &world->arena, hour, &found), STORE_ABSENT);
	world_stop_clock(world, hour * HOUR + FRONT_HOUR_LATE - 1);
	assert_int_equal(front_hour_keep(store, &world->arena, &one), STORE_OK);
	assert_int_equal(
	    front_hour_keep(store, &world->arena, &other), STORE_TAKEN);
	assert_int_equal(
	    front_hour_load(store, &world->arena, &other), STORE_TAKEN);
	assert_int_equal(
	    front_hour_read(store, &world->arena, hour, &found), STORE_OK);
	assert_int_equal(found.count, 2);
	assert_int_equal(found.articles[1], 2);
}

/* An empty site has no front page to keep. */
static void
nothing_is_kept_without_articles(void **state)
{
	struct world *world = *state;
	struct front_writer writer = { 0 };
	int64_t wait, before, after;

	world_stop_clock(world, NOON / HOUR * HOUR);
	assert_int_equal(
	    front_writer_step(&writer, &world->store, &wait), STORE_OK);
	assert_int_equal(
	    front_hour_near(&world->store, &world->arena, 0, &before, &after),
	    STORE_OK);
	assert_int_equal(before, 0);
	assert_int_equal(after, 0);
}

/* It was killed before it wrote the page: the article says that it was there, and no page does. */
static void
writers_may_be_killed(void **state)
{
	struct world *world = *state;
	struct pipeline pipeline =
	    pipeline_begin(world->store.redis, &world->arena);
	struct world_scene scene = world_scene(world, "");
	struct article article;
	struct front_places places;

	front_hour_send_mark(
	    &pipeline, &world->store, scene.article, NOON / HOUR);
	assert_true(redis_run(&pipeline));
	article = world_article(world, scene.article, 0);
	assert_int_equal(front_places_read(&world->store, &world->arena, NULL,
			     &article, NOON, &places),
	    STORE_OK);
	for (size_t i = 0; i < places.count; i++)
		assert_int_equal(places.places[i], FRONT_HOUR_MISSING);
	commands_assert_whole(world);
}

/* What costs nothing: an article that never was on a front page that was kept. */
static void
other_articles_cost_no_command(void **state)
{
	struct world *world = *state;
	struct world_scene scene = world_scene(world, "");
	struct article article = world_article(world, scene.article, 0);
	struct front_places places;
	uint64_t epoch = store_epoch(&world->store);

	kill(world->redis, SIGSTOP);
	assert_int_equal(front_places_read(&world->store, &world->arena, NULL,
			     &article, NOON, &places),
	    STORE_OK);
	kill(world->redis, SIGCONT);
	assert_int_equal(places.count, 0);
	assert_int_equal(store_epoch(&world->store), epoch);
}

static void
names_are_full_hours(void **state)
{
	static const char *const wrong[] = { "", "2026", "2026-11-20",
		"2026-11-20T", "2026-11-20T4", "2026-11-20T24", "2026-11-31T00",
		"2026-02-30T10", "2026-00-10T10", "2026-13-10T10",
		"2026-11-00T10", "2026-11-20 14", "2026-11-20t14",
		"2026-11-20T14:00", "+026-11-20T14", "1970-01-01T00",
		"1969-12-31T23", "2026/11/20T14", "xxxx-xx-xxTxx" };
	struct arena arena = { 0 };
	int64_t hour;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		if (front_hour_parse(text_of(wrong[i]), &hour))
			fail_msg("\"%s\" is an hour", wrong[i]);
	assert_true(front_hour_parse(TEXT("2026-11-20T14"), &hour));
	assert_int_equal(hour * HOUR, 1795183200);
	for (int64_t each = 400000; each < 500000; each += 7) {
		struct text name = front_hour_name(&arena, each);

		assert_true(front_hour_parse(name, &hour));
		assert_int_equal(hour, each);
		arena_reset(&arena);
	}
	arena_free(&arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(pages_are_those_of_the_model),
		world_test(an_hour_is_kept_once_and_in_time),
		world_test(nothing_is_kept_without_articles),
		world_test(writers_may_be_killed),
		world_test(other_articles_cost_no_command),
		cmocka_unit_test(names_are_full_hours),
	};

	return world_run("kept front pages", tests);
}
