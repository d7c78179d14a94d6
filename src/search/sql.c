#include "search/sql.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/words.h"

/* A check of the time costs 0.4 us, so many operations some 10 us. */
enum { OPERATIONS_A_CHECK = 200, READERS_WAIT_MS = 200 };

enum { TAGS = 1 };

enum { STATEMENTS_MAX = 32 };

struct statement {
	const char *text;
	sqlite3_stmt *prepared;
};

struct sql {
	sqlite3 *connection;
	struct statement statements[STATEMENTS_MAX];
	size_t count;
	int64_t deadline; /* of the thread's processor time; 0: none */
	int log_pages;
};

typedef int take_token(
    void *context, int flags, const char *token, int size, int start, int end);

/* The tokenizer. */

static int
tokenizer_create(
    void *context, const char **arguments, int count, Fts5Tokenizer **tokenizer)
{
	(void)arguments;
	(void)count;
	*tokenizer = context;
	return SQLITE_OK;
}

static void
tokenizer_delete(Fts5Tokenizer *tokenizer)
{
	(void)tokenizer;
}

static int
take_tags(void *context, struct text tags, take_token *take)
{
	int start = 0, size = (int)tags.size, result = SQLITE_OK;

	for (int at = 0; at <= size && result == SQLITE_OK; at++) {
		if (at < size && tags.data[at] > ' ')
			continue;
		if (at > start)
			result = take(context, 0, tags.data + start, at - start,
			    start, at);
		start = at + 1;
	}
	return result;
}

static int
take_words(void *context, struct text text, take_token *take)
{
	struct words words;
	struct word word;
	int64_t position = -1;
	int result = SQLITE_OK;

	words_begin(&words, text);
	while (result == SQLITE_OK && words_next(&words, &word)) {
		result = take(context,
		    word.position == position ? FTS5_TOKEN_COLOCATED : 0,
		    word.text.data, (int)word.text.size, (int)word.start,
		    (int)word.end);
		position = word.position;
	}
	return result;
}

static int
tokenizer_take(Fts5Tokenizer *tokenizer, void *context, int flags,
    const char *data, int size, take_token *take)
{
	struct text text = { data, (size_t)size };

	(void)tokenizer;
	if (size == 0)
		return SQLITE_OK;
	if (flags & FTS5_TOKENIZE_QUERY)
		return take(context, 0, data, size, 0, size);
	return data[0] == TAGS ? take_tags(context, text, take)
			       : take_words(context, text, take);
}

/* The score. */

enum { PHRASES_MAX = 200, TITLE = 0, TEXT_COLUMN = 1 };

struct phrase_hits {
	int title, text;
};

static int
count_hits(const Fts5ExtensionApi *api, Fts5Context *context,
    struct phrase_hits hits[PHRASES_MAX])
{
	int count, result = api->xInstCount(context, &count);

	for (int i = 0; i < count && result == SQLITE_OK; i++) {
		int phrase, column, offset;

		result = api->xInst(context, i, &phrase, &column, &offset);
		if (result != SQLITE_OK || phrase < 0 || phrase >= PHRASES_MAX)
			continue;
		hits[phrase].title += column == TITLE;
		hits[phrase].text += column == TEXT_COLUMN;
	}
	return result;
}

static void
score(const Fts5ExtensionApi *api, Fts5Context *context,
    sqlite3_context *answer, int count, sqlite3_value **values)
{
	struct phrase_hits hits[PHRASES_MAX] = { { 0 } };
	double sum = 0;
	int result = count_hits(api, context, hits);

	(void)count;
	(void)values;
	if (result != SQLITE_OK) {
		sqlite3_result_error_code(answer, result);
		return;
	}
	for (int i = 0; i < PHRASES_MAX; i++)
		sum += 3 * hits[i].title / (hits[i].title + 0.6) +
		    hits[i].text / (hits[i].text + 1.2);
	sqlite3_result_double(answer, sum);
}

static fts5_api *
find_fts5(sqlite3 *connection)
{
	fts5_api *api = NULL;
	sqlite3_stmt *statement;

	if (sqlite3_prepare_v2(connection, "SELECT fts5(?1)", -1, &statement,
		NULL) != SQLITE_OK)
		return NULL;
	sqlite3_bind_pointer(statement, 1, (void *)&api, "fts5_api_ptr", NULL);
	(void)sqlite3_step(statement);
	(void)sqlite3_finalize(statement);
	return api;
}

