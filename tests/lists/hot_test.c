/*
 * The order hot against a plain model: every article's worth by the formula, sorted in memory.
 * Members vote, take votes back and vote the other way; articles are removed and restored; time
 * passes; each worth of a vote makes another relation of the lists by time and by score.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../support/world.h"
#include "lists/list.h"
#include "lists/merge.h"
#include "lists/threshold.h"
#include "store/keys.h"

enum { NOON = 1700000000, HOUR = 3600, ARTICLES = 700, VOTERS = 40 };

static const char *const group_names[] = { "aa", "bb", "cc" };

struct known {
	uint64_t id;
	int64_t posted, points;
	unsigned groups; /* bits */
	bool removed;
	signed char votes[VOTERS];
	double worth;
};

struct site {
	struct world *world;
	struct arena arena; /* of one reading */
	unsigned seed;
	uint64_t author;
	struct known articles[ARTICLES];
	size_t count;
};

static unsigned
pick(struct site *site, unsigned below)
{
	return (unsigned)rand_r(&site->seed) % below;
}

static const char *
names_of(struct site *site, unsigned bits)
{
	struct text names = TEXT("");

	for (unsigned g = 0; g < 3; g++)
		if ((bits >> g & 1) != 0)
			names = text_format(&site->arena, "%.*s%s%s",
			    TEXT_ARGS(names), names.size > 0 ? " " : "",
			    group_names[g]);
	return text_string(&site->arena, names);
}

static void
post(struct site *site)
{
	struct known *known = &site->articles[site->count];

	known->groups = pick(site, 8);
	known->posted = world_now(site->world);
	known->points = 1;
	known->id = world_post(site->world, site->author,
	    fixture_string(&site->arena, "%zu", site->count), "",
	    names_of(site, known->groups));
	site->count++;
}

/* Sets a vote to up, down or none, whatever it was. */
static void
vote(struct site *site)
{
	struct known *known = &site->articles[pick(site, 3) == 0
		? pick(site, (unsigned)site->count)
		: site->count - 1 -
		    pick(site, (unsigned)site->count) % 60 % site->count];
	unsigned voter = pick(site, VOTERS);
	int state = (int)pick(site, 5);
	signed char value = state >= 3 ? 1 : (signed char)(state - 1);
	const enum vote votes[] = { VOTE_DOWN, VOTE_NONE, VOTE_UP };

	if (known->removed ||
	    known->posted + 7 * 24 * HOUR <= world_now(site->world))
		return;
	world_vote(site->world, known->id, 1000 + voter, votes[value + 1]);
	known->points += value - known->votes[voter];
	known->votes[voter] = value;
}

static void
moderate(struct site *site)
{
	struct known *known =
	    &site->articles[pick(site, (unsigned)site->count)];

	if (known->removed)
		assert_int_equal(article_restore(&site->world->store,
				     &site->arena, known->id, &world_restoring),
		    STORE_OK);
	else
		world_remove(site->world, known->id);
	known->removed = !known->removed;
}

/* The definition, word for word. */
static double
hot(const struct known *known, int64_t now, double gravity)
{
	double hours = (double)(now / 60 * 60 - known->posted) / 3600;
	double votes = (double)(known->points > 1 ? known->points - 1 : 0);

	return pow(votes, 0.8) / pow((hours > 0 ? hours : 0) + 2, gravity);
}

static int
compare(const void *a, const void *b)
{
	const struct known *const *one = a, *const *other = b;

	if ((*one)->worth != (*other)->worth)
		return (*one)->worth > (*other)->worth ? -1 : 1;
	if ((*one)->posted != (*other)->posted)
		return (*one)->posted > (*other)->posted ? -1 : 1;
	return (*one)->id > (*other)->id ? -1 : 1;
}

static size_t
expect(struct site *site, const struct list_query *query, unsigned groups,
    struct known **expected)
{
	int64_t now = world_now(site->world);
	size_t count = 0;

