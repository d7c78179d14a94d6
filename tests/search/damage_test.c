/* The index when its process is killed, its file is damaged, or the disk is full; and its log
 * while readers are at work. */
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../support/search_world.h"

/* Numbers that look like chance, the same in each run. */
static uint32_t
draw(uint32_t *state, size_t bound)
{
	*state = *state * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)(*state >> 8) * bound >> 24);
}

static const char *
file_of(struct search_world *world, const char *name)
{
	return fixture_path(&world->arena, world->folder, name);
}

/* Puts articles from an id on, each committed with its id as the position, and writes each id
 * once it is committed. Each third is edited, each fifth deleted in the next transaction. */
static void
write_on(struct search_world *world, uint64_t id, int pipe)
{
	for (;; id++) {
		struct text position = text_number(&world->arena, (int64_t)id);
		struct index_position positions[] = { { 0, position } };
		struct search_post post =
		    search_article(id, "redis", "some words of a text");
		struct search_post former =
		    search_article(id - 1, "redis edited", "");

		if (index_put(world->writer, &post) != INDEX_OK ||
		    (id % 3 == 0 &&
			index_put(world->writer, &former) != INDEX_OK) ||
		    (id % 5 == 0 &&
			index_delete(world->writer, former.id, 0) !=
			    INDEX_OK) ||
		    index_commit(world->writer, positions, 1) != INDEX_OK ||
		    write(pipe, &id, sizeof(id)) != sizeof(id))
			_exit(1);
		arena_reset(&world->arena);
	}
}

static pid_t
start_writer(struct search_world *world, uint64_t id, int *output)
{
	int ends[2];
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		if (index_open(world->path, INDEX_WRITE, SEARCH_SITE,
			&world->writer) != INDEX_OK)
			_exit(1);
		write_on(world, id, ends[1]);
	}
	close(ends[1]);
	*output = ends[0];
	return child;
}

/* Waits until so many were committed, kills it, and returns the last one that it named. */
static uint64_t
kill_after(pid_t child, int output, uint64_t count, int signal)
{
	uint64_t id = 0, last = 0;

	for (uint64_t i = 0; read(output, &id, sizeof(id)) == sizeof(id); i++) {
		last = id;
		if (i == count)
			kill(child, signal);
	}
	return last;
}

/* What is in it is as much as its position says. */
static uint64_t
check_whole(struct search_world *world, const char *path)
{
	struct search_world copy = { .path = path };
	struct index_position *positions;
	struct index_state index;
	uint64_t last = 0;
	size_t count;

	search_open_writer(&copy);
	search_open_reader(&copy);
	assert_int_equal(
	    index_positions(copy.writer, &world->arena, &positions, &count),
	    INDEX_OK);
	if (count > 0)
		assert_true(text_to_u64(positions[0].position, &last));
	assert_int_equal(index_state(copy.reader, &index), INDEX_OK);
	assert_int_equal(index.rows, last);
	if (last > 0) {
		struct find_hits hits =
		    search_find(&copy, "redis", QUERY_NEWEST, 0, 1);
		uint64_t there = last - last / 5;

		assert_int_equal(hits.ids[0].article, last);
		assert_int_equal(hits.count,
		    there < FIND_COUNT_MAX ? there : FIND_COUNT_MAX);
	}
	search_close(&copy);
	arena_free(&copy.arena);
	return last;
}

static void
a_killed_writer_loses_nothing(void **state)
{
	struct search_world *world = *state;
	uint32_t chance = 1;
	uint64_t last = 0;

	search_close(world);
	for (int round = 0; round < 12; round++) {
		int output, status;
		pid_t child = start_writer(world, last + 1, &output);
		uint64_t named =
		    kill_after(child, output, draw(&chance, 60), SIGKILL);

		close(output);
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFSIGNALED(status));
		last = check_whole(world, world->path);
		assert_true(named > 0 && last >= named);
	}
}

