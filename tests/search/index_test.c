/* The index of posts: writing, searching, and what becomes of a damaged file. */
#include "search/index.h"

#include <unistd.h>

#include "../support/fixture.h"
#include "search/find.h"

/* A folder with an index of posts, and an arena. */
struct world {
	struct arena arena;
	char folder[FIXTURE_FOLDER];
	const char *path;
	struct index *writer, *reader;
};

#define SITE TEXT("site")

static void
open_writer(struct world *world)
{
	assert_int_equal(
	    index_open(world->path, INDEX_WRITE, SITE, &world->writer),
	    INDEX_OK);
}

static void
open_reader(struct world *world)
{
	assert_int_equal(
	    index_open(world->path, INDEX_READ, SITE, &world->reader),
	    INDEX_OK);
}

static void
create(struct world *world)
{
	assert_int_equal(
	    index_open(world->path, INDEX_CREATE, SITE, &world->writer),
	    INDEX_OK);
}

static void
finish(struct world *world)
{
	assert_int_equal(index_finish(world->writer), INDEX_OK);
	index_close(world->writer);
	world->writer = NULL;
}

static int
set_up(void **state)
{
	struct world *world = test_calloc(1, sizeof(*world));

	fixture_make_folder(world->folder);
	world->path = fixture_path(&world->arena, world->folder, "index.db");
	create(world);
	finish(world);
	open_writer(world);
	open_reader(world);
	*state = world;
	return 0;
}

static int
tear_down(void **state)
{
	struct world *world = *state;

	index_close(world->reader);
	index_close(world->writer);
	fixture_remove_folder(world->folder);
	arena_free(&world->arena);
	test_free(world);
	return 0;
}

#define world_test(function) \
	cmocka_unit_test_setup_teardown(function, set_up, tear_down)

/* An article of author 17 in the group "databases", posted in its second. */
static struct search_post
article(uint64_t id, const char *title, const char *text)
{
	return (struct search_post){ .id.article = id,
		.posted = 1700000000 + (int64_t)id,
		.points = 1,
		.author = 17,
		.title = text_of(title),
		.text = text_of(text),
		.groups = TEXT("databases") };
}

static void
put(struct world *world, struct search_post post)
{
	assert_int_equal(index_put(world->writer, &post), INDEX_OK);
}

static void
commit(struct world *world)
{
	assert_int_equal(index_commit(world->writer, NULL, 0), INDEX_OK);
}

static struct find_hits
search_page(struct world *world, const char *typed, enum query_order order,
    size_t offset, size_t limit, int64_t microseconds)
{
	struct query_name items[] = { { TEXT("u:ann"), TEXT("17") } };
	const struct query_names names = { items, 1 };
	struct find_request request = { .names = &names,
		.order = order,
		.offset = offset,
		.limit = limit,
		.microseconds = microseconds };
	struct find_hits hits;
	struct query query;

	query_parse(&world->arena, text_of(typed), &query);
	request.query = &query;
	assert_int_equal(
	    find_posts(world->reader, &world->arena, &request, &hits),
	    INDEX_OK);
	return hits;
}

/* The ids of the first hits: "3 1 2:7". */
static struct text
show(struct world *world, const struct find_hits *hits)
{
	struct text shown = TEXT("");

	for (size_t i = 0; i < hits->size; i++)
		shown = text_format(&world->arena,
		    hits->ids[i].comment > 0 ? "%.*s%s%llu:%llu" : "%.*s%s%llu",
		    TEXT_ARGS(shown), i > 0 ? " " : "",
		    (unsigned long long)hits->ids[i].article,
		    (unsigned long long)hits->ids[i].comment);
	return shown;
}

static void
check_order(struct world *world, const char *typed, enum query_order order,
    const char *expected)
{
	struct find_hits hits = search_page(world, typed, order, 0, 30, 0);

	assert_text(show(world, &hits), expected);
	assert_int_equal(hits.outcome, FIND_EXACT);
	assert_int_equal(hits.count, hits.size);
}

static void
check(struct world *world, const char *typed, const char *expected)
{
	check_order(world, typed, QUERY_NEWEST, expected);
}

static void
put_some(struct world *world)
{
	struct search_post post;

	put(world, article(1, "Redis cluster in production", "It failed over"));
	post = article(2, "A new linker", "");
	post.host = TEXT("blog.example.com");
	post.groups = TEXT("linux tools");
	post.points = 40;
	put(world, post);
	post = article(3, "中文字典", "数据 redis");
	post.author = 18;
	post.points = 7;
	put(world, post);
	post = article(2, "", "Redis is a linker of data, cluster: redis");
	post.id.comment = 5;
	post.posted = 1700000010;
	put(world, post);
	commit(world);
}