static int
add_to_fts5(struct sql *sql)
{
	fts5_tokenizer tokenizer = { tokenizer_create, tokenizer_delete,
		tokenizer_take };
	fts5_api *api = find_fts5(sql->connection);
	int result;

	if (api == NULL)
		return SQLITE_ERROR;
	result = api->xCreateTokenizer(api, "tally", sql, &tokenizer, NULL);
	if (result == SQLITE_OK)
		result =
		    api->xCreateFunction(api, "tally_score", NULL, score, NULL);
	return result;
}

/* Connections. */

static enum sql_result
sql_result_of(int code)
{
	switch (code & 0xff) {
	case SQLITE_OK:
	case SQLITE_DONE:
		return SQL_DONE;
	case SQLITE_ROW:
		return SQL_ROW;
	case SQLITE_INTERRUPT:
		return SQL_LATE;
	case SQLITE_FULL:
	case SQLITE_CANTOPEN:
	case SQLITE_NOMEM:
	case SQLITE_READONLY:
	case SQLITE_PERM:
	case SQLITE_AUTH:
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
	case SQLITE_TOOBIG:
		return SQL_FAILED;
	case SQLITE_IOERR:
		return code == SQLITE_IOERR_SHORT_READ ? SQL_BROKEN
						       : SQL_FAILED;
	default:
		return SQL_BROKEN;
	}
}

static int
is_late(void *context)
{
	const struct sql *sql = context;

	return sql->deadline != 0 && clock_thread_us() > sql->deadline;
}

static int
note_log(void *context, sqlite3 *connection, const char *name, int pages)
{
	struct sql *sql = context;

	(void)connection;
	(void)name;
	sql->log_pages = pages;
	return SQLITE_OK;
}

static int
keep_path(sqlite3_vfs *files, const char *path, int room, char *full)
{
	(void)files;
	return snprintf(full, (size_t)room, "%s", path) < room
	    ? SQLITE_OK
	    : SQLITE_CANTOPEN;
}

/* How SQLite reaches files, but by the path that it is given: it would look at each folder above,
 * and the user of a site need not be allowed to. */
static const char *
files_by_given_path(void)
{
	static sqlite3_vfs files;
	const sqlite3_vfs *usual = sqlite3_vfs_find(NULL);

	if (files.zName == NULL && usual != NULL) {
		files = *usual;
		files.zName = "tally";
		files.xFullPathname = keep_path;
		(void)sqlite3_vfs_register(&files, 0);
	}
	return files.zName;
}

enum sql_result
sql_open(const char *path, enum sql_access access, struct sql **opened)
{
	static const int flags[] = {
		[SQL_READ] = SQLITE_OPEN_READONLY,
		[SQL_WRITE] = SQLITE_OPEN_READWRITE,
		[SQL_CREATE] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
	};
	struct sql *sql = calloc(1, sizeof(*sql));
	int result;

	*opened = sql;
	if (sql == NULL)
		return SQL_FAILED;
	result = sqlite3_open_v2(path, &sql->connection,
	    flags[access] | SQLITE_OPEN_NOMUTEX, files_by_given_path());
	if (result != SQLITE_OK)
		return sql_result_of(result);
	(void)sqlite3_extended_result_codes(sql->connection, 1);
	(void)sqlite3_busy_timeout(sql->connection, READERS_WAIT_MS);
	sqlite3_progress_handler(
	    sql->connection, OPERATIONS_A_CHECK, is_late, sql);
	/* In place of SQLite's own, which makes checkpoints. */
	if (access == SQL_WRITE)
		(void)sqlite3_wal_hook(sql->connection, note_log, sql);
	return sql_result_of(add_to_fts5(sql));
}

void
sql_close(struct sql *sql)
{
	if (sql == NULL)
		return;
	/* Those that FTS5 has prepared are its own. */
	for (size_t i = 0; i < sql->count; i++)
		(void)sqlite3_finalize(sql->statements[i].prepared);
	(void)sqlite3_close(sql->connection);
	free(sql);
}

enum sql_result
sql_run(struct sql *sql, const char *statements)
{
	return sql_result_of(
	    sqlite3_exec(sql->connection, statements, NULL, NULL, NULL));
}

