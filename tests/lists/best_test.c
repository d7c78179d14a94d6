/*
 * The best of periods, and days, against a plain model: all articles of the period, sorted in
 * memory. Members vote, take votes back and vote the other way; articles are removed and restored;
 * time passes.
 */
#include <stdlib.h>
#include <string.h>

#include "../support/world.h"
#include "lists/best.h"
#include "lists/list.h"
#include "lists/merge.h"
#include "store/keys.h"

enum { NOON = 1700000000, HOUR = 3600, ARTICLES = 700, VOTERS = 40 };

static const char *const group_names[] = { "aa", "bb", "cc" };

struct known {
	uint64_t id;
	int64_t posted, points;
	unsigned groups; /* bits */
	bool removed;
	signed char votes[VOTERS];
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

static enum list_order sorted_order;

static int
compare(const void *a, const void *b)
{
	const struct known *const *one = a, *const *other = b;

	if (sorted_order == ORDER_BEST && (*one)->points != (*other)->points)
		return (*one)->points > (*other)->points ? -1 : 1;
	if ((*one)->posted != (*other)->posted)
		return (*one)->posted > (*other)->posted ? -1 : 1;
	return (*one)->id > (*other)->id ? -1 : 1;
}

static size_t
expect(struct site *site, const struct list_query *query, unsigned groups,
    struct known **expected)
{
	size_t count = 0;

	for (size_t i = 0; i < site->count; i++) {
		struct known *known = &site->articles[i];
		unsigned common = known->groups & groups;

		if (known->removed || known->posted < query->period.from ||
		    known->posted >= query->period.to ||
		    (query->kind == LIST_GROUPS &&
			(query->match == MATCH_ALL ? common != groups
						   : common == 0)))
			continue;
		expected[count++] = known;
	}
	sorted_order = query->order;
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
	/* NOON is 2023-11-14T22:13:20Z. */
	static const char *const periods[] = { "day", "week", "month", "year",
		"all", "2023", "2023-11", "2023-12", "2022" };
	static const char *const days[] = { "2023-11-14", "2023-11-15",
		"2023-11-20" };
	struct text names[3];
	int64_t now = world_now(site->world);

	for (size_t p = 0; p < sizeof(periods) / sizeof(periods[0]); p++) {
		struct list_query query = { .kind = LIST_FRONT,
			.order = ORDER_BEST,
			.cache = site->world->cache };

		assert_true(
		    period_parse(text_of(periods[p]), now, &query.period));
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
	for (size_t d = 0; d < sizeof(days) / sizeof(days[0]); d++) {
		struct list_query query = { .kind = LIST_FRONT,
			.order = ORDER_BEST,
			.cache = site->world->cache };

		assert_true(period_parse_date(text_of(days[d]), &query.period));
		check_query(site, query, 0);
		query.order = ORDER_NEW;
		check_query(site, query, 0);
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
best_are_those_with_most_points(void **state)
{
	walk(*state, 432, 1);
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

	world_stop_clock(world, NOON);
	for (uint64_t id = 1; id <= BEST_MAX + 500; id++)
		place(&pipeline, world, id, NOON - 60 * (int64_t)id, 1);
	assert_true(redis_run(&pipeline));
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
		world_test(what_is_not_read_makes_the_order_approximate),
		cmocka_unit_test(periods_have_words),
	};

	return world_run("best", tests);
}