static void
posts_are_found(void **state)
{
	struct world *world = *state;

	put_some(world);
	check(world, "redis", "2:5 3 1");
	check(world, "REDIS cluster", "2:5 1");
	check(world, "\"redis cluster\"", "1");
	check(world, "redis -cluster", "3");
	check(world, "cluster OR linker", "2:5 2 1");
	check(world, "link*", "2:5 2");
	check(world, "title:linker", "2");
	check(world, "@ann", "2:5 2 1");
	check(world, "@nobody", "");
	check(world, "group:databases -is:comment", "3 1");
	check(world, "group:linux+databases is:article", "3 2 1");
	check(world, "domain:example.com", "2");
	check(world, "domain:com.example", "");
	check(world, "is:link", "2");
	check(world, "is:text", "3 1");
	check(world, "is:comment", "2:5");
	check(world, "字典", "3");
	check(world, "中", "3");
	check(world, "文典", "");
	check(world, "after:2023-11-14 before:2023-11-15", "2:5 3 2 1");
	check(world, "after:2023-11-15", "");
	check(world, "-redis", "");
	check(world, "", "");
	check(world, "nothing", "");
}

static void
tags_are_no_words(void **state)
{
	struct world *world = *state;

	put_some(world);
	put(world, article(9, "\1a:99 d:x.org", "\1k:link g:tools"));
	commit(world);
	check(world, "\"a:17\"", "");
	check(world, "databases", "");
	check(world, "is:link", "2");
	check(world, "group:tools -is:comment", "2");
}

static void
orders_differ(void **state)
{
	struct world *world = *state;

	put_some(world);
	check_order(world, "redis OR linker", QUERY_NEWEST, "2:5 3 2 1");
	check_order(world, "redis OR linker", QUERY_POINTS, "2 3 2:5 1");
	check_order(world, "redis cluster", QUERY_RELEVANCE, "1 2:5");
	/* Nothing to be relevant to. */
	check_order(world, "@ann", QUERY_RELEVANCE, "2:5 2 1");
}

static void
an_edit_replaces_words_and_keeps_the_place(void **state)
{
	struct world *world = *state;

	put_some(world);
	put(world, article(1, "Postgres", "in one process, redis"));
	commit(world);
	check(world, "cluster", "2:5");
	check(world, "postgres", "1");
	check(world, "redis", "2:5 3 1");
}

static void
deleted_posts_are_not_found_and_keep_their_place(void **state)
{
	struct world *world = *state;

	put_some(world);
	for (int i = 0; i < 2; i++)
		assert_int_equal(index_delete(world->writer,
				     (struct post_id){ .article = 3 }, 0),
		    INDEX_OK);
	/* One that was held back. */
	assert_int_equal(index_delete(world->writer,
			     (struct post_id){ .article = 4 }, 1700000011),
	    INDEX_OK);
	put(world, article(5, "redis", ""));
	commit(world);
	check(world, "redis", "5 2:5 1");
	check(world, "is:article", "5 2 1");
	put(world, article(4, "redis", ""));
	put(world, article(3, "redis", ""));
	commit(world);
	check(world, "redis", "5 4 2:5 3 1");
}

static void
points_change_without_words(void **state)
{
	struct world *world = *state;
	struct search_post post = article(1, "Redis", "");

	put_some(world);
	check_order(world, "redis", QUERY_POINTS, "3 2:5 1");
	post.points = 1000000;
	put(world, post);
	commit(world);
	check_order(world, "redis", QUERY_POINTS, "1 3 2:5");
	post.points = -3;
	put(world, post);
	commit(world);
	check_order(world, "redis", QUERY_POINTS, "3 2:5 1");
	post.points = INT64_MAX;
	put(world, post);
	commit(world);
	check_order(world, "redis", QUERY_POINTS, "1 3 2:5");
}

static void
positions_are_committed_with_posts(void **state)
{
	struct world *world = *state;
	struct index_position *positions;
	const struct index_position first[] = { { 0, TEXT("5-0") },
		{ 63, TEXT("7-1") } };
	const struct index_position second[] = { { 0, TEXT("6-0") } };
	size_t count;

	put(world, article(1, "redis", ""));
	check(world, "redis", "");
	assert_int_equal(index_commit(world->writer, first, 2), INDEX_OK);
	check(world, "redis", "1");
	assert_int_equal(index_commit(world->writer, second, 1), INDEX_OK);
	put(world, article(2, "redis", ""));
	index_close(world->writer);
	open_writer(world);
	check(world, "redis", "1");
	assert_int_equal(
	    index_positions(world->writer, &world->arena, &positions, &count),
	    INDEX_OK);
	assert_int_equal(count, 2);
	assert_int_equal(positions[1].bucket, 63);
	assert_text(positions[0].position, "6-0");
	assert_text(positions[1].position, "7-1");
	put(world, article(3, "redis", ""));
	commit(world);
	check(world, "redis", "3 1");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(posts_are_found),
		world_test(tags_are_no_words),
		world_test(orders_differ),
		world_test(an_edit_replaces_words_and_keeps_the_place),
		world_test(deleted_posts_are_not_found_and_keep_their_place),
		world_test(points_change_without_words),
		world_test(positions_are_committed_with_posts),
	};

	return cmocka_run_group_tests_name("index", tests, NULL, NULL);
}
