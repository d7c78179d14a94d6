/* Lists: orders, pages, combined groups, and where they end. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../support/invariants.h"
#include "lists/list.h"
#include "lists/merge.h"
#include "lists/time_lists.h"
#include "store/article.h"
#include "store/keys.h"

enum { ARTICLES = 130, GROUPS = 6, AUTHORS = 5 };

static const char *const group_names[GROUPS] = { "aa", "bb", "cc", "dd", "ee",
	"no-article" };

/* What the test knows of an article, without asking. */
struct known {
	uint64_t id, author;
	int64_t posted, score, interesting;
	unsigned groups; /* bits */
	bool removed;
};

struct model {
	struct known articles[ARTICLES];
	size_t count;
};

/* The order that is being sorted by. */
static enum list_order sorted_order;

static int
compare_known(const void *a, const void *b)
{
	const struct known *one = a, *other = b;
	bool by_time =
	    sorted_order == ORDER_NEW || sorted_order == ORDER_OLDEST;
	bool ascending =
	    sorted_order == ORDER_BOTTOM || sorted_order == ORDER_OLDEST;
	int64_t first = by_time ? one->posted : one->score;
	int64_t second = by_time ? other->posted : other->score;
	int higher = (first > second) - (first < second);

	/* Among equals the newer one is the higher. */
	if (higher == 0)
		higher = one->id > other->id ? 1 : -1;
	return ascending ? higher : -higher;
}

/* The names of the groups whose bits are set, with a space between. */
static const char *
group_names_of(struct arena *arena, unsigned bits)
{
	struct text names = TEXT("");

	for (unsigned g = 0; g < GROUPS; g++)
		if ((bits >> g & 1) != 0)
			names = text_format(arena, "%.*s%s%s", TEXT_ARGS(names),
			    names.size > 0 ? " " : "", group_names[g]);
	return text_string(arena, names);
}

static void
vote_on(struct world *world, struct known *known, unsigned *seed)
{
	int votes = rand_r(seed) % 5;

	for (int v = 0; v < votes; v++) {
		enum vote vote = rand_r(seed) % 3 == 0 ? VOTE_DOWN : VOTE_UP;

		world_vote(world, known->id, 100 + (uint64_t)v, vote);
		known->score += vote == VOTE_UP ? 432 : -432;
	}
}

/*
 * Articles of which many were posted in the same second, many have equal
 * scores, and some are removed; the groups have from nearly all of them to
 * none.
 */
static struct model *
populate(struct world *world, unsigned seed)
{
	struct model *model = arena_new(&world->arena, struct model, 1);
	uint64_t authors[AUTHORS];

	world_stop_clock(world, NOON);
	for (int i = 0; i < AUTHORS; i++)
		authors[i] = world_member(
		    world, fixture_string(&world->arena, "author%d", i));
	for (; model->count < ARTICLES; model->count++) {
		struct known *known = &model->articles[model->count];

		/* As far apart as a vote counts, or in the same second. */
		world_move_clock(world, rand_r(&seed) % 3 == 0 ? 432 : 0);
		for (unsigned g = 0; g + 1 < GROUPS; g++)
			if (rand_r(&seed) % (int)(g + 1) == 0)
				known->groups |= 1U << g;
		known->author = authors[rand_r(&seed) % AUTHORS];
		known->posted = world_now(world);
		known->score = known->posted + 432;
		known->id = world_post(world, known->author,
		    fixture_string(&world->arena, "%zu", model->count), "",
		    group_names_of(&world->arena, known->groups));
		vote_on(world, known, &seed);
		known->removed = rand_r(&seed) % 10 == 0;
		if (known->removed)
			world_remove(world, known->id);
	}
	return model;
}

static bool
belongs(
    const struct known *known, const struct list_query *query, unsigned groups)
{
	if (known->removed)
		return false;
	if (query->kind == LIST_AUTHOR)
		return known->author == query->author;
	if (query->kind == LIST_FRONT)
		return true;
	if (query->match == MATCH_ALL)
		return (known->groups & groups) == groups;
	return (known->groups & groups) != 0;
}

/* All pages of a list, one after the other, against the sorted model. */
static void
check_pages(struct world *world, const struct model *model,
    struct list_query query, unsigned groups)
{
	struct known expected[ARTICLES];
	size_t count = 0, seen = 0;
	bool more = true;

