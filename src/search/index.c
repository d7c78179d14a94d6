#include "search/index.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/words.h"
#include "search/points.h"
#include "search/tags.h"
#include "store/encoding.h"

/* Raise it with every change of the tables, of tags or of how posts are written. */
#define LAYOUT "2"

/*
 * Texts are kept because FTS5 deletes an entry by being told what was written. A deleted post
 * keeps its row, with tags NULL. "posted" never falls from row to row, so that rows of a time
 * are found by halving.
 */
static const char tables[] =
    "CREATE TABLE about(name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
    "CREATE TABLE post(row INTEGER PRIMARY KEY, id INTEGER NOT NULL,"
    " posted INTEGER NOT NULL, tags TEXT, title TEXT, text TEXT);"
    "CREATE UNIQUE INDEX post_id ON post(id);"
    "CREATE TABLE feed(bucket INTEGER PRIMARY KEY, position TEXT NOT NULL);"
    "CREATE VIRTUAL TABLE words USING fts5(title, text, tags, content='',"
    " columnsize=0, tokenize='tally');"
    /* More of it in memory while it is built, so that less is merged. */
    "INSERT INTO words(words, rank) VALUES ('hashsize', 33554432)";

static const char finishing[] =
    "INSERT INTO words(words, rank) VALUES ('hashsize', 1048576);"
    "INSERT INTO about VALUES ('finished', 'yes');"
    /* The change of the mode brings to disk what was not waited for. */
    "PRAGMA synchronous=FULL; PRAGMA journal_mode=DELETE;"
    "PRAGMA journal_mode=WAL";

enum {
	ROWS_MAX = 1 << 28,
	LOG_PAGES_MAX = 4000, /* 16 MB */
	TIDY_PAGES = 64,
	FINISH_PAGES = 256,
	DAY = 24 * 60 * 60,
	TIDY_EACH_MS = DAY * 1000,
	SECURE_DELETE_SINCE = 3042000
};

struct index {
	struct sql *sql;
	char *path;
	ino_t inode;
	enum index_access access;

	/* Of a writer. */
	bool in_transaction;
	enum sql_result failure; /* what failed since it was opened */
	struct {
		bool is_needed; /* words were deleted; on disk as well */
		bool is_begun;
		bool was_deleted;  /* words, since it began */
		int64_t begins_at; /* at the earliest (clock_monotonic_ms) */
	} tidying;

	int64_t rows, last_posted;
	struct points points; /* of a reader */
};

enum index_result
index_result_of(enum sql_result result)
{
	switch (result) {
	case SQL_BROKEN:
		return INDEX_BROKEN;
	case SQL_FAILED:
		return INDEX_FAILED;
	default:
		return INDEX_OK;
	}
}

struct sql *
index_sql(struct index *index)
{
	return index->sql;
}

/* Opening. */

static enum sql_result
read_last_row(struct index *index)
{
	int64_t last[2] = { 0 };
	enum sql_result result = sql_read(index->sql,
	    sql_prepare(index->sql,
		"SELECT row, posted FROM post ORDER BY row DESC LIMIT 1"),
	    last, 2);

	if (last[0] < 0 || last[0] > ROWS_MAX)
		return SQL_BROKEN;
	index->rows = last[0];
	index->last_posted = last[1];
	return result == SQL_ROW ? SQL_DONE : result;
}

/* "1|1 15.0.0|0|SITE": the layout, how words are made, whether SQLite deletes for good, which
 * older versions cannot read, and the site. */
static struct text
describe(struct arena *arena, struct text site)
{
	struct text words = words_version(arena);

	return text_format(arena, LAYOUT "|%.*s|%d|%.*s", TEXT_ARGS(words),
	    sql_version() >= SECURE_DELETE_SINCE, TEXT_ARGS(site));
}