	for (size_t i = 0; i < site->count; i++) {
		struct known *known = &site->articles[i];
		unsigned common = known->groups & groups;

		if (known->removed ||
		    (query->kind == LIST_GROUPS &&
			(query->match == MATCH_ALL ? common != groups
						   : common == 0)))
			continue;
		known->worth = hot(known, now,
		    query->gravity == 0 ? 1.8 : (double)query->gravity / 10);
		expected[count++] = known;
	}
	if (count > 0)
		qsort(expected, count, sizeof(*expected), compare);
	return count;
}

static void
check_query(struct site *site, struct list_query query, unsigned groups)
{
	struct known **expected =
	    arena_new(&site->arena, struct known *, site->count + 1);
	size_t count = expect(site, &query, groups, expected), seen = 0;
	bool more = true;

	for (query.page = 1; more; query.page++) {
		struct list list;

		assert_int_equal(
		    list_read(&site->world->store, &site->arena, &query, &list),
		    STORE_OK);
		assert_false(list.is_approximate);
		assert_false(list.search_ended);
		assert_true(seen + list.count <= count);
		for (size_t i = 0; i < list.count; i++, seen++) {
			assert_int_equal(list.articles[i].post.id.article,
			    expected[seen]->id);
			assert_int_equal(list.articles[i].post.points,
			    expected[seen]->points);
		}
		more = list.more;
		assert_int_equal(more, seen < count);
	}
	assert_int_equal(seen, count);
}

static void
check(struct site *site)
{
	static const int64_t gravities[] = { 0, 12, 25 };
	struct text names[3];

	for (size_t g = 0; g < sizeof(gravities) / sizeof(gravities[0]); g++) {
		struct list_query query = { .kind = LIST_FRONT,
			.order = ORDER_HOT,
			.gravity = gravities[g],
			.cache = site->world->cache };

		check_query(site, query, 0);
		query.kind = LIST_GROUPS;
		query.groups = names;
		for (unsigned bits = 1; bits < 8; bits += 2) {
			query.group_count = 0;
			for (unsigned n = 0; n < 3; n++)
				if ((bits >> n & 1) != 0)
					names[query.group_count++] =
					    text_of(group_names[n]);
			query.match = MATCH_ANY;
			check_query(site, query, bits);
			query.match = MATCH_ALL;
			check_query(site, query, bits);
		}
		arena_reset(&site->arena);
	}
}

static void
walk(struct world *world, int64_t vote_score, unsigned seed)
{
	struct site *site = arena_new(&world->arena, struct site, 1);

	*site = (struct site){ .world = world, .seed = seed };
	world->store.rules.vote_score = vote_score;
	world->store.rules.page_size = 90;
	world_stop_clock(world, NOON);
	site->author = world_member(world, "ann");
	while (site->count < ARTICLES) {
		post(site);
		for (unsigned v = pick(site, 10); v > 0; v--)
			vote(site);
		if (pick(site, 20) == 0)
			moderate(site);
		world_move_clock(world, (int)pick(site, 1500));
		arena_reset(&site->arena);
		if (site->count % (ARTICLES / 4) == 0)
			check(site);
	}
	arena_free(&site->arena);
}

static void
hot_is_the_formula_where_200_votes_are_worth_a_day(void **state)
{
	walk(*state, 432, 1);
}

static void
hot_is_the_formula_where_5_votes_are_worth_a_day(void **state)
{
	walk(*state, 17280, 2);
}

static void
hot_is_the_formula_where_a_vote_is_worth_a_second(void **state)
{
	walk(*state, 1, 3);
}

/* Puts an article straight into the lists of all. */
static void
place(struct pipeline *pipeline, const struct world *world, uint64_t id,
    int64_t posted, int64_t points)
{
	const struct buckets *buckets = &world->store.buckets;
	uint64_t bucket = key_bucket_of(buckets, id);
	struct arena *arena = pipeline->arena;

	pipeline_add(pipeline, TEXT("ZADD"),
	    key_time(arena, buckets, bucket, TEXT("")),
	    text_number(arena, posted), encode_post(arena, article_id(id)));
	pipeline_add(pipeline, TEXT("ZADD"),
	    key_score(arena, buckets, bucket, TEXT("")),
	    text_number(arena, posted + 432 * points),
	    encode_post(arena, article_id(id)));
}