	query.cache = world->cache;
	for (size_t i = 0; i < model->count; i++)
		if (belongs(&model->articles[i], &query, groups))
			expected[count++] = model->articles[i];
	sorted_order = query.order;
	qsort(expected, count, sizeof(*expected), compare_known);
	for (query.page = 1; more; query.page++) {
		struct list list;

		assert_int_equal(
		    list_read(&world->store, &world->arena, &query, &list),
		    STORE_OK);
		assert_true(seen + list.count <= count);
		for (size_t i = 0; i < list.count; i++, seen++) {
			assert_int_equal(list.articles[i].post.id.article,
			    expected[seen].id);
			assert_int_equal(
			    list.articles[i].score, expected[seen].score);
		}
		more = list.more;
		assert_int_equal(more, seen < count);
		assert_false(list.cut_off);
		assert_false(list.search_ended);
	}
	assert_int_equal(seen, count);
}

static void
check_orders(struct world *world, const struct model *model,
    struct list_query query, unsigned groups)
{
	for (enum list_order order = ORDER_TOP; order <= ORDER_OLDEST;
	    order++) {
		query.order = order;
		check_pages(world, model, query, groups);
	}
}

static void
all_articles_in_four_orders(void **state)
{
	struct world *world = *state;
	struct model *model = populate(world, 1);
	struct list_query query = { .kind = LIST_FRONT };
	const int64_t sizes[] = { 1, 7, 25, ARTICLES, 600 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		world->store.rules.page_size = sizes[i];
		check_orders(world, model, query, 0);
	}
}

static void
articles_of_each_member_in_four_orders(void **state)
{
	struct world *world = *state;
	struct model *model = populate(world, 2);
	struct list_query query = { .kind = LIST_AUTHOR };

	world->store.rules.page_size = 4;
	for (query.author = 1; query.author <= AUTHORS + 1; query.author++)
		check_orders(world, model, query, 0);
}

/* Every combination of one to five groups, any and all. */
static void
groups_any_and_all_in_four_orders(void **state)
{
	struct world *world = *state;
	struct model *model = populate(world, 3);

	world->store.rules.page_size = 30;
	for (unsigned bits = 1; bits < 1U << GROUPS; bits++) {
		struct text names[GROUPS];
		struct list_query query = { .kind = LIST_GROUPS,
			.groups = names };

		for (unsigned g = 0; g < GROUPS; g++)
			if ((bits >> g & 1) != 0)
				names[query.group_count++] =
				    text_of(group_names[g]);
		if (query.group_count > RULE_COMBINED_MAX)
			continue;
		query.match = MATCH_ANY;
		check_orders(world, model, query, bits);
		query.match = MATCH_ALL;
		check_orders(world, model, query, bits);
	}
}

static void
newest_interesting_come_first(void **state)
{
	struct world *world = *state;
	struct list_query query = {
		.kind = LIST_INTERESTING, .page = 1, .cache = world->cache
	};
	uint64_t author, ids[RULE_INTERESTING_MAX + 5];
	size_t count = sizeof(ids) / sizeof(ids[0]);
	struct list list;

	world_stop_clock(world, NOON);
	author = world_member(world, "ann");
	world->store.rules.interesting = 2;
	for (size_t i = 0; i < count; i++)
		ids[i] = world_post(world, author,
		    fixture_string(&world->arena, "%zu", i), "", "");
	/* They become interesting in the order of posting, two a second. */
	for (size_t i = 0; i < count; i++) {
		world_move_clock(world, i % 2 == 0 ? 1 : 0);
		world_vote(world, ids[i], 100, VOTE_UP);
	}
	assert_int_equal(
	    list_read(&world->store, &world->arena, &query, &list), STORE_OK);
	assert_int_equal(list.count, RULE_INTERESTING_MAX);
	assert_false(list.more);
	for (size_t i = 0; i < list.count; i++)
		assert_int_equal(
		    list.articles[i].post.id.article, ids[count - 1 - i]);
}

static void
list_has_the_viewers_votes(void **state)
{
	struct world *world = *state;
	struct list_query query = {
		.kind = LIST_FRONT, .page = 1, .cache = world->cache
	};
	uint64_t author = world_member(world, "ann"), id;
	const enum vote votes[] = { VOTE_UP, VOTE_DOWN, VOTE_NONE };
	struct list list;

	for (size_t i = 0; i < 3; i++) {
		id = world_post(world, author,
		    fixture_string(&world->arena, "%zu", i), "", "");
		world_vote(world, id, 50, votes[i]);
	}
	query.order = ORDER_OLDEST;
	for (query.viewer = 50; query.viewer <= 51; query.viewer++) {
		assert_int_equal(
		    list_read(&world->store, &world->arena, &query, &list),
		    STORE_OK);
		assert_int_equal(list.count, 3);
		for (size_t i = 0; i < 3; i++)
			assert_int_equal(list.articles[i].post.vote,
			    query.viewer == 50 ? votes[i] : VOTE_NONE);
	}
}

