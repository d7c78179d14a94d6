#include "search/index.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/words.h"
#include "store/encoding.h"

/* Raise it with every change of the tables, of tags or of how posts are written. */
#define LAYOUT "1"

/*
 * Texts are kept because FTS5 deletes an entry by being told what was written. A deleted post
 * keeps its row, with tags NULL. "posted" never falls from row to row.
 *
 * "changed" is a log of points for readers, who have those of all rows in memory; new rows are
 * not in it.
 */
static const char tables[] =
    "CREATE TABLE about(name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
    "CREATE TABLE post(row INTEGER PRIMARY KEY, id INTEGER NOT NULL,"
    " posted INTEGER NOT NULL, tags TEXT, title TEXT, text TEXT);"
    "CREATE UNIQUE INDEX post_id ON post(id);"
    "CREATE TABLE points(row INTEGER PRIMARY KEY, points INTEGER NOT NULL);"
    "CREATE TABLE changed(n INTEGER PRIMARY KEY, row INTEGER NOT NULL,"
    " points INTEGER NOT NULL);"
    "CREATE TABLE feed(bucket INTEGER PRIMARY KEY, position TEXT NOT NULL);"
    "CREATE VIRTUAL TABLE words USING fts5(title, text, tags, content='',"
    " columnsize=0, tokenize='tally')";

enum {
	ROWS_MAX = 1 << 28,
	LOG_PAGES_MAX = 4000, /* 16 MB */
	CHANGES_KEPT = 20000,
	TIDY_PAGES = 64,
	SECURE_DELETE_SINCE = 3042000
};

struct index {
	struct sql *sql;
	char *path;
	ino_t inode;
	enum index_access access;
	bool in_transaction;

	int64_t rows, last_posted;

