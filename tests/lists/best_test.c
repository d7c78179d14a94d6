/*
 * The best of periods, and days, against a plain model (support/ranked_site.h).
 */
#include <stdlib.h>

#include "../support/ranked_site.h"
#include "lists/best.h"
#include "lists/merge.h"
#include "store/keys.h"
#include "store/points.h"

/* Days are also by time alone. */
static double
points_of(const struct ranked_article *article, const struct list_query *query,
    int64_t now)
{
	(void)now;
	return query->order == ORDER_BEST ? (double)article->points : 0;
}

static void
check(struct ranked_site *site)
{
	static const char *const periods[] = { "day", "week", "month", "year",
		"all", "2023", "2023-11", "2023-12", "2022" };
	static const char *const days[] = { "2023-11-14", "2023-11-15",
		"2023-11-20" };
	struct list_query query = { .kind = LIST_FRONT,
		.order = ORDER_BEST,
		.cache = site->world->cache };
	int64_t now = world_now(site->world);

	for (size_t p = 0; p < sizeof(periods) / sizeof(periods[0]); p++) {
		assert_true(
		    period_parse(text_of(periods[p]), now, &query.period));
		ranked_site_check_groups(site, query, points_of);
	}
	for (size_t d = 0; d < sizeof(days) / sizeof(days[0]); d++) {
		assert_true(period_parse_date(text_of(days[d]), &query.period));
		query.order = ORDER_BEST;
		ranked_site_check(site, query, points_of);
		query.order = ORDER_NEW;
		ranked_site_check(site, query, points_of);
	}
}

static void
best_are_those_with_most_points(void **state)
{
	ranked_site_walk(*state, 432, 1, 1500, check);
}

/* Most of them are placed by points while the site grows: it is 24 days old at the end. */
static void
best_of_months_are_those_with_most_points(void **state)
{
	ranked_site_walk(*state, 432, 2, 6000, check);
}

/* Of more articles than are read, the older ones are left out. */
static void
what_is_not_read_makes_the_order_approximate(void **state)
{
	struct world *world = *state;
	size_t expensive = MERGE_EXPENSIVE_MAX;
	struct list_query query = {
		.kind = LIST_FRONT, .order = ORDER_BEST, .cache = world->cache
	};
	struct versions versions;
	struct order order = { .count = 0 };

	world_stop_clock(world, NOON);
	ranked_site_place_many(world, BEST_MAX + 500);
	assert_int_equal(list_read_order(&world->store, &world->arena, &query,
			     25, &order, &versions),
	    STORE_OK);
	assert_true(order.is_approximate);
	query.expensive = &expensive;
	assert_true(period_parse(TEXT("week"), NOON, &query.period));
	assert_int_equal(list_read_order(&world->store, &world->arena, &query,
			     25, &order, &versions),
	    STORE_LIMITED);
	/* A day has 1,440 of them. */
	expensive = 0;
	assert_true(period_parse_date(TEXT("2023-11-12"), &query.period));
	assert_int_equal(list_read_order(&world->store, &world->arena, &query,
			     25, &order, &versions),
	    STORE_OK);
	assert_false(order.is_approximate);
	assert_int_equal(expensive, 0);
}

/* An article on which voting has closed, or not. */
struct placed {
	uint64_t id;
	int64_t posted, points;
};

static int
compare_placed(const void *a, const void *b)
{
	const struct placed *one = a, *other = b;

	if (one->points != other->points)
		return one->points > other->points ? -1 : 1;
	if (one->posted != other->posted)
		return one->posted > other->posted ? -1 : 1;
	return one->id > other->id ? -1 : 1;
}

/* Puts an article straight into the lists by time, score and points. */
static void
put_placed(struct pipeline *pipeline, const struct world *world,
    const struct placed *placed)
{
	struct arena *arena = pipeline->arena;
	const struct buckets *buckets = &world->store.buckets;
	uint64_t b = key_bucket_of(buckets, placed->id);
	struct text score = text_number(
	    arena, placed->points * (INT64_C(1) << 32) + placed->posted);
	struct text member = encode_post(arena, article_id(placed->id));

	ranked_site_place(
	    pipeline, world, placed->id, placed->posted, placed->points);
	pipeline_add(pipeline, TEXT("ZADD"),
	    key_in_bucket(arena, buckets, b, KEY_POINTS, TEXT("")), score,
	    member);
	pipeline_add(pipeline, TEXT("ZADD"),
	    key_in_bucket(
		arena, buckets, b, KEY_MONTH, key_month(arena, placed->posted)),
	    score, member);
}

