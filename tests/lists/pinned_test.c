/*
 * Pinned articles of the front page against a plain model, over simulated sites.
 *
 * The model is the definition, word for word: everything is sorted in memory.
 * Quiet articles get a vote or two; of the others some gather votes slowly,
 * over days, some within an hour, and some get few or very many, most of them
 * soon (Pareto). Some are voted down, removed and restored.
 */
#include <stdlib.h>
#include <string.h>

#include "../support/world.h"
#include "lists/front.h"
#include "lists/list.h"
#include "store/article.h"

enum {
	HOUR = 3600,
	DAY = 24 * HOUR,
	VOTES_MAX = 250 /* of one article */
};

enum speed { QUIET, SLOW, FAST, HEAVY_TAILED };

struct known {
	uint64_t id;
	int64_t posted, score, interesting;
	int64_t up;
	bool removed;
	enum speed speed;
	uint64_t voters; /* so far */
};

/* A vote that is still to be cast. */
struct event {
	int64_t moment;
	size_t article;
};

struct site {
	struct world *world;
	struct arena arena; /* of one reading */
	unsigned seed;
	uint64_t author;
	struct known *articles;
	size_t count;
	struct event *events;
	size_t event_count, checks;
};

/* What is simulated. */
struct plan {
	int64_t days, posts_a_day;
	int64_t articles, places; /* pinned */
	int lively;		  /* articles in a hundred that get votes */
	int64_t page_size;
};

static double
chance(struct site *site)
{
	return (rand_r(&site->seed) + 1.0) / (RAND_MAX + 2.0);
}

static unsigned
pick(struct site *site, unsigned below)
{
	return (unsigned)rand_r(&site->seed) % below;
}

/* The model. */

static int
higher_score(const void *a, const void *b)
{
	const struct known *const *one = a, *const *other = b;

	if ((*one)->score != (*other)->score)
		return (*one)->score > (*other)->score ? -1 : 1;
	return (*one)->id > (*other)->id ? -1 : 1;
}

static int
later_interesting(const void *a, const void *b)
{
	const struct known *const *one = a, *const *other = b;

	if ((*one)->interesting != (*other)->interesting)
		return (*one)->interesting > (*other)->interesting ? -1 : 1;
	return (*one)->id > (*other)->id ? -1 : 1;
}

static void
sort(const struct known **articles, size_t count,
    int (*compare)(const void *, const void *))
{
	if (count > 0)
		qsort(articles, count, sizeof(*articles), compare);
}

/*
 * The first places are the newest articles that became interesting within a
 * day, together with the best others by score, all sorted by score; everything
 * else follows by score. Returns how many there are.
 */
static size_t
front_by_definition(struct site *site, const struct known **front)
{
	const struct rules *rules = &site->world->store.rules;
	int64_t now = world_now(site->world);
	const struct known **others =
	    arena_new(&site->arena, const struct known *, site->count);
	size_t holders = 0, other_count = 0, places, taken;

	for (size_t i = 0; i < site->count; i++) {
		const struct known *known = &site->articles[i];

		if (known->removed)
			continue;
		if (known->interesting != 0 &&
		    now - known->interesting < rules->pinned_seconds)
			front[holders++] = known;
		else
			others[other_count++] = known;
	}
	sort(front, holders, later_interesting);
	while (holders > (size_t)rules->pinned_articles)
		others[other_count++] = front[--holders];
	sort(others, other_count, higher_score);
	places = (size_t)rules->pinned_places;
	taken = other_count < places - holders ? other_count : places - holders;
	memcpy(front + holders, others, taken * sizeof(*others));
	sort(front, holders + taken, higher_score);
	memcpy(front + holders + taken, others + taken,
	    (other_count - taken) * sizeof(*others));
	return holders + other_count;
}

static void
check_pages(struct site *site, const struct known *const *front, size_t count)
{
	struct list_query query = {
		.kind = LIST_FRONT, .page = 1, .cache = site->world->cache
	};
	struct arena arena = { 0 };
	size_t seen = 0;
	bool more = true;

	for (; more; query.page++) {
		struct list list;

		assert_int_equal(
		    list_read(&site->world->store, &arena, &query, &list),
		    STORE_OK);
		assert_true(seen + list.count <= count);
		for (size_t i = 0; i < list.count; i++, seen++) {
			assert_int_equal(
			    list.articles[i].post.id.article, front[seen]->id);
			assert_int_equal(
			    list.articles[i].score, front[seen]->score);
		}
		more = list.more;
		assert_int_equal(more, seen < count);
		arena_reset(&arena);
	}
	arena_free(&arena);
	assert_int_equal(seen, count);
}

static void
check_places(struct site *site, const struct known *const *front, size_t count,
    size_t step)
{
	struct store *store = &site->world->store;
	struct arena arena = { 0 };
	struct versions versions;

	assert_int_equal(versions_get(store, &arena, 0, &versions), STORE_OK);
	for (size_t i = site->checks % step; i < count; i += step) {
		uint64_t place;

		assert_int_equal(
		    list_front_place(store, &arena, site->world->cache,
			&versions, front[i]->id, &place),
		    STORE_OK);
		assert_int_equal(place, i < LIST_FRONT_PLACES ? i + 1 : 0);
	}
	arena_free(&arena);
}