static enum sql_result
create(struct index *index, struct arena *arena, struct text site)
{
	struct sql_statement *statement;
	enum sql_result result = sql_run(index->sql, tables);

	if (result == SQL_DONE)
		result = sql_run(index->sql, points_tables);
	if (result == SQL_DONE && sql_version() >= SECURE_DELETE_SINCE)
		result = sql_run(index->sql,
		    "INSERT INTO words(words, rank)"
		    " VALUES ('secure-delete', 1)");
	if (result != SQL_DONE)
		return result;
	statement = sql_prepare(
	    index->sql, "INSERT INTO about VALUES ('made for', ?1)");
	sql_bind_text(statement, 1, describe(arena, site));
	return sql_write(index->sql, statement);
}

/* INDEX_OTHER if it was made otherwise or for another, or was not finished. */
static enum index_result
check_about(struct index *index, struct arena *arena, struct text site)
{
	struct sql_statement *statement = sql_prepare(index->sql,
	    "SELECT m.value FROM about m, about f WHERE m.name = 'made for'"
	    " AND f.name = 'finished'");
	enum sql_result result;
	bool is_same;

	if (statement == NULL)
		return index_result_of(sql_failure(index->sql));
	result = sql_step(statement);
	is_same = result == SQL_ROW &&
	    text_equal(sql_text(statement, 0), describe(arena, site));
	sql_reset(statement);
	if (result != SQL_ROW && result != SQL_DONE)
		return index_result_of(result);
	return is_same ? INDEX_OK : INDEX_OTHER;
}

static enum index_result
read_untidy(struct index *index)
{
	int64_t count = 0;
	enum sql_result result = sql_read(index->sql,
	    sql_prepare(
		index->sql, "SELECT count(*) FROM about WHERE name = 'untidy'"),
	    &count, 1);

	index->tidying.is_needed = count > 0;
	return index_result_of(result);
}

static enum index_result
prepare(struct index *index, struct arena *arena, struct text site)
{
	static const char *const settings[] = {
		[INDEX_READ] = "PRAGMA temp_store=MEMORY; PRAGMA mmap_size=0;"
			       "PRAGMA query_only=1; PRAGMA cache_size=-8192;"
			       "PRAGMA cell_size_check=1",
		[INDEX_WRITE] =
		    "PRAGMA temp_store=MEMORY; PRAGMA mmap_size=0;"
		    "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
		    "PRAGMA cache_size=-16384; PRAGMA secure_delete=1;"
		    "PRAGMA cell_size_check=1",
		[INDEX_CREATE] =
		    "PRAGMA temp_store=MEMORY; PRAGMA mmap_size=0;"
		    "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
		    "PRAGMA cache_size=-32768",
	};
	enum index_result result =
	    index_result_of(sql_run(index->sql, settings[index->access]));

	if (result == INDEX_OK && index->access == INDEX_CREATE)
		result = index_result_of(create(index, arena, site));
	else if (result == INDEX_OK)
		result = check_about(index, arena, site);
	if (result == INDEX_OK)
		result = index_result_of(read_last_row(index));
	if (result == INDEX_OK)
		result = read_untidy(index);
	/* Points are read now, and not by the first search. */
	if (result == INDEX_OK && index->access == INDEX_READ) {
		result = index_begin(index);
		index_end(index);
	}
	return result;
}

/* Deletes a file and those that SQLite keeps beside it. */
static bool
unlink_all(const char *path)
{
	static const char *const ends[] = { "", "-wal", "-shm", "-journal" };
	struct arena arena = { 0 };
	bool is_gone = true;

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		struct text name =
		    text_join(&arena, text_of(path), text_of(ends[i]));

		if (unlink(text_string(&arena, name)) < 0 && errno != ENOENT)
			is_gone = false;
	}
	arena_free(&arena);
	return is_gone;
}