/* Articles up to that moment are placed, by what is said of each bucket. */
static void
note_placed(
    struct pipeline *pipeline, const struct world *world, int64_t moment)
{
	struct arena *arena = pipeline->arena;

	for (uint64_t b = 0; b < world->store.buckets.count; b++)
		pipeline_add(pipeline, TEXT("HSET"),
		    key_versions(arena, &world->store.buckets, b), POINTS_FIELD,
		    text_format(arena, "%lld 1", (long long)moment));
}

/* The first places of a period are those of a model. */
static void
check_period(struct world *world, const char *word, const struct placed *all,
    size_t count)
{
	struct list_query query = {
		.kind = LIST_FRONT, .order = ORDER_BEST, .cache = world->cache
	};
	struct arena arena = { 0 };
	struct versions versions;
	struct order order = { .count = 0 };
	size_t place = 0;

	assert_true(period_parse(text_of(word), NOON, &query.period));
	assert_int_equal(list_read_order(&world->store, &arena, &query,
			     LIST_RANKED_MAX, &order, &versions),
	    STORE_OK);
	assert_false(order.is_approximate);
	for (size_t i = 0; i < count && place < LIST_RANKED_MAX; i++) {
		if (all[i].posted < query.period.from ||
		    all[i].posted >= query.period.to)
			continue;
		assert_int_equal(order.entries[place].id, all[i].id);
		assert_int_equal(order.entries[place].score,
		    all[i].posted + 432 * all[i].points);
		place++;
	}
	assert_int_equal(order.count, place);
	arena_free(&arena);
}

/* However many there are: 18,000 of six weeks, 3,000 of them open. */
static void
orders_by_points_are_exact_where_points_are_final(void **state)
{
	enum { COUNT = 18000, STEP = 200 };
	static const char *const periods[] = { "month", "year", "all", "2023",
		"2023-10", "2023-11", "2022" };
	struct world *world = *state;
	struct arena *arena = &world->arena;
	struct pipeline pipeline = pipeline_begin(world->store.redis, arena);
	struct placed *all = arena_new(arena, struct placed, COUNT);
	unsigned seed = 5;

	world_stop_clock(world, NOON);
	for (size_t i = 0; i < COUNT; i++) {
		all[i] = (struct placed){ .id = i + 1,
			.posted = NOON - STEP * (int64_t)(COUNT - i),
			.points = rand_r(&seed) % 400 - 20 };
		put_placed(&pipeline, world, &all[i]);
	}
	note_placed(&pipeline, world, NOON - 7 * 86400);
	assert_true(redis_run(&pipeline));
	qsort(all, COUNT, sizeof(*all), compare_placed);
	for (size_t p = 0; p < sizeof(periods) / sizeof(periods[0]); p++)
		check_period(world, periods[p], all, COUNT);
}

/* Reading for what is hardly in a month ends at some time. */
static void
what_is_dropped_is_bounded(void **state)
{
	struct world *world = *state;
	struct list_query query = {
		.kind = LIST_FRONT, .order = ORDER_BEST, .cache = world->cache
	};
	struct pipeline pipeline =
	    pipeline_begin(world->store.redis, &world->arena);
	struct versions versions;
	struct order order = { .count = 0 };

	world_stop_clock(world, NOON);
	for (uint64_t id = 1; id <= BEST_MAX + 500; id++) {
		/* The month begins on 15 October. */
		const struct placed early = { id,
			NOON - 31 * 86400 - (int64_t)id, 9 };

		put_placed(&pipeline, world, &early);
	}
	note_placed(&pipeline, world, NOON);
	assert_true(redis_run(&pipeline));
	assert_true(period_parse(TEXT("month"), NOON, &query.period));
	assert_int_equal(list_read_order(&world->store, &world->arena, &query,
			     25, &order, &versions),
	    STORE_OK);
	assert_true(order.is_approximate);
	assert_int_equal(order.count, 0);
	assert_true(period_parse(TEXT("2023-10"), NOON, &query.period));
	assert_int_equal(list_read_order(&world->store, &world->arena, &query,
			     25, &order, &versions),
	    STORE_OK);
	assert_false(order.is_approximate);
	assert_int_equal(order.count, 25);
}