/* Looks at all pages, and at the place of every step-th article. */
static void
check(struct site *site, size_t step)
{
	const struct known **front =
	    arena_new(&site->arena, const struct known *, site->count + 1);
	size_t count = front_by_definition(site, front);

	check_pages(site, front, count);
	check_places(site, front, count, step);
	site->checks++;
	arena_reset(&site->arena);
}

/* The simulation. */

static void
expect_vote(struct site *site, size_t index, uint64_t user, enum vote vote)
{
	assert_int_equal(world_cast(&site->world->store, &site->arena,
			     article_id(site->articles[index].id), user, vote),
	    STORE_OK);
	arena_reset(&site->arena);
}

static void
vote(struct site *site, size_t index, int64_t moment)
{
	struct known *known = &site->articles[index];
	uint64_t user = 1000 + known->voters++;

	if (known->removed)
		return;
	world_stop_clock(site->world, moment);
	if (known->speed != FAST && pick(site, 8) == 0) {
		expect_vote(site, index, user, VOTE_DOWN);
		known->score -= 432;
		return;
	}
	expect_vote(site, index, user, VOTE_UP);
	known->score += 432;
	known->up++;
	if (known->interesting == 0 &&
	    known->up >= site->world->store.rules.interesting)
		known->interesting = moment;
}

static void
plan_votes(struct site *site, size_t index)
{
	const struct known *known = &site->articles[index];
	int64_t lively = site->world->store.rules.interesting * 2;
	int64_t votes = pick(site, 3);

	if (known->speed == SLOW || known->speed == FAST)
		votes = lively / 2 + pick(site, (unsigned)lively);
	else if (known->speed == HEAVY_TAILED)
		votes = (int64_t)(2 / chance(site));
	if (votes > VOTES_MAX)
		votes = VOTES_MAX;
	for (int64_t v = 0; v < votes; v++) {
		double delay = chance(site) * DAY;

		if (known->speed == SLOW)
			delay = chance(site) * 4 * DAY;
		else if (known->speed == FAST)
			delay = chance(site) * HOUR;
		else if (known->speed == HEAVY_TAILED)
			delay = HOUR * (1 / chance(site) - 1);
		/* Voting ends after a week. */
		if (delay < 6 * DAY)
			site->events[site->event_count++] =
			    (struct event){ known->posted + (int64_t)delay,
				    index };
	}
}

static void
post(struct site *site, const struct plan *plan, int64_t moment)
{
	struct known *known = &site->articles[site->count];
	struct article article = { .title = TEXT("A title"),
		.url = text_format(
		    &site->arena, "http://a.example/%zu", site->count),
		.post.author = { site->author, TEXT("ann") },
		.groups = TEXT("") };

	world_stop_clock(site->world, moment);
	assert_int_equal(
	    article_post(&site->world->store, &site->arena, &article),
	    STORE_OK);
	arena_reset(&site->arena);
	*known = (struct known){ .id = article.post.id.article,
		.posted = moment,
		.score = moment + 432,
		.up = 1,
		.voters = 0 };
	if ((int)pick(site, 100) < plan->lively)
		known->speed = (enum speed)(SLOW + (int)pick(site, 3));
	plan_votes(site, site->count++);
}

static int
earlier(const void *a, const void *b)
{
	const struct event *one = a, *other = b;

	if (one->moment != other->moment)
		return one->moment < other->moment ? -1 : 1;
	return (one->article > other->article) -
	    (one->article < other->article);
}

/* The votes before a moment, in order of time; the others stay. */
static void
vote_until(struct site *site, int64_t moment)
{
	size_t done = 0;

	if (site->event_count > 0)
		qsort(site->events, site->event_count, sizeof(*site->events),
		    earlier);
	while (done < site->event_count && site->events[done].moment < moment) {
		vote(site, site->events[done].article,
		    site->events[done].moment);
		done++;
	}
	site->event_count -= done;
	memmove(site->events, site->events + done,
	    site->event_count * sizeof(*site->events));
	world_stop_clock(site->world, moment);
}

/* Moderators remove an article, and restore one that was removed. */
static void
moderate(struct site *site)
{
	struct store *store = &site->world->store;
	struct known *removed =
	    &site->articles[pick(site, (unsigned)site->count)];
	struct known *restored =
	    &site->articles[pick(site, (unsigned)site->count)];

	/* Preferably one that became interesting recently. */
	for (int i = 0; i < 200 && removed->interesting == 0; i++)
		removed = &site->articles[site->count - 1 -
		    pick(site, (unsigned)site->count) % 600 % site->count];
	assert_int_equal(post_remove(store, &site->arena,
			     article_id(removed->id), &world_removal),
	    STORE_OK);
	removed->removed = true;
	for (int i = 0; i < 200 && !restored->removed; i++)
		restored = &site->articles[pick(site, (unsigned)site->count)];
	assert_int_equal(article_restore(store, &site->arena, restored->id,
			     &world_restoring),
	    STORE_OK);
	restored->removed = false;
}

