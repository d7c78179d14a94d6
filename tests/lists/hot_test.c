/*
 * The order hot against a plain model (support/ranked_site.h): every article has the worth that the
 * formula gives.
 * Each worth of a vote makes another relation of the lists by time and by score.
 */
#include <math.h>
#include <stdlib.h>

#include "../support/ranked_site.h"
#include "lists/merge.h"
#include "lists/threshold.h"

/* The definition, word for word. */
static double
hot(const struct ranked_article *article, const struct list_query *query,
    int64_t now)
{
	double gravity =
	    query->gravity == 0 ? 1.8 : (double)query->gravity / 10;
	double hours = (double)(now / 60 * 60 - article->posted) / 3600;
	double votes = (double)(article->points > 1 ? article->points - 1 : 0);

	return pow(votes, 0.8) / pow((hours > 0 ? hours : 0) + 2, gravity);
}

static void
check(struct ranked_site *site)
{
	static const int64_t gravities[] = { 0, 12, 25 };
	struct list_query query = { .kind = LIST_FRONT,
		.order = ORDER_HOT,
		.cache = site->world->cache };

	for (size_t g = 0; g < sizeof(gravities) / sizeof(gravities[0]); g++) {
		query.gravity = gravities[g];
		ranked_site_check_groups(site, query, hot);
	}
}

static void
hot_is_the_formula_where_200_votes_are_worth_a_day(void **state)
{
	ranked_site_walk(*state, 432, 1, 1500, check);
}

static void
hot_is_the_formula_where_5_votes_are_worth_a_day(void **state)
{
	ranked_site_walk(*state, 17280, 2, 1500, check);
}

static void
hot_is_the_formula_where_a_vote_is_worth_a_second(void **state)
{
	ranked_site_walk(*state, 1, 3, 1500, check);
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
	size_t expensive = MERGE_EXPENSIVE_MAX;
	struct versions versions;
	struct order order = { .count = 0 };

	world_stop_clock(world, NOON);
	ranked_site_place_many(world, THRESHOLD_MAX + 500);
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
		ranked_site_place(&pipeline, world, id, NOON - 60 * (int64_t)id,
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
