/* The index of posts: writing, searching, and what becomes of a damaged file. */
#include "search/index.h"

#include <sys/stat.h>
#include <unistd.h>

#include "../support/search_world.h"
#include "store/rules.h"

static void
check(struct search_world *world, const char *typed, const char *expected)
{
	search_check(world, typed, QUERY_NEWEST, expected);
}

static void
put_some(struct search_world *world)
{
	struct search_post post;

	search_put(world,
	    search_article(1, "Redis cluster in production", "It failed over"));
	post = search_article(2, "A new linker", "");
	post.host = TEXT("blog.example.com");
	post.groups = TEXT("linux tools");
	post.points = 40;
	search_put(world, post);
	post = search_article(3, "中文字典", "数据 redis");
	post.author = 18;
	post.points = 7;
	search_put(world, post);
	post =
	    search_article(2, "", "Redis is a linker of data, cluster: redis");
	post.id.comment = 5;
	post.posted = 1700000010;
	search_put(world, post);
	search_commit(world);
}

static void
posts_are_found(void **state)
{
	struct search_world *world = *state;

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
a_link_is_found_by_its_claim(void **state)
{
	struct search_world *world = *state;
	struct search_post post = search_article(1, "One", "");

	post.host = TEXT("example.org");
	post.link = rule_claim(&world->arena, 0, TEXT(""),
	    TEXT("https://example.org/a"), TEXT(""));
	search_put(world, post);
	search_put(world, search_article(2, "Two", "example.org/a"));
	search_commit(world);
	check(world, "http://www.example.org/a/", "1");
	check(world, "example.org/a", "2 1");
	check(world, "https://example.org/b", "");
}

static void
tags_are_no_words(void **state)
{
	struct search_world *world = *state;

	put_some(world);
	search_put(
	    world, search_article(9, "\1a:99 d:x.org", "\1k:link g:tools"));
	search_commit(world);
	check(world, "\"a:17\"", "");
	check(world, "databases", "");
	check(world, "is:link", "2");
	check(world, "group:tools -is:comment", "2");
}

static void
orders_differ(void **state)
{
	struct search_world *world = *state;

	put_some(world);
	search_check(world, "redis OR linker", QUERY_NEWEST, "2:5 3 2 1");
	search_check(world, "redis OR linker", QUERY_POINTS, "2 3 2:5 1");
	search_check(world, "redis cluster", QUERY_RELEVANCE, "1 2:5");
	/* Nothing to be relevant to. */
	search_check(world, "@ann", QUERY_RELEVANCE, "2:5 2 1");
}

static void
an_edit_replaces_words_and_keeps_the_place(void **state)
{
	struct search_world *world = *state;

	put_some(world);
	search_put(
	    world, search_article(1, "Postgres", "in one process, redis"));
	search_commit(world);
	check(world, "cluster", "2:5");
	check(world, "postgres", "1");
	check(world, "redis", "2:5 3 1");
}

static void
deleted_posts_are_not_found_and_keep_their_place(void **state)
{
	struct search_world *world = *state;

	put_some(world);
	for (int i = 0; i < 2; i++)
		assert_int_equal(index_delete(world->writer,
				     (struct post_id){ .article = 3 }, 0),
		    INDEX_OK);
	/* One that was held back. */
	assert_int_equal(index_delete(world->writer,
			     (struct post_id){ .article = 4 }, 1700000011),
	    INDEX_OK);
	search_put(world, search_article(5, "redis", ""));
	search_commit(world);
	check(world, "redis", "5 2:5 1");
	check(world, "is:article", "5 2 1");
	search_put(world, search_article(4, "redis", ""));
	search_put(world, search_article(3, "redis", ""));
	search_commit(world);
	check(world, "redis", "5 4 2:5 3 1");
}

static void
points_change_without_words(void **state)
{
	struct search_world *world = *state;
	struct search_post post = search_article(1, "Redis", "");

	put_some(world);
	search_check(world, "redis", QUERY_POINTS, "3 2:5 1");
	post.points = 1000000;
	search_put(world, post);
	search_commit(world);
	search_check(world, "redis", QUERY_POINTS, "1 3 2:5");
	post.points = -3;
	search_put(world, post);
	search_commit(world);
	search_check(world, "redis", QUERY_POINTS, "3 2:5 1");
	post.points = INT64_MAX;
	search_put(world, post);
	search_commit(world);
	search_check(world, "redis", QUERY_POINTS, "1 3 2:5");
}

static void
positions_are_committed_with_posts(void **state)
{
	struct search_world *world = *state;
	struct index_position *positions;
	const struct index_position first[] = { { 0, TEXT("5-0") },
		{ 63, TEXT("7-1") } };
	const struct index_position second[] = { { 0, TEXT("6-0") } };
	size_t count;

	search_put(world, search_article(1, "redis", ""));
	check(world, "redis", "");
	assert_int_equal(index_commit(world->writer, first, 2), INDEX_OK);
	check(world, "redis", "1");
	assert_int_equal(index_commit(world->writer, second, 1), INDEX_OK);
	search_put(world, search_article(2, "redis", ""));
	index_close(world->writer);
	search_open_writer(world);
	check(world, "redis", "1");
	assert_int_equal(
	    index_positions(world->writer, &world->arena, &positions, &count),
	    INDEX_OK);
	assert_int_equal(count, 2);
	assert_int_equal(positions[1].bucket, 63);
	assert_text(positions[0].position, "6-0");
	assert_text(positions[1].position, "7-1");
	search_put(world, search_article(3, "redis", ""));
	search_commit(world);
	check(world, "redis", "3 1");
}

static enum index_result
open_result(const char *path, struct text site)
{
	struct index *index;
	enum index_result result = index_open(path, INDEX_READ, site, &index);

	index_close(index);
	return result;
}

static void
another_file_is_not_read(void **state)
{
	struct search_world *world = *state;
	const char *path =
	    fixture_path(&world->arena, world->folder, "another");
	struct index *index;

	assert_int_equal(open_result(path, SEARCH_SITE), INDEX_ABSENT);
	assert_int_equal(open_result(world->path, TEXT("other")), INDEX_OTHER);
	fixture_write_file(path, TEXT(""));
	assert_int_equal(open_result(path, SEARCH_SITE), INDEX_BROKEN);
	fixture_write_file(path, TEXT("This is not a database at all."));
	assert_int_equal(open_result(path, SEARCH_SITE), INDEX_BROKEN);
	/* What was begun before is not in the way; what was not finished is no index. */
	assert_int_equal(
	    index_open(path, INDEX_CREATE, SEARCH_SITE, &index), INDEX_OK);
	index_close(index);
	assert_int_equal(open_result(path, SEARCH_SITE), INDEX_OTHER);
	search_create(path);
	assert_int_equal(open_result(path, SEARCH_SITE), INDEX_OK);
	assert_int_equal(open_result(world->folder, SEARCH_SITE), INDEX_FAILED);
}

static void
a_new_index_takes_the_place_of_another(void **state)
{
	struct search_world *world = *state;
	const char *path = fixture_path(&world->arena, world->folder, "new");
	struct search_world fresh = { .path = path };
	struct index_state before, after;

	put_some(world);
	assert_false(index_is_replaced(world->reader));
	assert_int_equal(
	    index_open(path, INDEX_CREATE, SEARCH_SITE, &fresh.writer),
	    INDEX_OK);
	search_put_many(&fresh, 21, 22, "redis");
	search_finish(fresh.writer);
	index_close(fresh.writer);
	/* The log of the old one has what its file has not. */
	assert_int_equal(index_state(world->writer, &before), INDEX_OK);
	assert_int_equal(index_replace(path, world->path), INDEX_OK);
	/* Until it is opened again, the old one answers. */
	assert_true(index_is_replaced(world->reader));
	check(world, "redis", "2:5 3 1");
	search_close(world);
	search_open_writer(world);
	search_open_reader(world);
	check(world, "redis", "22 21");
	search_put(world, search_article(23, "redis", ""));
	search_commit(world);
	check(world, "redis", "23 22 21");
	assert_int_equal(index_state(world->reader, &after), INDEX_OK);
	assert_int_equal(before.rows, 4);
	assert_int_equal(after.rows, 3);
	assert_true(after.bytes > 0);
	arena_free(&fresh.arena);
}

static void
a_reader_needs_no_writer(void **state)
{
	struct search_world *world = *state;

	put_some(world);
	search_close(world);
	search_open_reader(world);
	check(world, "redis", "2:5 3 1");
	search_open_writer(world);
	search_put(world, search_article(9, "redis", ""));
	search_commit(world);
	check(world, "redis", "9 2:5 3 1");
}

static void
rows_can_be_compared(void **state)
{
	struct search_world *world = *state;
	struct search_post post;
	bool found;

	put_some(world);
	assert_int_equal(
	    index_delete(world->writer, (struct post_id){ .article = 2 }, 0),
	    INDEX_OK);
	search_commit(world);
	assert_int_equal(
	    index_row(world->reader, &world->arena, 4, &post, &found),
	    INDEX_OK);
	assert_true(found);
	assert_int_equal(post.id.article, 2);
	assert_int_equal(post.id.comment, 5);
	assert_text(post.text, "Redis is a linker of data, cluster: redis");
	for (uint64_t row = 0; row <= 10; row++) {
		assert_int_equal(
		    index_row(world->reader, &world->arena, row, &post, &found),
		    INDEX_OK);
		assert_int_equal(found, row == 1 || row == 3 || row == 4);
	}
}

/* True if a file, or the log beside it, has a word. */
static bool
is_on_disk(struct search_world *world, const char *end, const char *word)
{
	const char *path =
	    fixture_string(&world->arena, "%s%s", world->path, end);

	return access(path, F_OK) == 0 &&
	    text_find(fixture_read_file(&world->arena, path), 0,
		text_of(word)) != SIZE_MAX;
}

/* A text of words that no other one has. */
static const char *
own_words(struct arena *arena, uint64_t id)
{
	struct text text = TEXT("");

	for (uint64_t i = 0; i < 100; i++)
		text = text_format(arena, "%.*s %llx", TEXT_ARGS(text),
		    (unsigned long long)(0x100000000 + id * 8191 +
			i * 104729 * 7919));
	return text_string(arena, text);
}

/* The whole is merged, and a process that says nothing for long is killed. */
static void
a_new_index_is_finished_in_steps(void **state)
{
	struct search_world *world = *state;
	const char *path = fixture_path(&world->arena, world->folder, "new");
	struct search_world fresh = { .path = path };
	struct arena texts = { 0 };

	assert_int_equal(
	    index_open(path, INDEX_CREATE, SEARCH_SITE, &fresh.writer),
	    INDEX_OK);
	for (uint64_t id = 1; id <= 2000; id++) {
		search_put(
		    &fresh, search_article(id, "redis", own_words(&texts, id)));
		if (id % 200 == 0)
			search_commit(&fresh);
		arena_reset(&texts);
	}
	arena_free(&texts);
	assert_in_range(search_finish(fresh.writer), 3, 1000);
	search_close(&fresh);
	search_open_reader(&fresh);
	assert_int_equal(
	    search_find(&fresh, "redis", QUERY_NEWEST, 0, 30).count,
	    FIND_COUNT_MAX);
	search_close(&fresh);
	arena_free(&fresh.arena);
}

/* Steps until it is tidy; returns how many. */
static int
tidy(struct search_world *world)
{
	bool more = true;
	int steps = 0;

	for (; more && steps < 1000; steps++)
		assert_int_equal(index_tidy(world->writer, &more), INDEX_OK);
	assert_false(more);
	return steps;
}

/* Merging writes everything anew. */
static void
an_index_is_merged_only_after_deletions(void **state)
{
	struct search_world *world = *state;
	struct search_post post = search_article(1, "redis", "");

	for (uint64_t id = 1; id < 20; id++)
		search_put_many(world, id, id, "redis");
	assert_int_equal(tidy(world), 1);
	/* Other tags are none. */
	post.points = 1000;
	search_put(world, post);
	search_commit(world);
	assert_int_equal(tidy(world), 1);
	search_close(world);
	search_open_writer(world);
	assert_int_equal(tidy(world), 1);
	search_put(world, search_article(1, "postgres", ""));
	search_commit(world);
	/* It is remembered. */
	search_close(world);
	search_open_writer(world);
	/* There is nothing left to merge if SQLite deletes at once. */
	assert_true(tidy(world) > 1 || sql_version() >= 3042000);
	/* Not again on this day. */
	search_put(world, search_article(1, "redis", ""));
	search_commit(world);
	assert_int_equal(tidy(world), 1);
	search_open_reader(world);
	assert_int_equal(
	    search_find(world, "redis", QUERY_NEWEST, 0, 1).count, 19);
}

static void
deleted_words_leave_the_disk(void **state)
{
	struct search_world *world = *state;

	search_put(world, search_article(1, "redis", "xylographer"));
	search_commit(world);
	search_put_many(world, 2, 40, "redis");
	assert_true(is_on_disk(world, "-wal", "xylographer"));
	assert_int_equal(
	    index_delete(world->writer, (struct post_id){ .article = 1 }, 0),
	    INDEX_OK);
	search_commit(world);
	(void)tidy(world);
	assert_false(is_on_disk(world, "", "xylographer"));
	assert_false(is_on_disk(world, "-wal", "xylographer"));
	assert_false(is_on_disk(world, "", "ylographer"));
	check(world, "redis xylographer", "");
	assert_int_equal(
	    search_find(world, "redis", QUERY_NEWEST, 0, 1).count, 39);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		search_test(posts_are_found),
		search_test(tags_are_no_words),
		search_test(a_link_is_found_by_its_claim),
		search_test(orders_differ),
		search_test(an_edit_replaces_words_and_keeps_the_place),
		search_test(deleted_posts_are_not_found_and_keep_their_place),
		search_test(points_change_without_words),
		search_test(positions_are_committed_with_posts),
		search_test(another_file_is_not_read),
		search_test(a_new_index_takes_the_place_of_another),
		search_test(a_new_index_is_finished_in_steps),
		search_test(a_reader_needs_no_writer),
		search_test(rows_can_be_compared),
		search_test(an_index_is_merged_only_after_deletions),
		search_test(deleted_words_leave_the_disk),
	};

	return cmocka_run_group_tests_name("index", tests, NULL, NULL);
}
