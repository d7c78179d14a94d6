/* Searches that are bounded: counts, pages, ranking and time. */
#include "search/find.h"

#include "../support/search_world.h"

static void
check_page(struct search_world *world, const char *typed, size_t offset,
    size_t limit, const char *expected)
{
	struct find_hits hits =
	    search_find(world, typed, QUERY_NEWEST, offset, limit);

	assert_text(search_show(world, &hits), expected);
}

static void
check_count(struct search_world *world, const char *typed, size_t count,
    enum find_outcome outcome)
{
	for (int order = 0; order < QUERY_ORDERS; order++) {
		struct find_hits hits =
		    search_find(world, typed, (enum query_order)order, 0, 30);

		assert_int_equal(hits.count, count);
		assert_int_equal(hits.outcome, outcome);
		assert_int_equal(hits.size, 30);
	}
}

static void
counts_are_exact_to_a_thousand(void **state)
{
	struct search_world *world = *state;

	search_put_many(world, 1, 999, "redis");
	check_count(world, "redis", 999, FIND_EXACT);
	search_put_many(world, 1000, 1000, "redis");
	check_count(world, "redis", 1000, FIND_EXACT);
	search_put_many(world, 1001, 1001, "redis");
	check_count(world, "redis", 1000, FIND_MORE);
	check_count(world, "redis -nothing", 1000, FIND_MORE);
	check_count(world, "@ann", 1000, FIND_MORE);
	check_count(world, "redis after:2023-11-14", 1000, FIND_MORE);
}

static void
pages_follow_each_other(void **state)
{
	struct search_world *world = *state;

	search_put_many(world, 1, 700, "redis");
	check_page(world, "redis", 0, 3, "700 699 698");
	check_page(world, "redis", 3, 2, "697 696");
	check_page(world, "redis", 500, 2, "200 199");
	/* The bounds. */
	check_page(world, "redis", 600, 2, "200 199");
	check_page(world, "redis", SIZE_MAX, SIZE_MAX,
	    "200 199 198 197 196 195 194 193 192 191 190 189 188 187 186 185"
	    " 184 183 182 181 180 179 178 177 176 175 174 173 172 171 170 169"
	    " 168 167 166 165 164 163 162 161 160 159 158 157 156 155 154 153"
	    " 152 151");
	check_page(world, "redis", 0, 0, "");
	for (size_t offset = 0; offset < 500; offset += 25) {
		struct find_hits hits =
		    search_find(world, "redis", QUERY_RELEVANCE, offset, 25);

		assert_int_equal(hits.size, 25);
		assert_int_equal(hits.ids[24].article, 700 - offset - 24);
	}
}

static void
dates_are_ranges(void **state)
{
	enum { DAY = 86400 };
	struct search_world *world = *state;
	struct search_post post;

	/* From the 2nd of January 2024 on, two a day; one out of order. */
	for (uint64_t id = 1; id <= 20; id++) {
		post = search_article(id, "redis", "");
		post.posted = 1704153600 + (int64_t)(id - 1) / 2 * DAY;
		search_put(world, post);
	}
	post = search_article(21, "redis", "");
	post.posted = 0;
	search_put(world, post);
	search_commit(world);
	check_page(
	    world, "after:2024-01-05 before:2024-01-07", 0, 30, "10 9 8 7");
	check_page(world, "redis before:2024-01-03", 0, 30, "2 1");
	check_page(world, "redis before:2024-01-02", 0, 30, "");
	check_page(world, "after:2024-01-11 redis", 0, 30, "21 20 19");
	check_page(world, "after:2024-01-23", 0, 30, "");
	check_page(world, "after:2024-01-08 before:2024-01-05", 0, 30, "");
}

/* More hits than are walked: the oldest has the most points, the second its word in the title
 * and the others in the text. */