static enum index_result
open_file(struct index *index)
{
	static const enum sql_access accesses[] = { [INDEX_READ] = SQL_READ,
		[INDEX_WRITE] = SQL_WRITE,
		[INDEX_CREATE] = SQL_CREATE };
	struct stat file;

	if (index->access == INDEX_CREATE && !unlink_all(index->path))
		return INDEX_FAILED;
	if (index->access != INDEX_CREATE && stat(index->path, &file) < 0)
		return errno == ENOENT ? INDEX_ABSENT : INDEX_FAILED;
	return index_result_of(
	    sql_open(index->path, accesses[index->access], &index->sql));
}

enum index_result
index_open(const char *path, enum index_access access, struct text site,
    struct index **opened)
{
	struct arena arena = { 0 };
	struct index *index = calloc(1, sizeof(*index));
	enum index_result result = INDEX_FAILED;
	struct stat file;

	*opened = NULL;
	if (index == NULL)
		return INDEX_FAILED;
	index->access = access;
	index->path = strdup(path);
	if (index->path != NULL)
		result = open_file(index);
	if (result == INDEX_OK)
		result = prepare(index, &arena, site);
	if (result == INDEX_OK && stat(path, &file) == 0)
		index->inode = file.st_ino;
	arena_free(&arena);
	if (result == INDEX_OK)
		*opened = index;
	else
		index_close(index);
	return result;
}

void
index_close(struct index *index)
{
	if (index == NULL)
		return;
	sql_close(index->sql);
	points_free(&index->points);
	free(index->path);
	free(index);
}

bool
index_is_replaced(const struct index *index)
{
	struct stat file;

	return stat(index->path, &file) < 0 || file.st_ino != index->inode;
}

enum index_result
index_replace(const char *from, const char *to)
{
	/* The file goes before its log: without a file a log is harmless, but one beside
	 * another file damages that. */
	if (!unlink_all(to) || rename(from, to) < 0)
		return INDEX_FAILED;
	return INDEX_OK;
}

/* Writing. */

static enum sql_result
begin_write(struct index *index)
{
	if (index->failure != SQL_DONE || index->in_transaction)
		return index->failure;
	index->in_transaction = true;
	return sql_run(index->sql, "BEGIN IMMEDIATE");
}

/* Nothing is written after a failure: a later commit would have positions without what comes
 * before them. */
static enum index_result
written(struct index *index, enum sql_result result)
{
	index->failure = result;
	if (result != SQL_DONE && index->in_transaction) {
		index->in_transaction = false;
		sql_roll_back(index->sql);
	}
	return index_result_of(result);
}

/* The row of a post, and whether it has words; row 0: it has none. */
static enum sql_result
find_row(struct index *index, struct post_id id, int64_t *row, bool *has_words)
{
	int64_t found[2] = { 0 };
	enum sql_result result = sql_read(index->sql,
	    sql_bind(index->sql,
		"SELECT row, tags IS NOT NULL FROM post WHERE id = ?1",
		SQL_NUMBERS((int64_t)post_id_to_number(id))),
	    found, 2);

	*row = found[0];
	*has_words = found[1] != 0;
	return result == SQL_ROW ? SQL_DONE : result;
}

/* Takes the next row for a post, as a deleted one. */
static enum sql_result
append_row(struct index *index, struct post_id id, int64_t posted, int64_t *row)
{
	if (index->rows >= ROWS_MAX)
		return SQL_FAILED;
	/* A moment in the future, from a clock that was ahead, would be that of all further
	 * rows. */
	if (posted > index->last_posted && posted < time(NULL) + DAY)
		index->last_posted = posted;
	*row = ++index->rows;
	return sql_write(index->sql,
	    sql_bind(index->sql,
		"INSERT INTO post(row, id, posted) VALUES (?1, ?2, ?3)",
		SQL_NUMBERS(
		    *row, (int64_t)post_id_to_number(id), index->last_posted)));
}