/* Of many articles that all have one point there is none whose place is certain: an old one that
 * was not read may have two. */
static void
what_is_not_certain_is_said_to_be_approximate(void **state)
{
	struct world *world = *state;
	struct list_query query = {
		.kind = LIST_FRONT, .order = ORDER_HOT, .cache = world->cache
	};
	struct pipeline pipeline =
	    pipeline_begin(world->store.redis, &world->arena);
	size_t expensive = MERGE_EXPENSIVE_MAX;
	struct versions versions;
	struct order order = { .count = 0 };

	world_stop_clock(world, NOON);
	for (uint64_t id = 1; id <= THRESHOLD_MAX + 500; id++)
		place(&pipeline, world, id, NOON - 60 * (int64_t)id, 1);
	assert_true(redis_run(&pipeline));
	assert_int_equal(list_read_order(&world->store, &world->arena, &query,
			     25, &order, &versions),
	    STORE_OK);
	assert_int_equal(order.count, 25);
	assert_true(order.is_approximate);
	/* From the cache. */
	assert_int_equal(list_read_order(&world->store, &world->arena, &query,
			     25, &order, &versions),
	    STORE_OK);
	assert_true(order.is_approximate);
	/* Few such lists are read at once. */
	query.expensive = &expensive;
	query.gravity = 20;
	assert_int_equal(list_read_order(&world->store, &world->arena, &query,
			     25, &order, &versions),
	    STORE_LIMITED);
	assert_int_equal(expensive, MERGE_EXPENSIVE_MAX);
}

/* Twenty-five articles with many votes are certain after a few hundred entries. */
static void
few_entries_are_read_for_a_first_page(void **state)
{
	struct world *world = *state;
	size_t expensive = MERGE_EXPENSIVE_MAX;
	struct list_query query = { .kind = LIST_FRONT,
		.order = ORDER_HOT,
		.cache = world->cache,
		.expensive = &expensive };
	struct pipeline pipeline =
	    pipeline_begin(world->store.redis, &world->arena);
	struct versions versions;
	struct order order = { .count = 0 };

	world_stop_clock(world, NOON);
	for (uint64_t id = 1; id <= THRESHOLD_MAX; id++)
		place(&pipeline, world, id, NOON - 60 * (int64_t)id,
		    id % 20 == 0 ? 100 + (int64_t)id % 7 : 1);
	assert_true(redis_run(&pipeline));
	assert_int_equal(list_read_order(&world->store, &world->arena, &query,
			     25, &order, &versions),
	    STORE_OK);
	assert_int_equal(order.count, 25);
	assert_false(order.is_approximate);
}

/* No article of a score and an age that are allowed is worth more. */
static void
nothing_is_worth_more_than_the_bound(void **state)
{
	unsigned seed = 7;

	(void)state;
	for (int i = 0; i < 200000; i++) {
		int64_t w = 1 + rand_r(&seed) % (i % 2 == 0 ? 500 : 90000);
		int64_t posted = NOON + 5000 - rand_r(&seed) % 900000;
		int64_t score = NOON + 500000 - rand_r(&seed) % 1500000;
		int64_t gravity = 12 + rand_r(&seed) % 14;
		int64_t its =
		    posted - rand_r(&seed) % (i % 3 == 0 ? 9000 : 9000000);
		int64_t most_points = (score - its) / w;
		int64_t points = most_points - rand_r(&seed) % 3;
		double bound = rule_hot_most(w, score, posted, NOON, gravity);

		if (its + w * points <= score)
			assert_true(rule_hot(points, NOON - its, gravity) <=
			    bound * (1 + 1e-9));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(hot_is_the_formula_where_200_votes_are_worth_a_day),
		world_test(hot_is_the_formula_where_5_votes_are_worth_a_day),
		world_test(hot_is_the_formula_where_a_vote_is_worth_a_second),
		world_test(what_is_not_certain_is_said_to_be_approximate),
		world_test(few_entries_are_read_for_a_first_page),
		cmocka_unit_test(nothing_is_worth_more_than_the_bound),
	};

	return world_run("hot", tests);
}