static void
page_past_the_end_is_empty(void **state)
{
	struct world *world = *state;
	const struct text names[] = { TEXT_INIT("aa"), TEXT_INIT("bb") };
	struct list_query query = { .groups = names, .cache = world->cache };
	const uint64_t pages[] = { 5, 400, 401, UINT64_MAX / 25,
		UINT64_MAX / 25 + 2, UINT64_MAX - 1, UINT64_MAX };
	uint64_t ann = world_member(world, "ann");
	struct list list;

	/* Enough that a page number that overflows would find some. */
	for (int i = 0; i < 100; i++)
		world_post(world, ann, fixture_string(&world->arena, "%d", i),
		    "", "aa bb");
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]) * 4; i++) {
		query.kind = i % 2 == 0 ? LIST_FRONT : LIST_GROUPS;
		query.order = i % 4 < 2 ? ORDER_TOP : ORDER_OLDEST;
		query.group_count = 1;
		query.page = pages[i / 4];
		assert_int_equal(
		    list_read(&world->store, &world->arena, &query, &list),
		    STORE_OK);
		assert_int_equal(list.count, 0);
		assert_false(list.more);
		assert_int_equal(list.cut_off,
		    world->store.buckets.count > 1 && query.page > 400);
		assert_in_range(list.now, NOON, INT64_MAX);
	}
}

static void
merged_lists_end_at_page_400(void **state)
{
	struct world *world = *state;
	const struct text names[] = { TEXT_INIT("aa"), TEXT_INIT("bb") };
	struct list_query query = { .kind = LIST_GROUPS,
		.groups = names,
		.group_count = 2,
		.cache = world->cache };
	struct list list;

	for (query.match = MATCH_ANY; query.match <= MATCH_ALL; query.match++) {
		query.page = LIST_MERGED_PAGES;
		assert_int_equal(
		    list_read(&world->store, &world->arena, &query, &list),
		    STORE_OK);
		assert_false(list.cut_off);
		query.page = LIST_MERGED_PAGES + 1;
		assert_int_equal(
		    list_read(&world->store, &world->arena, &query, &list),
		    STORE_OK);
		assert_true(list.cut_off);
	}
	query.group_count = 1;
	assert_int_equal(
	    list_read(&world->store, &world->arena, &query, &list), STORE_OK);
	assert_int_equal(list.cut_off, world->store.buckets.count > 1);
}

/* Puts ids straight into a group's list: the higher the id, the lower the
 * score. */
static void
fill_group(struct world *world, struct text group, uint64_t from, uint64_t to)
{
	struct pipeline pipeline =
	    pipeline_begin(world->store.redis, &world->arena);
	const struct buckets *buckets = &world->store.buckets;

	for (uint64_t id = from; id < to; id++)
		pipeline_add(&pipeline, TEXT("ZADD"),
		    key_score(&world->arena, buckets,
			key_bucket_of(buckets, id), group),
		    text_number(&world->arena, NOON - (int64_t)id),
		    encode_post(&world->arena, article_id(id)));
	assert_true(redis_run(&pipeline));
}

/* Posts an article in both groups, with the score that fill_group gives the id
 * place. */
static uint64_t
place_common(struct world *world, uint64_t author, uint64_t place)
{
	uint64_t id;

	world_stop_clock(world, NOON - (int64_t)place - 432);
	id = world_post(world, author,
	    fixture_string(&world->arena, "%" PRIu64, place), "", "aa bb");
	world_stop_clock(world, NOON);
	return id;
}

/*
 * Two large groups with three articles in common: two of them within what 20
 * steps reach, and one past it.
 */