static void
ranking_reaches_what_is_not_new(void **state)
{
	enum { POSTS = 20100 };
	struct search_world *world = *state;
	struct search_post post;
	struct find_hits hits;

	for (uint64_t id = 1; id <= POSTS; id++) {
		post = search_article(id, "", "a word of redis");
		post.points = (int64_t)(id % 7);
		if (id <= 40)
			post.points = 5000 - (int64_t)id;
		if (id == 41)
			post.title = TEXT("Redis");
		search_put(world, post);
	}
	search_commit(world);
	hits = search_find(world, "redis", QUERY_POINTS, 0, 30);
	for (uint64_t i = 0; i < 30; i++)
		assert_int_equal(hits.ids[i].article, i + 1);
	hits = search_find(world, "redis", QUERY_POINTS, 30, 12);
	assert_text(search_show(world, &hits),
	    "31 32 33 34 35 36 37 38 39 40 20096 20089");
	hits = search_find(world, "redis", QUERY_RELEVANCE, 0, 30);
	assert_text(search_show(world, &hits),
	    "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24"
	    " 25 26 27 28 29 30");
	hits = search_find(
	    world, "title:redis OR postgres", QUERY_RELEVANCE, 0, 30);
	assert_text(search_show(world, &hits), "41");
	hits = search_find(world, "redis -nothing", QUERY_RELEVANCE, 40, 1);
	assert_text(search_show(world, &hits), "41");
}

static void
a_title_and_points_make_relevance(void **state)
{
	struct search_world *world = *state;
	struct search_post post;

	search_put(world, search_article(1, "Redis", ""));
	post = search_article(2, "Postgres", "redis");
	post.points = 3;
	search_put(world, post);
	post = search_article(3, "Postgres", "redis redis redis");
	search_put(world, post);
	search_commit(world);
	search_check(world, "redis", QUERY_RELEVANCE, "1 3 2");
	post = search_article(2, "Postgres", "redis");
	post.points = 100000;
	search_put(world, post);
	search_commit(world);
	search_check(world, "redis", QUERY_RELEVANCE, "2 1 3");
}

/* A reader keeps up with any number of changes of points, and with new posts between them. */
static void
points_are_those_of_now(void **state)
{
	enum { CHANGES = 20050 };
	struct search_world *world = *state;
	struct search_post post;

	search_put_many(world, 1, 3, "redis");
	search_check(world, "redis", QUERY_POINTS, "3 2 1");
	for (int i = 0; i < CHANGES; i++) {
		post = search_article(1, "redis", "");
		post.points = 4 + i % 2;
		search_put(world, post);
	}
	post = search_article(4, "redis", "");
	post.points = 2;
	search_put(world, post);
	search_commit(world);
	search_check(world, "redis", QUERY_POINTS, "1 4 3 2");
	post = search_article(2, "redis", "");
	post.points = 9;
	search_put(world, post);
	search_commit(world);
	search_check(world, "redis", QUERY_POINTS, "2 1 4 3");
	search_close(world);
	search_open_writer(world);
	search_open_reader(world);
	search_check(world, "redis", QUERY_POINTS, "2 1 4 3");
}

/* Without time there are the newest that were found, or none. */
static void
a_late_search_gives_the_newest(void **state)
{
	static const char *const typed[] = { "redis", "\"redis word\"", "re*",
		"red*", "word OR redis -postgres", "group:databases" };
	struct search_world *world = *state;
	struct find_hits hits;

	search_put_many(world, 1, 5000, "redis word");
	for (size_t i = 0; i < sizeof(typed) / sizeof(typed[0]); i++)
		for (int order = 0; order < QUERY_ORDERS; order++) {
			assert_int_equal(search_try(world, typed[i],
					     (enum query_order)order, 1, &hits),
			    INDEX_OK);
			if (hits.outcome == FIND_LATE)
				for (size_t k = 0; k < hits.size; k++)
					assert_int_equal(
					    hits.ids[k].article, 5000 - k);
		}
	assert_int_equal(
	    search_try(world, "redis", QUERY_POINTS, 1, &hits), INDEX_OK);
	assert_int_equal(hits.outcome, FIND_LATE);
	assert_true(hits.count < 1000);
	/* The bound is of one search. */
	hits = search_find(world, "redis", QUERY_POINTS, 0, 30);
	assert_int_equal(hits.outcome, FIND_MORE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		search_test(counts_are_exact_to_a_thousand),
		search_test(pages_follow_each_other),
		search_test(dates_are_ranges),
		search_test(ranking_reaches_what_is_not_new),
		search_test(a_title_and_points_make_relevance),
		search_test(points_are_those_of_now),
		search_test(a_late_search_gives_the_newest),
	};

	return cmocka_run_group_tests_name("find", tests, NULL, NULL);
}