/* Checks the last second of the pinned article that expires next, and the next one. */
static void
check_end_of_promise(struct site *site)
{
	int64_t now = world_now(site->world), end = now;

	for (size_t i = 0; i < site->count; i++) {
		int64_t over = site->articles[i].interesting + DAY;

		if (over > now && (end == now || over < end))
			end = over;
	}
	if (end == now)
		return;
	/* No vote is cast meanwhile, neither in the model nor in Redis. */
	world_stop_clock(site->world, end - 1);
	check(site, 97);
	world_stop_clock(site->world, end);
	check(site, 97);
	world_stop_clock(site->world, now);
}

static struct site *
begin(struct world *world, const struct plan *plan)
{
	struct site *site = arena_new(&world->arena, struct site, 1);
	size_t total = (size_t)(plan->days * plan->posts_a_day);

	*site = (struct site){ .world = world, .seed = 10 };
	site->articles = arena_new(&world->arena, struct known, total);
	site->events =
	    arena_new(&world->arena, struct event, total * VOTES_MAX);
	world_stop_clock(world, NOON);
	site->author = world_member(world, "ann");
	world->store.rules.pinned_articles = plan->articles;
	world->store.rules.pinned_places = plan->places;
	world->store.rules.page_size = plan->page_size;
	world->store.rules.interesting = 5;
	return site;
}

/* How much pinning changed: places that differ from plain score order. */
static size_t
count_moved(struct site *site)
{
	const struct known **front =
	    arena_new(&site->arena, const struct known *, site->count + 1);
	const struct known **plain =
	    arena_new(&site->arena, const struct known *, site->count + 1);
	size_t count = front_by_definition(site, front), moved = 0;

	memcpy(plain, front, count * sizeof(*front));
	sort(plain, count, higher_score);
	for (size_t i = 0; i < count; i++)
		moved += plain[i] != front[i] ? 1 : 0;
	arena_reset(&site->arena);
	return moved;
}

static void
simulate(struct world *world, const struct plan *plan)
{
	struct site *site = begin(world, plan);
	size_t total = (size_t)(plan->days * plan->posts_a_day), moved = 0;
	int64_t pause = DAY / plan->posts_a_day;

	while (site->count < total) {
		int64_t moment = NOON + (int64_t)site->count * pause;

		vote_until(site, moment);
		post(site, plan, moment);
		if (site->count % 60 == 0)
			moderate(site);
		if (site->count % (total / 10) != 0)
			continue;
		check(site, 29);
		check_end_of_promise(site);
		moved += count_moved(site);
	}
	check(site, 1);
	/* Otherwise pinning would not have been tested. */
	assert_true(moved > 100);
	arena_free(&site->arena);
}

static void
pinned_articles_match_the_model_for_ten_of_twenty_places(void **state)
{
	const struct plan plan = { .days = 10,
		.posts_a_day = 300,
		.articles = 10,
		.places = 20,
		.lively = 9,
		.page_size = 60 };

	simulate(*state, &plan);
}

static void
pinned_articles_match_the_model_for_fifty_of_a_hundred_places(void **state)
{
	const struct plan plan = { .days = 10,
		.posts_a_day = 300,
		.articles = 50,
		.places = 100,
		.lively = 24,
		.page_size = 25 };

	simulate(*state, &plan);
}

/* Pinned articles in every number on a small site, with pages of every length. */
static void
pinned_articles_match_the_model_for_other_numbers(void **state)
{
	const struct plan plan = { .days = 2,
		.posts_a_day = 40,
		.lively = 50,
		.articles = 5,
		.places = 10,
		.page_size = 10 };
	const int64_t sizes[][2] = { { 0, 0 }, { 0, 10 }, { 1, 1 }, { 10, 10 },
		{ 3, 7 }, { 1, 30 }, { 50, 60 }, { 80, 80 }, { 5, 400 },
		{ 400, 400 } };
	const int64_t pages[] = { 1, 3, 10, 100 };
	struct world *world = *state;
	struct site *site = begin(world, &plan);
	struct rules *rules = &world->store.rules;

	/* In a worker the sizes never change, so what it keeps does not know
	 * of a change. */
	read_cache_free(world->cache);
	world->cache = NULL;
	check(site, 1);
	while (site->count < 80) {
		int64_t moment = NOON + (int64_t)site->count * (DAY / 40);

		vote_until(site, moment);
		post(site, &plan, moment);
		if (site->count == 1 || site->count == 12)
			check(site, 1);
	}
	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		for (size_t p = 0; p < sizeof(pages) / sizeof(pages[0]); p++) {
			rules->pinned_articles = sizes[s][0];
			rules->pinned_places = sizes[s][1];
			rules->page_size = pages[p];
			check(site, 1);
		}
	}
	arena_free(&site->arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(
		    pinned_articles_match_the_model_for_ten_of_twenty_places),
		world_test(
		    pinned_articles_match_the_model_for_fifty_of_a_hundred_places),
		world_test(pinned_articles_match_the_model_for_other_numbers),
	};

	return world_run("pinned", tests);
}