	/* Of a reader. */
	int32_t *points; /* of row i at i - 1 */
	int64_t room;
	int64_t version; /* of the data that was read */
	int64_t changes; /* the last of "changed" that was read */
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

static enum index_result
index_failure(const struct index *index)
{
	return index_result_of(sql_failure(index->sql));
}

struct sql *
index_sql(struct index *index)
{
	return index->sql;
}

/* A statement with up to three numbers; NULL if it fails. */
static struct sql_statement *
bind_numbers(struct index *index, const char *text, int64_t first,
    int64_t second, int64_t third)
{
	struct sql_statement *statement = sql_prepare(index->sql, text);

	if (statement == NULL)
		return NULL;
	sql_bind_number(statement, 1, first);
	sql_bind_number(statement, 2, second);
	sql_bind_number(statement, 3, third);
	return statement;
}

/* Runs a statement that gives no row. */
static enum index_result
run_statement(struct index *index, struct sql_statement *statement)
{
	enum sql_result result;

	if (statement == NULL)
		return index_failure(index);
	result = sql_step(statement);
	sql_reset(statement);
	return index_result_of(result);
}

static enum index_result
run(struct index *index, const char *text)
{
	return index_result_of(sql_run(index->sql, text));
}

/* Reads the numbers of one row into two places; without a row they stay. */
static enum index_result
read_numbers(struct index *index, struct sql_statement *statement,
    int64_t *first, int64_t *second)
{
	enum sql_result result;

	if (statement == NULL)
		return index_failure(index);
	result = sql_step(statement);
	if (result == SQL_ROW) {
		*first = sql_number(statement, 0);
		*second = sql_number(statement, 1);
	}
	sql_reset(statement);
	return index_result_of(result);
}

/* Opening. */

static enum index_result
read_last_row(struct index *index)
{
	enum index_result result;

	index->rows = index->last_posted = 0;
	result = read_numbers(index,
	    sql_prepare(index->sql,
		"SELECT row, posted FROM post ORDER BY row DESC LIMIT 1"),
	    &index->rows, &index->last_posted);
	if (result == INDEX_OK && (index->rows < 0 || index->rows > ROWS_MAX))
		return INDEX_BROKEN;
	return result;
}

/* "1|1 15.0.0|3040001|SITE": tables, words and what SQLite writes into the file. */
static struct text
describe(struct arena *arena, struct text site)
{
	struct text words = words_version(arena);

	return text_format(arena, LAYOUT "|%.*s|%d|%.*s", TEXT_ARGS(words),
	    sql_version() >= SECURE_DELETE_SINCE, TEXT_ARGS(site));
}

static enum index_result
set_about(struct index *index, const char *name, struct text value)
{
	struct sql_statement *statement =
	    sql_prepare(index->sql, "INSERT INTO about VALUES (?1, ?2)");

	if (statement != NULL) {
		sql_bind_text(statement, 1, text_of(name));
		sql_bind_text(statement, 2, value);
	}
	return run_statement(index, statement);
}

static enum index_result
create(struct index *index, struct arena *arena, struct text site)
{
	enum index_result result =
	    run(index, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF");

	if (result == INDEX_OK)
		result = run(index, tables);
	/* Larger segments in memory, so that fewer are merged. */
	if (result == INDEX_OK)
		result = run(index,
		    "INSERT INTO words(words, rank)"
		    " VALUES ('hashsize', 33554432)");
	if (result == INDEX_OK && sql_version() >= SECURE_DELETE_SINCE)
		result = run(index,
		    "INSERT INTO words(words, rank)"
		    " VALUES ('secure-delete', 1)");
	if (result == INDEX_OK)
		result = set_about(index, "made for", describe(arena, site));
	return result;
}

/* A file that was not finished has no mark of it. */
static enum index_result
check_about(struct index *index, struct arena *arena, struct text site)
{
	struct sql_statement *statement = sql_prepare(index->sql,
	    "SELECT value FROM about WHERE name IN ('made for', 'finished')"
	    " ORDER BY name DESC");
	bool is_same = false, is_finished = false;
	enum sql_result result;

	if (statement == NULL)
		return index_failure(index);
	result = sql_step(statement);
	if (result == SQL_ROW) {
		is_same =
		    text_equal(sql_text(statement, 0), describe(arena, site));
		result = sql_step(statement);
		is_finished = result == SQL_ROW;
	}
	sql_reset(statement);
	if (result != SQL_ROW && result != SQL_DONE)
		return index_result_of(result);
	return is_same && is_finished ? INDEX_OK : INDEX_OTHER;
}

static enum index_result
prepare(struct index *index, struct arena *arena, struct text site)
{
	static const char *const settings[] = {
		[INDEX_READ] = "PRAGMA query_only=1; PRAGMA cache_size=-8192;"
			       "PRAGMA cell_size_check=1",
		[INDEX_WRITE] =
		    "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
		    "PRAGMA wal_autocheckpoint=0; PRAGMA cache_size=-16384;"
		    "PRAGMA cell_size_check=1",
		[INDEX_CREATE] = "PRAGMA cache_size=-32768",
	};
	enum index_result result =
	    run(index, "PRAGMA temp_store=MEMORY; PRAGMA mmap_size=0");

	if (result == INDEX_OK)
		result = run(index, settings[index->access]);
	if (result != INDEX_OK)
		return result;
	result = index->access == INDEX_CREATE
	    ? create(index, arena, site)
	    : check_about(index, arena, site);
	if (result == INDEX_OK)
		result = read_last_row(index);
	return result;
}

/* The file and those that SQLite keeps beside it. */
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

/* Who opens a file is the one who sees whether there is one. */
static enum index_result
open_file(struct index *index)
{
	static const enum sql_access accesses[] = { [INDEX_READ] = SQL_READ,
		[INDEX_WRITE] = SQL_WRITE,
		[INDEX_CREATE] = SQL_CREATE };
	struct stat file;
	enum sql_result result;

	if (index->access == INDEX_CREATE && !unlink_all(index->path))
		return INDEX_FAILED;
	if (index->access != INDEX_CREATE && stat(index->path, &file) < 0)
		return errno == ENOENT ? INDEX_ABSENT : INDEX_FAILED;
	result = sql_open(index->path, accesses[index->access], &index->sql);
	if (result != SQL_DONE)
		return index_result_of(result);
	return INDEX_OK;
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
	free(index->points);
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
	/* The old file goes first: a log without its file is harmless, but the log of one
	 * beside another damages that. */
	if (!unlink_all(to) || rename(from, to) < 0)
		return INDEX_FAILED;
	return INDEX_OK;
}

/* Writing. */

int
index_level(int64_t points)
{
	int level = 0;

	for (; points > 0 && level < INDEX_LEVEL_MAX; points /= 2)
		level++;
	return level;
}

/* The host and those above it that have a dot. */
static void
add_hosts(struct buffer *tags, struct text host)
{
	while (text_find(host, 0, TEXT(".")) != SIZE_MAX) {
		struct text label;

		buffer_add(tags, TEXT(" d:"));
		buffer_add(tags, host);
		text_cut(&host, '.', &label);
	}
}

static struct text
make_tags(struct arena *arena, const struct search_post *post)
{
	struct buffer tags = buffer_in(arena, 128);
	struct text groups = post->groups, group;

	buffer_add(&tags, TEXT("\1p:"));
	buffer_add_number(&tags, index_level(post->points));
	buffer_add(&tags, TEXT(" a:"));
	buffer_add_number(&tags, (int64_t)post->author);
	buffer_add(&tags,
	    post->id.comment > 0      ? TEXT(" k:comment")
		: post->host.size > 0 ? TEXT(" k:link")
				      : TEXT(" k:text"));
	while (text_next_word(&groups, &group)) {
		buffer_add(&tags, TEXT(" g:"));
		buffer_add(&tags, group);
	}
	add_hosts(&tags, post->host);
	return buffer_text(&tags);
}

/* A text that is not taken for tags, and is not NULL. */
static struct text
plain(struct text text)
{
	while (text.size > 0 && text.data[0] == '\1')
		text = text_slice(text, 1, text.size);
	return text.size > 0 ? text : TEXT("");
}

static enum index_result
begin_write(struct index *index)
{
	enum index_result result;

	if (index->in_transaction)
		return INDEX_OK;
	result = run(index, "BEGIN IMMEDIATE");
	index->in_transaction = result == INDEX_OK;
	return result;
}

/* The row of a post; 0: none. */
static enum index_result
find_row(struct index *index, struct post_id id, int64_t *row, bool *is_there)
{
	int64_t there = 0;
	enum index_result result;

	*row = 0;
	result = read_numbers(index,
	    bind_numbers(index,
		"SELECT row, tags IS NOT NULL FROM post WHERE id = ?1",
		(int64_t)post_id_to_number(id), 0, 0),
	    row, &there);
	*is_there = there != 0;
	return result;
}

/* Writes a post, or with empty tags the place of a deleted one. */
static enum index_result
write_post(struct index *index, int64_t row, const struct search_post *post,
    struct text tags)
{
	struct sql_statement *statement = bind_numbers(index,
	    "INSERT INTO post(row, id, posted, tags, title, text)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT(row) DO UPDATE"
	    " SET tags = ?4, title = ?5, text = ?6",
	    row, (int64_t)post_id_to_number(post->id), index->last_posted);
	bool is_there = tags.size > 0;

	if (statement != NULL) {
		sql_bind_text(
		    statement, 4, is_there ? tags : (struct text){ 0 });
		sql_bind_text(statement, 5,
		    is_there ? plain(post->title) : (struct text){ 0 });
		sql_bind_text(statement, 6,
		    is_there ? plain(post->text) : (struct text){ 0 });
	}
	return run_statement(index, statement);
}

static enum index_result
write_words(struct index *index, int64_t row, const struct search_post *post,
    struct text tags)
{
	struct sql_statement *statement = bind_numbers(index,
	    "INSERT INTO words(rowid, title, text, tags)"
	    " VALUES (?1, ?2, ?3, ?4)",
	    row, 0, 0);

	if (statement != NULL) {
		sql_bind_text(statement, 2, plain(post->title));
		sql_bind_text(statement, 3, plain(post->text));
		sql_bind_text(statement, 4, tags);
	}
	return run_statement(index, statement);
}

static enum index_result
delete_words(struct index *index, int64_t row)
{
	return run_statement(index,
	    bind_numbers(index,
		"INSERT INTO words(words, rowid, title, text, tags)"
		" SELECT 'delete', row, title, text, tags FROM post"
		" WHERE row = ?1 AND tags IS NOT NULL",
		row, 0, 0));
}

/* Takes the next row for a post. */
static enum index_result
append_row(struct index *index, int64_t posted, int64_t *row)
{
	if (index->rows >= ROWS_MAX)
		return INDEX_FAILED;
	*row = ++index->rows;
	if (posted > index->last_posted)
		index->last_posted = posted;
	return INDEX_OK;
}

static int64_t
bounded_points(int64_t points)
{
	return points > INT32_MAX ? INT32_MAX
	    : points < INT32_MIN  ? INT32_MIN
				  : points;
}

static enum index_result
write_points(struct index *index, int64_t row, int64_t points, bool is_new)
{
	int64_t known = 0, unused = 0;
	enum index_result result = INDEX_OK;

	points = bounded_points(points);
	if (!is_new) {
		result = read_numbers(index,
		    bind_numbers(index,
			"SELECT points, 0 FROM points WHERE row = ?1", row, 0,
			0),
		    &known, &unused);
		if (result != INDEX_OK || known == points)
			return result;
		result = run_statement(index,
		    bind_numbers(index,
			"INSERT INTO changed(row, points) VALUES (?1, ?2)", row,
			points, 0));
	}
	if (result != INDEX_OK)
		return result;
	return run_statement(index,
	    bind_numbers(index, "INSERT OR REPLACE INTO points VALUES (?1, ?2)",
		row, points, 0));
}

static enum index_result
is_written(struct index *index, int64_t row, const struct search_post *post,
    struct text tags, bool *is_same)
{
	struct sql_statement *statement = bind_numbers(index,
	    "SELECT tags, title, text FROM post WHERE row = ?1", row, 0, 0);
	enum sql_result result;

	if (statement == NULL)
		return index_failure(index);
	result = sql_step(statement);
	*is_same = result == SQL_ROW &&
	    text_equal(sql_text(statement, 0), tags) &&
	    text_equal(sql_text(statement, 1), plain(post->title)) &&
	    text_equal(sql_text(statement, 2), plain(post->text));
	sql_reset(statement);
	return index_result_of(result);
}

/* Writes a post into a row, of which the words that are there have been deleted. */
static enum index_result
write_row(struct index *index, int64_t row, const struct search_post *post,
    struct text tags, bool is_new)
{
	enum index_result result = write_post(index, row, post, tags);

	if (result == INDEX_OK)
		result = write_words(index, row, post, tags);
	if (result == INDEX_OK)
		result = write_points(index, row, post->points, is_new);
	return result;
}

static enum index_result
put(struct index *index, const struct search_post *post, struct text tags)
{
	bool is_there, is_same = false;
	int64_t row;
	enum index_result result = find_row(index, post->id, &row, &is_there);

	if (result == INDEX_OK && row == 0) {
		result = append_row(index, post->posted, &row);
		return result == INDEX_OK
		    ? write_row(index, row, post, tags, true)
		    : result;
	}
	if (result == INDEX_OK && is_there)
		result = is_written(index, row, post, tags, &is_same);
	if (result == INDEX_OK && is_same)
		return write_points(index, row, post->points, false);
	if (result == INDEX_OK && is_there)
		result = delete_words(index, row);
	return result == INDEX_OK ? write_row(index, row, post, tags, false)
				  : result;
}

enum index_result
index_put(struct index *index, const struct search_post *post)
{
	struct arena arena = { 0 };
	enum index_result result = begin_write(index);

	if (result == INDEX_OK)
		result = put(index, post, make_tags(&arena, post));
	arena_free(&arena);
	return result;
}

enum index_result
index_delete(struct index *index, struct post_id id, int64_t posted)
{
	const struct search_post post = { .id = id };
	bool is_there = false, is_new;
	int64_t row = 0;
	enum index_result result = begin_write(index);

	if (result == INDEX_OK)
		result = find_row(index, id, &row, &is_there);
	if (result != INDEX_OK || (row > 0 && !is_there))
		return result;
	is_new = row == 0;
	result =
	    is_new ? append_row(index, posted, &row) : delete_words(index, row);
	if (result == INDEX_OK)
		result = write_post(index, row, &post, TEXT(""));
	if (result == INDEX_OK && is_new)
		result = write_points(index, row, 0, true);
	return result;
}

static enum index_result
write_positions(
    struct index *index, const struct index_position *positions, size_t count)
{
	enum index_result result = INDEX_OK;

	for (size_t i = 0; i < count && result == INDEX_OK; i++) {
		struct sql_statement *statement = bind_numbers(index,
		    "INSERT OR REPLACE INTO feed VALUES (?1, ?2)",
		    (int64_t)positions[i].bucket, 0, 0);

		if (statement != NULL)
			sql_bind_text(statement, 2, positions[i].position);
		result = run_statement(index, statement);
	}
	return result;
}

static enum index_result
trim_changes(struct index *index)
{
	return run_statement(index,
	    bind_numbers(index,
		"DELETE FROM changed WHERE n <= (SELECT max(n) FROM changed)"
		" - ?1",
		CHANGES_KEPT, 0, 0));
}

/* Afterwards nothing of it is there. */
static void
roll_back(struct index *index)
{
	if (!index->in_transaction)
		return;
	index->in_transaction = false;
	(void)run(index, "ROLLBACK");
	(void)read_last_row(index);
}

enum index_result
index_commit(
    struct index *index, const struct index_position *positions, size_t count)
{
	enum index_result result = begin_write(index);

	if (result == INDEX_OK)
		result = write_positions(index, positions, count);
	if (result == INDEX_OK)
		result = trim_changes(index);
	if (result == INDEX_OK)
		result = run(index, "COMMIT");
	if (result != INDEX_OK) {
		roll_back(index);
		return result;
	}
	index->in_transaction = false;
	/* SQLite's own checkpoint does not begin the log anew while one reader or another is
	 * at work, and it grew to 2 GB. */
	if (sql_log_pages(index->sql) > LOG_PAGES_MAX)
		(void)sql_shorten_log(index->sql);
	return INDEX_OK;
}

enum index_result
index_positions(struct index *index, struct arena *arena,
    struct index_position **positions, size_t *count)
{
	struct sql_statement *statement = sql_prepare(
	    index->sql, "SELECT bucket, position FROM feed ORDER BY bucket");
	size_t room = 16;
	enum sql_result result;

	*count = 0;
	*positions = arena_new(arena, struct index_position, room);
	if (statement == NULL)
		return index_failure(index);
	while ((result = sql_step(statement)) == SQL_ROW) {
		if (*count == room) {
			struct index_position *former = *positions;

			room *= 2;
			*positions =
			    arena_new(arena, struct index_position, room);
			memcpy(*positions, former, *count * sizeof(*former));
		}
		(*positions)[(*count)++] =
		    (struct index_position){ (uint64_t)sql_number(statement, 0),
			    text_copy(arena, sql_text(statement, 1)) };
	}
	sql_reset(statement);
	return index_result_of(result);
}

enum index_result
index_finish(struct index *index)
{
	enum index_result result = INDEX_OK;

	if (index->in_transaction)
		result = index_commit(index, NULL, 0);
	if (result == INDEX_OK)
		result = run(index,
		    "INSERT INTO words(words) VALUES ('optimize');"
		    "INSERT INTO words(words, rank)"
		    " VALUES ('hashsize', 1048576)");
	if (result == INDEX_OK)
		result = set_about(index, "finished", TEXT("yes"));
	/* The change of the mode writes to disk what was not waited for. */
	if (result == INDEX_OK)
		result = run(index,
		    "PRAGMA synchronous=FULL; PRAGMA journal_mode=DELETE;"
		    "PRAGMA journal_mode=WAL");
	return result;
}

enum index_result
index_tidy(struct index *index, bool *more)
{
	int64_t before = sql_changes(index->sql);
	enum index_result result;

	*more = false;
	if (index->in_transaction)
		return INDEX_OK;
	result = run_statement(index,
	    bind_numbers(index,
		"INSERT INTO words(words, rank) VALUES ('merge', ?1)",
		-TIDY_PAGES, 0, 0));
	*more = result == INDEX_OK && sql_changes(index->sql) - before >= 2;
	return result;
}

/* Reading. */

/* Room for the points of all rows. */
static bool
reserve_points(struct index *index)
{
	int64_t room = index->rows + index->rows / 8 + 1024;
	int32_t *points;

	if (index->rows <= index->room)
		return true;
	points = realloc(index->points, (size_t)room * sizeof(*points));
	if (points == NULL)
		return false;
	memset(points + index->room, 0,
	    (size_t)(room - index->room) * sizeof(*points));
	index->points = points;
	index->room = room;
	return true;
}

/* Takes rows and points from a statement: a row is of no use if the file was damaged. */
static enum index_result
take_points(struct index *index, struct sql_statement *statement)
{
	enum sql_result result;

	if (statement == NULL)
		return index_failure(index);
	while ((result = sql_step(statement)) == SQL_ROW) {
		int64_t row = sql_number(statement, 0);

		if (row > 0 && row <= index->rows)
			index->points[row - 1] =
			    (int32_t)bounded_points(sql_number(statement, 1));
	}
	sql_reset(statement);
	return index_result_of(result);
}

/* Reads what changed since the last time, or everything if the log of changes begins later. */
static enum index_result
read_points(struct index *index, int64_t former_rows)
{
	int64_t first = 0, last = 0, from;
	enum index_result result = read_numbers(index,
	    sql_prepare(index->sql, "SELECT min(n), max(n) FROM changed"),
	    &first, &last);

	if (result != INDEX_OK)
		return result;
	from = first > index->changes + 1 ? 0 : former_rows;
	result = take_points(index,
	    bind_numbers(index, "SELECT row, points FROM points WHERE row > ?1",
		from, 0, 0));
	if (result == INDEX_OK)
		result = take_points(index,
		    bind_numbers(index,
			"SELECT row, points FROM changed WHERE n > ?1"
			" ORDER BY n",
			index->changes, 0, 0));
	if (result == INDEX_OK)
		index->changes = last;
	return result;
}

enum index_result
index_begin(struct index *index)
{
	int64_t version = 0, unused = 0, former_rows = index->rows;
	enum index_result result = run(index, "BEGIN");

	if (index->points == NULL)
		former_rows = 0;
	/* It is read with the first page, so that the data are of this version. */
	if (result == INDEX_OK)
		result = read_last_row(index);
	if (result == INDEX_OK)
		result = read_numbers(index,
		    sql_prepare(index->sql, "PRAGMA data_version"), &version,
		    &unused);
	if (result != INDEX_OK ||
	    (index->points != NULL && version == index->version))
		return result;
	if (!reserve_points(index))
		return INDEX_FAILED;
	result = read_points(index, former_rows);
	if (result == INDEX_OK)
		index->version = version;
	return result;
}

void
index_end(struct index *index)
{
	(void)run(index, "ROLLBACK");
}

int64_t
index_rows(const struct index *index)
{
	return index->rows;
}

int64_t
index_points(const struct index *index, int64_t row)
{
	return row > 0 && row <= index->rows ? index->points[row - 1] : 0;
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
	enum index_result result = read_last_row(index);

	state->rows = (uint64_t)index->rows;
	state->bytes = file_size(text_of(index->path)) +
	    file_size(text_join(&arena, text_of(index->path), TEXT("-wal")));
	arena_free(&arena);
	return result;
}

enum index_result
index_row(struct index *index, struct arena *arena, uint64_t row,
    struct search_post *post, bool *found)
{
	struct sql_statement *statement = bind_numbers(index,
	    "SELECT id, title, text FROM post WHERE row = ?1"
	    " AND tags IS NOT NULL",
	    (int64_t)row, 0, 0);
	enum sql_result result;

	*found = false;
	*post = (struct search_post){ 0 };
	if (statement == NULL)
		return index_failure(index);
	result = sql_step(statement);
	if (result == SQL_ROW) {
		*found = true;
		post->id =
		    post_id_from_number((uint64_t)sql_number(statement, 0));
		post->title = text_copy(arena, sql_text(statement, 1));
		post->text = text_copy(arena, sql_text(statement, 2));
	}
	sql_reset(statement);
	return index_result_of(result);
}