static void
count_change(struct world *world, const char *count)
{
	for (uint64_t b = 0; b < world->store.buckets.count; b++)
		world_command(world, TEXT("HINCRBY"),
		    key_versions(&world->arena, &world->store.buckets, b),
		    text_of(count), TEXT("1"));
}

static size_t
count_of(struct world *world, const char *word, enum list_order by)
{
	struct list_query query = {
		.kind = LIST_FRONT, .order = by, .cache = world->cache
	};
	struct versions versions;
	struct order order = { .count = 0 };

	if (!period_parse(text_of(word), NOON, &query.period))
		assert_true(period_parse_date(text_of(word), &query.period));
	assert_int_equal(list_read_order(&world->store, &world->arena, &query,
			     25, &order, &versions),
	    STORE_OK);
	return order.count;
}

/* The lists are emptied without counting a change, so what is still shown was not read again. */
static void
past_months_are_not_read_again_after_votes(void **state)
{
	struct world *world = *state;
	struct pipeline pipeline =
	    pipeline_begin(world->store.redis, &world->arena);
	/* One of October, and one that is open. */
	const struct placed early = { 1, NOON - 30 * 86400, 3 };

	world_stop_clock(world, NOON);
	put_placed(&pipeline, world, &early);
	note_placed(&pipeline, world, NOON - 7 * 86400);
	ranked_site_place(&pipeline, world, 2, NOON - 60, 1);
	assert_true(redis_run(&pipeline));
	for (int round = 0; round < 2; round++) {
		assert_int_equal(count_of(world, "2023-10", ORDER_BEST), 1);
		assert_int_equal(count_of(world, "2023-10-15", ORDER_BEST), 1);
		assert_int_equal(count_of(world, "2023-10-15", ORDER_NEW), 1);
		assert_int_equal(
		    count_of(world, "2023-11", ORDER_BEST), 1 - round);
		assert_int_equal(
		    count_of(world, "all", ORDER_BEST), 2 - 2 * round);
		world_command(world, TEXT("FLUSHALL"));
		count_change(world, "lists");
		count_change(world, "lists");
	}
	count_change(world, "edits");
	assert_int_equal(count_of(world, "2023-10", ORDER_BEST), 0);
	assert_int_equal(count_of(world, "2023-10-15", ORDER_NEW), 0);
}

static void
periods_have_words(void **state)
{
	static const char *const bad[] = { "", "Day", "hour", "202", "20261",
		"1969", "2026-", "2026-0", "2026-00", "2026-13", "2026-1",
		"2026-11-20", "2026-111", "+202", "all " };
	static const char *const bad_dates[] = { "", "2026", "2026-11",
		"2026-02-29", "2026-11-31", "2026-11-00", "2026-1-1",
		"2026-11-2", "2026-11-200", "1969-12-31", "2026/11/20" };
	struct period period;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(period_parse(text_of(bad[i]), NOON, &period));
	for (size_t i = 0; i < sizeof(bad_dates) / sizeof(bad_dates[0]); i++)
		assert_false(period_parse_date(text_of(bad_dates[i]), &period));
	assert_true(period_parse(TEXT("2024-12"), NOON, &period));
	assert_int_equal(period.from, 1733011200);
	assert_int_equal(period.to, 1735689600);
	assert_true(period_parse(TEXT("2024"), NOON, &period));
	assert_int_equal(period.to - period.from, 366 * 86400);
	assert_true(period_parse(TEXT("week"), NOON, &period));
	assert_int_equal(period.from, NOON / 60 * 60 - 7 * 86400);
	assert_true(period_parse_date(TEXT("2024-02-29"), &period));
	assert_int_equal(period.from, 1709164800);
	assert_int_equal(period.to - period.from, 86400);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(best_are_those_with_most_points),
		world_test(best_of_months_are_those_with_most_points),
		world_test(what_is_not_read_makes_the_order_approximate),
		world_test(orders_by_points_are_exact_where_points_are_final),
		world_test(what_is_dropped_is_bounded),
		world_test(past_months_are_not_read_again_after_votes),
		cmocka_unit_test(periods_have_words),
	};

	return world_run("best", tests);
}
