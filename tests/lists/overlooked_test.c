/*
 * The choice of what was overlooked, against a plain model, over many minutes; and what pages do
 * with it.
 */
#include <stdlib.h>
#include <string.h>

#include "../support/world.h"
#include "lists/hidden.h"
#include "lists/overlooked.h"
#include "store/flag.h"

enum {
	ARTICLES = 260,
	AUTHORS = 12,
	VOTERS = 6, /* the last members */
	DAY = 86400
};

struct known {
	uint64_t id, author;
	int64_t posted, votes;
	bool is_removed, is_flagged;
};

/* Authors 2 and 3 may be newcomers, and 3 is trusted. */
static bool
is_newcomer(uint64_t author)
{
	return author == 2;
}

struct site {
	struct world *world;
	struct known articles[ARTICLES];
	unsigned seed;
};

static unsigned
pick(struct site *site, unsigned below)
{
	return (unsigned)rand_r(&site->seed) % below;
}

static void
set_member(struct world *world, uint64_t id, const char *field, int64_t value)
{
	world_command(world, TEXT("HSET"), key_user(&world->arena, id),
	    text_of(field), text_number(&world->arena, value));
}

static void
add_members(struct world *world)
{
	for (uint64_t id = 1; id <= AUTHORS + VOTERS; id++) {
		world_member(
		    world, fixture_string(&world->arena, "user%d", (int)id));
		if (id == 2 || id == 3)
			set_member(world, id, "newcomer", NOON);
	}
	set_member(world, 3, "trusted", NOON);
}

static void
add_article(struct site *site, size_t i)
{
	struct world *world = site->world;
	struct known *known = &site->articles[i];
	unsigned votes = pick(site, 6);

	*known = (struct known){ .author = 1 + pick(site, AUTHORS),
		.posted = NOON - 3 * DAY + (int64_t)i * 1000,
		.votes = 1 + votes };
	world_stop_clock(world, known->posted);
	known->id = world_post(world, known->author, "T",
	    fixture_string(&world->arena, "http://a.b/%d", (int)i), "");
	for (unsigned v = 0; v < votes; v++)
		world_vote(world, known->id, AUTHORS + 1 + v,
		    pick(site, 3) == 0 ? VOTE_DOWN : VOTE_UP);
	known->is_flagged = pick(site, 5) == 0;
	if (known->is_flagged)
		assert_int_equal(
		    flag_set(&world->store, &world->arena,
			article_id(known->id), AUTHORS + 1, FLAG_SPAM),
		    STORE_OK);
	known->is_removed = pick(site, 6) == 0;
	if (known->is_removed)
		world_remove(world, known->id);
}

static void
open_site(struct site *site, struct world *world)
{
	memset(site, 0, sizeof(*site));
	site->world = world;
	site->seed = 7;
	world_stop_clock(world, NOON - 3 * DAY);
	add_members(world);
	for (size_t i = 0; i < ARTICLES; i++)
		add_article(site, i);
}

/* The model. */

static bool
may_take_part(const struct site *site, size_t i, int64_t minute)
{
	const struct known *known = &site->articles[i];
	size_t newer = 0;

	for (size_t n = i + 1; n < ARTICLES; n++)
		newer += !site->articles[n].is_removed;
	return !known->is_removed && known->votes <= OVERLOOKED_VOTES &&
	    newer < OVERLOOKED_NEWEST && known->posted < minute * 60 &&
	    known->posted >= minute * 60 - OVERLOOKED_SECONDS;
}

/* The article of an author that takes part; NULL: none does. */
static const struct known *
article_of(const struct site *site, uint64_t author, int64_t minute)
{
	const struct known *best = NULL;

	for (size_t i = 0; i < ARTICLES; i++)
		if (site->articles[i].author == author &&
		    may_take_part(site, i, minute) &&
		    (best == NULL ||
			overlooked_hash(minute, site->articles[i].id) <
			    overlooked_hash(minute, best->id)))
			best = &site->articles[i];
	return best;
}

/* Returns how many there are. */
static size_t
expected_choices(
    const struct site *site, int64_t minute, uint64_t ids[OVERLOOKED_CHOICES])
{
	bool is_asked[AUTHORS + 1] = { false };
	size_t count = 0;

	while (count < OVERLOOKED_CHOICES) {
		const struct known *article;
		uint64_t next = 0;

		for (uint64_t author = 1; author <= AUTHORS; author++)
			if (!is_asked[author] &&
			    (next == 0 ||
				overlooked_hash(minute, author) <
				    overlooked_hash(minute, next)))
				next = author;
		if (next == 0)
			break;
		is_asked[next] = true;
		article = article_of(site, next, minute);
		if (article != NULL && !article->is_flagged &&
		    !is_newcomer(next))
			ids[count++] = article->id;
	}
	return count;
}

