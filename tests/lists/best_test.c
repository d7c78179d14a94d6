/*
 * The best of periods, and days, against a plain model (support/ranked_site.h).
 */
#include "../support/ranked_site.h"
#include "lists/best.h"
#include "lists/merge.h"

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
	ranked_site_walk(*state, 432, 1, check);
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
	struct pipeline pipeline =
	    pipeline_begin(world->store.redis, &world->arena);
	struct versions versions;
	struct order order = { .count = 0 };

	world_stop_clock(world, RANKED_NOON);
	for (uint64_t id = 1; id <= BEST_MAX + 500; id++)
		ranked_site_place(
		    &pipeline, world, id, RANKED_NOON - 60 * (int64_t)id, 1);
	assert_true(redis_run(&pipeline));
	assert_int_equal(list_read_order(&world->store, &world->arena, &query,
			     25, &order, &versions),
	    STORE_OK);
	assert_true(order.is_approximate);
	query.expensive = &expensive;
	assert_true(period_parse(TEXT("week"), RANKED_NOON, &query.period));
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
		assert_false(
		    period_parse(text_of(bad[i]), RANKED_NOON, &period));
	for (size_t i = 0; i < sizeof(bad_dates) / sizeof(bad_dates[0]); i++)
		assert_false(period_parse_date(text_of(bad_dates[i]), &period));
	assert_true(period_parse(TEXT("2024-12"), RANKED_NOON, &period));
	assert_int_equal(period.from, 1733011200);
	assert_int_equal(period.to, 1735689600);
	assert_true(period_parse(TEXT("2024"), RANKED_NOON, &period));
	assert_int_equal(period.to - period.from, 366 * 86400);
	assert_true(period_parse(TEXT("week"), RANKED_NOON, &period));
	assert_int_equal(period.from, RANKED_NOON / 60 * 60 - 7 * 86400);
	assert_true(period_parse_date(TEXT("2024-02-29"), &period));
	assert_int_equal(period.from, 1709164800);
	assert_int_equal(period.to - period.from, 86400);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(best_are_those_with_most_points),
		world_test(what_is_not_read_makes_the_order_approximate),
		cmocka_unit_test(periods_have_words),
	};

	return world_run("best", tests);
}