static enum sql_result
run_texts(struct index *index, const char *text, int64_t row,
    const struct search_post *post, struct text tags)
{
	struct sql_statement *statement =
	    sql_bind(index->sql, text, SQL_NUMBERS(row));

	sql_bind_text(statement, 2, tags_none(post->title));
	sql_bind_text(statement, 3, tags_none(post->text));
	sql_bind_text(statement, 4, tags);
	return sql_write(index->sql, statement);
}

/* Writes a post into a row without words. */
static enum sql_result
write_row(struct index *index, int64_t row, const struct search_post *post,
    struct text tags)
{
	enum sql_result result = run_texts(index,
	    "UPDATE post SET title = ?2, text = ?3, tags = ?4 WHERE row = ?1",
	    row, post, tags);

	if (result != SQL_DONE)
		return result;
	return run_texts(index,
	    "INSERT INTO words(rowid, title, text, tags)"
	    " VALUES (?1, ?2, ?3, ?4)",
	    row, post, tags);
}

static enum sql_result
delete_words(struct index *index, int64_t row)
{
	enum sql_result result = sql_write(index->sql,
	    sql_bind(index->sql,
		"INSERT INTO words(words, rowid, title, text, tags)"
		" SELECT 'delete', row, title, text, tags FROM post"
		" WHERE row = ?1 AND tags IS NOT NULL",
		SQL_NUMBERS(row)));

	if (result != SQL_DONE)
		return result;
	return sql_write(index->sql,
	    sql_bind(index->sql,
		"UPDATE post SET tags = NULL, title = NULL, text = NULL"
		" WHERE row = ?1",
		SQL_NUMBERS(row)));
}

/* Words were deleted, which a merge is to drop. */
static enum sql_result
note_deleted(struct index *index)
{
	index->tidying.was_deleted = true;
	if (index->tidying.is_needed)
		return SQL_DONE;
	index->tidying.is_needed = true;
	return sql_run(
	    index->sql, "INSERT OR IGNORE INTO about VALUES ('untidy', 'yes')");
}

enum difference { DIFFERENCE_NONE, DIFFERENCE_OF_TAGS, DIFFERENCE_OF_WORDS };

/* Compares what is written in a row with a post. */
static enum sql_result
compare_row(struct index *index, int64_t row, const struct search_post *post,
    struct text tags, enum difference *difference)
{
	struct sql_statement *statement = sql_bind(index->sql,
	    "SELECT tags, title, text FROM post WHERE row = ?1",
	    SQL_NUMBERS(row));
	enum sql_result result;

	*difference = DIFFERENCE_NONE;
	if (statement == NULL)
		return sql_failure(index->sql);
	result = sql_step(statement);
	if (result == SQL_ROW && !text_equal(sql_text(statement, 0), tags))
		*difference = DIFFERENCE_OF_TAGS;
	if (result == SQL_ROW &&
	    !(text_equal(sql_text(statement, 1), tags_none(post->title)) &&
		text_equal(sql_text(statement, 2), tags_none(post->text))))
		*difference = DIFFERENCE_OF_WORDS;
	sql_reset(statement);
	return result == SQL_ROW ? SQL_DONE : result;
}

/* Deletes the words of a row if they are to be written again. */
static enum sql_result
clear_row(struct index *index, int64_t row, enum difference difference)
{
	enum sql_result result = SQL_DONE;

	if (difference == DIFFERENCE_OF_WORDS)
		result = note_deleted(index);
	if (result == SQL_DONE && difference != DIFFERENCE_NONE)
		result = delete_words(index, row);
	return result;
}

static enum sql_result
put(struct index *index, const struct search_post *post, struct text tags)
{
	enum difference difference = DIFFERENCE_NONE;
	bool has_words;
	int64_t row;
	enum sql_result result = find_row(index, post->id, &row, &has_words);

	if (result == SQL_DONE && row == 0)
		result = append_row(index, post->id, post->posted, &row);
	if (result == SQL_DONE && has_words)
		result = compare_row(index, row, post, tags, &difference);
	if (result == SQL_DONE)
		result = clear_row(index, row, difference);
	if (result == SQL_DONE && (!has_words || difference != DIFFERENCE_NONE))
		result = write_row(index, row, post, tags);
	if (result == SQL_DONE)
		result = points_write(index->sql, row, post->points);
	return result;
}