static void
choices_are_those_of_the_model(void **state)
{
	static struct site site;
	const struct list_query query = { .kind = LIST_FRONT };
	size_t times[ARTICLES * 8] = { 0 }, different = 0;
	uint64_t last = 0;

	open_site(&site, *state);
	for (int64_t i = 0; i < 300; i++) {
		int64_t now = NOON + i * 500;
		uint64_t expected[OVERLOOKED_CHOICES];
		size_t count = expected_choices(&site, now / 60, expected);
		struct order choices;

		world_stop_clock(site.world, now);
		assert_int_equal(overlooked_choose(&site.world->store,
				     &site.world->arena, &query, now, &choices),
		    STORE_OK);
		assert_int_equal(choices.count, count);
		for (size_t c = 0; c < count; c++) {
			assert_int_equal(choices.entries[c].id, expected[c]);
			times[expected[c]]++;
		}
		if (count > 0 && expected[0] != last)
			different++;
		last = count > 0 ? expected[0] : 0;
	}
	/* It is another one in nearly every minute. */
	assert_in_range(different, 200, 300);
}

/* A page of so many of the newest articles. */
static struct list
page_of(struct site *site, size_t count)
{
	struct list list = { .count = count,
		.articles =
		    arena_new(&site->world->arena, struct article, count) };

	for (size_t i = 0; i < count; i++)
		list.articles[i].post.id =
		    article_id(site->articles[ARTICLES - 1 - i].id);
	return list;
}

/* It comes after ten articles at least, and is none that the page has; who hides it gets the
 * next. */
static void
pages_show_what_they_do_not_have(void **state)
{
	static struct site site;
	struct world *world = *state;
	struct versions versions;
	struct list_query query = {
		.kind = LIST_FRONT, .viewer = AUTHORS + 1, .cache = world->cache
	};
	struct list list;

	open_site(&site, world);
	list = page_of(&site, 25);
	for (int64_t i = 0; i < 60; i++) {
		struct overlooked found, again;
		struct hidden_rule hidden = { .kind = HIDDEN_ARTICLE };

		world_stop_clock(world, NOON + i * 60);
		assert_int_equal(
		    versions_get(&world->store, &world->arena, 0, &versions),
		    STORE_OK);
		query.versions = &versions;
		query.hidden = NULL;
		assert_int_equal(overlooked_find(&world->store, &world->arena,
				     &query, &list, &found),
		    STORE_OK);
		assert_in_range(found.place, 10, 19);
		for (size_t a = 0; a < list.count; a++)
			assert_int_not_equal(list.articles[a].post.id.article,
			    found.article.post.id.article);
		assert_int_equal(overlooked_find(&world->store, &world->arena,
				     &query, &list, &again),
		    STORE_OK);
		assert_int_equal(again.article.post.id.article,
		    found.article.post.id.article);
		assert_int_equal(again.article.score, found.article.score);
		assert_int_equal(
		    again.article.post.points, found.article.post.points);
		hidden.id = found.article.post.id.article;
		query.hidden =
		    hidden_filter_of(&world->arena, query.viewer, &hidden, 1);
		if (overlooked_find(&world->store, &world->arena, &query, &list,
			&again) == STORE_OK)
			assert_int_not_equal(
			    again.article.post.id.article, hidden.id);
	}
	list.count = 10;
	query.hidden = NULL;
	assert_int_equal(overlooked_find(&world->store, &world->arena, &query,
			     &list, &(struct overlooked){ .place = 0 }),
	    STORE_ABSENT);
}

/* The choice stays for its minute, and what is removed meanwhile is not shown. */
static void
choices_stay_for_a_minute(void **state)
{
	static struct site site;
	struct world *world = *state;
	struct versions versions;
	struct list_query query = {
		.kind = LIST_FRONT, .versions = &versions, .cache = world->cache
	};
	struct overlooked found, next;
	struct list list;

	open_site(&site, world);
	list = page_of(&site, 25);
	world_stop_clock(world, NOON);
	assert_int_equal(
	    versions_get(&world->store, &world->arena, 0, &versions), STORE_OK);
	assert_int_equal(overlooked_find(&world->store, &world->arena, &query,
			     &list, &found),
	    STORE_OK);
	for (uint64_t v = 0; v < VOTERS; v++)
		world_vote(world, found.article.post.id.article,
		    AUTHORS + 1 + v, VOTE_UP);
	assert_int_equal(
	    versions_get(&world->store, &world->arena, 0, &versions), STORE_OK);
	assert_int_equal(
	    overlooked_find(&world->store, &world->arena, &query, &list, &next),
	    STORE_OK);
	assert_int_equal(
	    next.article.post.id.article, found.article.post.id.article);
	assert_int_equal(next.article.post.points, 1 + VOTERS);
	world_remove(world, found.article.post.id.article);
	assert_int_equal(
	    versions_get(&world->store, &world->arena, 0, &versions), STORE_OK);
	if (overlooked_find(
		&world->store, &world->arena, &query, &list, &next) == STORE_OK)
		assert_int_not_equal(next.article.post.id.article,
		    found.article.post.id.article);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(choices_are_those_of_the_model),
		world_test(pages_show_what_they_do_not_have),
		world_test(choices_stay_for_a_minute),
	};

	return world_run("overlooked articles", tests);
}