static void
search_of_all_ends_after_twenty_steps(void **state)
{
	struct world *world = *state;
	const struct text names[] = { TEXT_INIT("aa"), TEXT_INIT("bb") };
	struct list_query query = { .kind = LIST_GROUPS,
		.match = MATCH_ALL,
		.groups = names,
		.group_count = 2,
		.page = 1 };
	uint64_t reach =
	    world->store.buckets.count * (uint64_t)MERGE_STEP * MERGE_MAX_STEPS;
	uint64_t ann = world_member(world, "ann"), first, second, last;
	struct list list;

	fill_group(world, names[0], 1000, 1000 + reach + 2000);
	fill_group(
	    world, names[1], 1000 + reach + 2000, 1000 + 2 * reach + 4100);
	second = place_common(world, ann, 1000 + reach / 2);
	last = place_common(world, ann, 1000 + reach + 1000);
	first = place_common(world, ann, 900);
	assert_int_equal(
	    list_read(&world->store, &world->arena, &query, &list), STORE_OK);
	assert_true(list.search_ended);
	assert_false(list.more);
	assert_int_equal(list.articles[0].post.id.article, first);
	/*
	 * Several buckets share the steps: making sure that nothing comes
	 * before the first article takes all the steps of the others.
	 */
	assert_int_equal(list.count, world->store.buckets.count == 1 ? 2 : 1);
	if (list.count == 2)
		assert_int_equal(list.articles[1].post.id.article, second);

	query.order = ORDER_BOTTOM;
	assert_int_equal(
	    list_read(&world->store, &world->arena, &query, &list), STORE_OK);
	assert_true(list.search_ended);
	assert_int_equal(list.articles[0].post.id.article, last);
}

static void
orders_and_matches_have_words(void **state)
{
	enum list_order order;
	enum list_match match;

	(void)state;
	for (enum list_order i = ORDER_TOP; i < LIST_ORDERS; i++) {
		assert_true(
		    list_order_parse(LIST_FRONT, list_order_words[i], &order));
		assert_int_equal(order, i);
		assert_int_equal(
		    list_order_parse(LIST_AUTHOR, list_order_words[i], &order),
		    i <= ORDER_OLDEST);
	}
	assert_false(list_order_parse(LIST_FRONT, TEXT("Top"), &order));
	assert_false(list_order_parse(LIST_FRONT, TEXT(""), &order));
	assert_true(list_match_parse(TEXT("any"), &match));
	assert_int_equal(match, MATCH_ANY);
	assert_true(list_match_parse(TEXT("all"), &match));
	assert_int_equal(match, MATCH_ALL);
	assert_false(list_match_parse(TEXT("some"), &match));
}

/* Puts so many articles straight into an author's list, as many into each bucket. */
static void
place_many(struct world *world, uint64_t author, uint64_t count)
{
	const struct buckets *buckets = &world->store.buckets;
	struct text list = key_list_of_author(&world->arena, author);
	struct pipeline pipeline =
	    pipeline_begin(world->store.redis, &world->arena);

	for (uint64_t id = 1; id <= count; id++)
		pipeline_add(&pipeline, TEXT("ZADD"),
		    key_time(&world->arena, buckets, key_bucket_of(buckets, id),
			list),
		    text_number(&world->arena, (int64_t)id),
		    encode_post(&world->arena, article_id(id)));
	assert_true(redis_run(&pipeline));
}

/* Not those of most authors, nor of a single bucket, which has no more than are read. */
static void
sorting_many_articles_of_an_author_is_expensive(void **state)
{
	enum { AUTHOR = 1 };
	struct world *world = *state;
	size_t expensive = MERGE_EXPENSIVE_MAX;
	struct list_query query = { .kind = LIST_AUTHOR,
		.order = ORDER_TOP,
		.author = AUTHOR,
		.expensive = &expensive };
	struct versions versions;
	struct order order;

	place_many(world, AUTHOR, TIME_LIST_MAX);
	assert_int_equal(list_read_order(&world->store, &world->arena, &query,
			     25, &order, &versions),
	    STORE_OK);
	place_many(world, AUTHOR, TIME_LIST_MAX + 1);
	assert_int_equal(list_read_order(&world->store, &world->arena, &query,
			     25, &order, &versions),
	    world->store.buckets.count > 1 ? STORE_LIMITED : STORE_OK);
	assert_int_equal(expensive, MERGE_EXPENSIVE_MAX);
	expensive = 0;
	assert_int_equal(list_read_order(&world->store, &world->arena, &query,
			     25, &order, &versions),
	    STORE_OK);
	assert_int_equal(expensive, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(all_articles_in_four_orders),
		world_test(articles_of_each_member_in_four_orders),
		world_test(groups_any_and_all_in_four_orders),
		world_test(newest_interesting_come_first),
		world_test(list_has_the_viewers_votes),
		world_test(page_past_the_end_is_empty),
		world_test(merged_lists_end_at_page_400),
		world_test(search_of_all_ends_after_twenty_steps),
		world_test(orders_and_matches_have_words),
		world_test(sorting_many_articles_of_an_author_is_expensive),
	};

	return world_run("lists", tests);
}