enum index_result
index_put(struct index *index, const struct search_post *post)
{
	struct arena arena = { 0 };
	enum sql_result result = begin_write(index);

	if (result == SQL_DONE)
		result = put(index, post, tags_of(&arena, post));
	arena_free(&arena);
	return written(index, result);
}

enum index_result
index_delete(struct index *index, struct post_id id, int64_t posted)
{
	bool has_words = false;
	int64_t row = 0;
	enum sql_result result = begin_write(index);

	if (result == SQL_DONE)
		result = find_row(index, id, &row, &has_words);
	if (result == SQL_DONE && row == 0)
		result = append_row(index, id, posted, &row);
	if (result == SQL_DONE && has_words)
		result = clear_row(index, row, DIFFERENCE_OF_WORDS);
	return written(index, result);
}

static enum sql_result
write_positions(
    struct index *index, const struct index_position *positions, size_t count)
{
	enum sql_result result = SQL_DONE;

	for (size_t i = 0; i < count && result == SQL_DONE; i++) {
		struct sql_statement *statement = sql_bind(index->sql,
		    "INSERT OR REPLACE INTO feed VALUES (?1, ?2)",
		    SQL_NUMBERS((int64_t)positions[i].bucket));

		sql_bind_text(statement, 2, positions[i].position);
		result = sql_write(index->sql, statement);
	}
	return result;
}

/* SQLite's own checkpoint does not begin the log anew while one reader or another is at work:
 * it grew to 2 GB. */
static void
shorten_log(struct index *index)
{
	if (sql_log_pages(index->sql) > LOG_PAGES_MAX)
		(void)sql_shorten_log(index->sql);
}

enum index_result
index_commit(
    struct index *index, const struct index_position *positions, size_t count)
{
	enum sql_result result = begin_write(index);

	if (result == SQL_DONE)
		result = write_positions(index, positions, count);
	if (result == SQL_DONE)
		result = points_trim(index->sql);
	if (result == SQL_DONE)
		result = sql_run(index->sql, "COMMIT");
	if (result == SQL_DONE) {
		index->in_transaction = false;
		shorten_log(index);
	}
	return written(index, result);
}

enum index_result
index_positions(struct index *index, struct arena *arena,
    struct index_position **positions, size_t *count)
{
	struct sql_statement *statement = sql_prepare(
	    index->sql, "SELECT bucket, position FROM feed ORDER BY bucket");
	int64_t rows = 0;
	enum sql_result result = sql_read(index->sql,
	    sql_prepare(index->sql, "SELECT count(*) FROM feed"), &rows, 1);

	*count = 0;
	if (result != SQL_ROW || statement == NULL)
		return index_result_of(sql_failure(index->sql));
	*positions = arena_new(arena, struct index_position, (size_t)rows + 1);
	while (
	    *count < (size_t)rows && (result = sql_step(statement)) == SQL_ROW)
		(*positions)[(*count)++] =
		    (struct index_position){ (uint64_t)sql_number(statement, 0),
			    text_copy(arena, sql_text(statement, 1)) };
	sql_reset(statement);
	return index_result_of(result);
}

/* The first step takes all segments for one merge, further ones go on with it; a step writes so
 * many pages. */
static enum sql_result
merge(struct index *index, int64_t pages, bool *more)
{
	int64_t before = sql_changes(index->sql);
	enum sql_result result = sql_write(index->sql,
	    sql_bind(index->sql,
		"INSERT INTO words(words, rank) VALUES ('merge', ?1)",
		SQL_NUMBERS(index->tidying.is_begun ? pages : -pages)));

	/* One row is what the statement itself inserts. */
	*more = sql_changes(index->sql) - before > 1;
	if (!index->tidying.is_begun)
		index->tidying.was_deleted = false;
	index->tidying.is_begun = *more;
	return result;
}