static void
copy_file(
    struct search_world *world, const char *from, const char *to, size_t size)
{
	struct text content = fixture_read_file(&world->arena, from);

	fixture_write_file(to, text_slice(content, 0, size));
}

/* What a power cut may leave: the file, and a piece of the log that was not on disk yet. */
static void
a_torn_log_gives_an_earlier_index(void **state)
{
	struct search_world *world = *state;
	const char *log = file_of(world, "index.db-wal");
	uint32_t chance = 2;
	struct stat file;

	for (uint64_t id = 1; id <= 60; id++) {
		struct index_position positions[] = { { 0,
		    text_number(&world->arena, (int64_t)id) } };

		search_put(world, search_article(id, "redis", ""));
		if (id % 5 == 0)
			assert_int_equal(
			    index_delete(world->writer,
				(struct post_id){ .article = id - 1 }, 0),
			    INDEX_OK);
		assert_int_equal(
		    index_commit(world->writer, positions, 1), INDEX_OK);
	}
	assert_int_equal(stat(log, &file), 0);
	for (int round = 0; round < 20; round++) {
		const char *copy = file_of(world, "copy");
		size_t size = draw(&chance, (size_t)file.st_size);

		copy_file(world, world->path, copy, SIZE_MAX);
		copy_file(world, log, file_of(world, "copy-wal"), size);
		unlink(file_of(world, "copy-shm"));
		check_whole(world, copy);
	}
}

/* Everything that can be done with an index, whatever comes of it. */
static void
use(const char *path)
{
	struct search_world copy = { .path = path };
	struct index_position *positions;
	struct search_post post = search_article(9, "redis", "words");
	struct index_state index;
	struct find_hits hits;
	bool more;
	size_t count;

	if (index_open(path, INDEX_READ, SEARCH_SITE, &copy.reader) ==
	    INDEX_OK) {
		for (int order = 0; order < QUERY_ORDERS; order++)
			(void)!search_try(&copy,
			    "redis wor* -x group:databases",
			    (enum query_order)order, 50000, &hits);
		(void)!search_try(
		    &copy, "after:2023 -word", QUERY_NEWEST, 50000, &hits);
		(void)!index_state(copy.reader, &index);
		(void)!index_row(copy.reader, &copy.arena, 3, &post, &more);
	}
	if (index_open(path, INDEX_WRITE, SEARCH_SITE, &copy.writer) ==
	    INDEX_OK) {
		post = search_article(9, "redis", "words");
		(void)!index_positions(
		    copy.writer, &copy.arena, &positions, &count);
		(void)!index_put(copy.writer, &post);
		(void)!index_delete(
		    copy.writer, (struct post_id){ .article = 8 }, 0);
		(void)!index_commit(copy.writer, NULL, 0);
		(void)!index_tidy(copy.writer, &more);
	}
	search_close(&copy);
	arena_free(&copy.arena);
}

/* It may answer, rightly or not, or say that it cannot; it returns. */
static void
a_damaged_file_is_survived(void **state)
{
	struct search_world *world = *state;
	const char *copy = file_of(world, "copy");
	struct text content;
	uint32_t chance = 3;

	search_put_many(world, 1, 300, "redis words of some length");
	search_close(world);
	content = fixture_read_file(&world->arena, world->path);
	for (int round = 0; round < 150; round++) {
		struct text damaged = text_copy(&world->arena, content);
		char *bytes = (char *)damaged.data;
		int count = round % 3 == 0 ? 1 : round % 3 == 1 ? 20 : 300;

		for (int i = 0; i < count; i++)
			bytes[draw(&chance, damaged.size)] =
			    (char)draw(&chance, 256);
		if (round % 4 == 0)
			damaged.size = draw(&chance, damaged.size);
		unlink(file_of(world, "copy-wal"));
		unlink(file_of(world, "copy-shm"));
		fixture_write_file(copy, damaged);
		use(copy);
	}
}