void
sql_roll_back(struct sql *sql)
{
	(void)sqlite3_exec(sql->connection, "ROLLBACK", NULL, NULL, NULL);
}

struct sql_statement *
sql_prepare(struct sql *sql, const char *text)
{
	struct statement *statement = sql->statements;
	const struct statement *end = statement + sql->count;

	for (; statement < end; statement++)
		if (statement->text == text)
			return (struct sql_statement *)statement->prepared;
	if (sql->count == STATEMENTS_MAX ||
	    sqlite3_prepare_v3(sql->connection, text, -1,
		SQLITE_PREPARE_PERSISTENT, &statement->prepared,
		NULL) != SQLITE_OK)
		return NULL;
	statement->text = text;
	sql->count++;
	return (struct sql_statement *)statement->prepared;
}

enum sql_result
sql_failure(const struct sql *sql)
{
	return sql_result_of(sqlite3_extended_errcode(sql->connection));
}

struct sql_statement *
sql_bind(
    struct sql *sql, const char *text, const int64_t *numbers, size_t count)
{
	struct sql_statement *statement = sql_prepare(sql, text);

	for (size_t i = 0; i < count && statement != NULL; i++)
		(void)sqlite3_bind_int64(
		    (sqlite3_stmt *)statement, (int)i + 1, numbers[i]);
	return statement;
}

void
sql_bind_text(struct sql_statement *statement, int at, struct text text)
{
	if (statement != NULL)
		(void)sqlite3_bind_text((sqlite3_stmt *)statement, at,
		    text.data, (int)text.size, SQLITE_STATIC);
}

enum sql_result
sql_write(struct sql *sql, struct sql_statement *statement)
{
	enum sql_result result;

	if (statement == NULL)
		return sql_failure(sql);
	result = sql_step(statement);
	sql_reset(statement);
	return result;
}

enum sql_result
sql_read(struct sql *sql, struct sql_statement *statement, int64_t *numbers,
    size_t count)
{
	enum sql_result result;

	if (statement == NULL)
		return sql_failure(sql);
	result = sql_step(statement);
	for (size_t i = 0; i < count && result == SQL_ROW; i++)
		numbers[i] = sql_number(statement, (int)i);
	sql_reset(statement);
	return result;
}

enum sql_result
sql_step(struct sql_statement *statement)
{
	int code = sqlite3_step((sqlite3_stmt *)statement);

	/* Not damage: FTS5 refused an expression. */
	return (code & 0xff) == SQLITE_ERROR ? SQL_FAILED : sql_result_of(code);
}

int64_t
sql_number(struct sql_statement *statement, int column)
{
	return sqlite3_column_int64((sqlite3_stmt *)statement, column);
}

double
sql_real(struct sql_statement *statement, int column)
{
	return sqlite3_column_double((sqlite3_stmt *)statement, column);
}

struct text
sql_text(struct sql_statement *statement, int column)
{
	const char *data = (const char *)sqlite3_column_text(
	    (sqlite3_stmt *)statement, column);

	return (struct text){ data,
		(size_t)sqlite3_column_bytes(
		    (sqlite3_stmt *)statement, column) };
}

void
sql_reset(struct sql_statement *statement)
{
	(void)sqlite3_reset((sqlite3_stmt *)statement);
}

void
sql_limit(struct sql *sql, int64_t microseconds)
{
	sql->deadline =
	    microseconds == 0 ? 0 : clock_thread_us() + microseconds;
}

int
sql_log_pages(const struct sql *sql)
{
	return sql->log_pages;
}

static bool
checkpoint(struct sql *sql, int mode)
{
	if (sqlite3_wal_checkpoint_v2(
		sql->connection, NULL, mode, NULL, NULL) != SQLITE_OK)
		return false;
	sql->log_pages = 0;
	return true;
}

bool
sql_shorten_log(struct sql *sql)
{
	return checkpoint(sql, SQLITE_CHECKPOINT_RESTART);
}

bool
sql_empty_log(struct sql *sql)
{
	return checkpoint(sql, SQLITE_CHECKPOINT_TRUNCATE);
}

int64_t
sql_changes(struct sql *sql)
{
	return sqlite3_total_changes(sql->connection);
}

int
sql_version(void)
{
	return sqlite3_libversion_number();
}