enum index_result
index_finish(struct index *index, bool *more)
{
	enum index_result result = index_commit(index, NULL, 0);

	*more = false;
	if (result == INDEX_OK)
		result = written(index, merge(index, FINISH_PAGES, more));
	return result == INDEX_OK && !*more
	    ? written(index, sql_run(index->sql, finishing))
	    : result;
}

static enum sql_result
end_tidying(struct index *index)
{
	index->tidying.begins_at = clock_monotonic_ms() + TIDY_EACH_MS;
	/* The log may have what was deleted. */
	(void)sql_empty_log(index->sql);
	if (index->tidying.was_deleted)
		return SQL_DONE;
	index->tidying.is_needed = false;
	return sql_run(index->sql, "DELETE FROM about WHERE name = 'untidy'");
}

enum index_result
index_tidy(struct index *index, bool *more)
{
	enum sql_result result = index->failure;

	*more = false;
	if (index->in_transaction || result != SQL_DONE ||
	    !index->tidying.is_needed ||
	    (!index->tidying.is_begun &&
		clock_monotonic_ms() < index->tidying.begins_at))
		return index_result_of(result);
	if (sql_version() < SECURE_DELETE_SINCE)
		result = merge(index, TIDY_PAGES, more);
	else
		index->tidying.was_deleted = false;
	shorten_log(index);
	if (result == SQL_DONE && !*more)
		result = end_tidying(index);
	return written(index, result);
}

/* Reading. */

enum index_result
index_begin(struct index *index)
{
	enum sql_result result = sql_run(index->sql, "BEGIN");

	if (result == SQL_DONE)
		result = read_last_row(index);
	if (result == SQL_DONE)
		result = points_read(&index->points, index->sql, index->rows);
	return index_result_of(result);
}

void
index_end(struct index *index)
{
	sql_roll_back(index->sql);
}

int64_t
index_rows(const struct index *index)
{
	return index->rows;
}

int64_t
index_points(const struct index *index, int64_t row)
{
	return points_of(&index->points, row);
}

static uint64_t
file_size(struct text path)
{
	struct arena arena = { 0 };
	struct stat file;
	bool is_there = stat(text_string(&arena, path), &file) == 0;

	arena_free(&arena);
	return is_there ? (uint64_t)file.st_size : 0;
}

enum index_result
index_state(struct index *index, struct index_state *state)
{
	struct arena arena = { 0 };
	enum sql_result result = read_last_row(index);

	state->rows = (uint64_t)index->rows;
	state->bytes = file_size(text_of(index->path)) +
	    file_size(text_join(&arena, text_of(index->path), TEXT("-wal")));
	arena_free(&arena);
	return index_result_of(result);
}

enum index_result
index_row(struct index *index, struct arena *arena, uint64_t row,
    struct search_post *post, bool *found)
{
	struct sql_statement *statement = sql_bind(index->sql,
	    "SELECT id, title, text, posted FROM post WHERE row = ?1"
	    " AND tags IS NOT NULL",
	    SQL_NUMBERS((int64_t)row));
	enum sql_result result;

	*found = false;
	*post = (struct search_post){ 0 };
	if (statement == NULL)
		return index_result_of(sql_failure(index->sql));
	result = sql_step(statement);
	if (result == SQL_ROW) {
		*found = true;
		post->id =
		    post_id_from_number((uint64_t)sql_number(statement, 0));
		post->title = text_copy(arena, sql_text(statement, 1));
		post->text = text_copy(arena, sql_text(statement, 2));
		post->posted = sql_number(statement, 3);
	}
	sql_reset(statement);
	return index_result_of(result);
}