/* Bytes beyond which no file can grow. */
static void
limit_files(rlim_t bytes)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void
a_full_disk_is_an_outcome(void **state)
{
	struct search_world *world = *state;
	struct index_position positions[] = { { 0, TEXT("2-0") } };
	struct search_post post = search_article(1000, "redis", "");
	enum index_result result = INDEX_OK;

	search_put_many(world, 1, 10, "redis");
	(void)signal(SIGXFSZ, SIG_IGN);
	limit_files(300000);
	for (uint64_t id = 11; id < 5000 && result == INDEX_OK; id++) {
		post = search_article(id, "redis more and more", "");
		post.text = text_number(&world->arena, (int64_t)id);
		result = index_put(world->writer, &post);
		if (result == INDEX_OK)
			result = index_commit(world->writer, NULL, 0);
	}
	assert_int_equal(result, INDEX_FAILED);
	limit_files(RLIM_INFINITY);
	/* Nothing is written behind a gap. */
	assert_int_equal(
	    index_commit(world->writer, positions, 1), INDEX_FAILED);
	search_check(
	    world, "redis -more", QUERY_NEWEST, "10 9 8 7 6 5 4 3 2 1");
	search_close(world);
	search_open_writer(world);
	search_open_reader(world);
	search_put(world, search_article(6000, "postgres", ""));
	search_commit(world);
	search_check(world, "postgres", QUERY_NEWEST, "6000");
}

/* Searches until it is killed. */
static pid_t
start_reader(struct search_world *world)
{
	pid_t child = fork();
	struct find_hits hits;

	assert_true(child >= 0);
	if (child != 0)
		return child;
	world->reader = NULL;
	if (index_open(world->path, INDEX_READ, SEARCH_SITE, &world->reader) !=
	    INDEX_OK)
		_exit(1);
	while (search_try(world, "redis", QUERY_NEWEST, 0, &hits) == INDEX_OK)
		arena_reset(&world->arena);
	_exit(1);
}

/* With SQLite's own checkpoints it had 94 MB here. */
static void
the_log_is_bounded_while_readers_work(void **state)
{
	enum { COMMITS = 1500, BYTES_MAX = 64 << 20 };
	struct search_world *world = *state;
	struct arena arena = { 0 };
	const char *path = fixture_string(&arena, "%s", world->path);
	const char *log = fixture_string(&arena, "%s-wal", path);
	off_t largest = 0;
	pid_t readers[2];
	struct stat file;

	search_put_many(world, 1, 50, "redis");
	search_close(world);
	world->path = path;
	for (int i = 0; i < 2; i++)
		readers[i] = start_reader(world);
	search_open_writer(world);
	for (uint64_t id = 51; id < 51 + COMMITS; id++) {
		char text[9000];

		for (size_t i = 0; i < sizeof(text); i++)
			text[i] = i % 6 ? (char)('a' + (id + i * i) % 26) : ' ';
		text[sizeof(text) - 1] = '\0';
		search_put(world, search_article(id, "redis", text));
		search_commit(world);
		assert_int_equal(stat(log, &file), 0);
		if (file.st_size > largest)
			largest = file.st_size;
	}
	for (int i = 0; i < 2; i++) {
		int status;

		assert_int_equal(waitpid(readers[i], &status, WNOHANG), 0);
		kill(readers[i], SIGKILL);
		assert_int_equal(waitpid(readers[i], &status, 0), readers[i]);
	}
	assert_true(largest < BYTES_MAX);
	world->path = fixture_string(&world->arena, "%s", path);
	arena_free(&arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		search_test(a_killed_writer_loses_nothing),
		search_test(a_torn_log_gives_an_earlier_index),
		search_test(a_damaged_file_is_survived),
		search_test(a_full_disk_is_an_outcome),
		search_test(the_log_is_bounded_while_readers_work),
	};

	return cmocka_run_group_tests_name("damage", tests, NULL, NULL);
}
