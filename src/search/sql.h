/*
 * A connection to an SQLite database with FTS5: what the index needs of it.
 *
 * FTS5 gets a tokenizer "tally": of a text the words of base/words.h; of a text that begins with
 * the byte 1, what is between spaces (tags); of a string in a query, that string. And a
 * function tally_score(table) for the relevance of a row, which reads no table: for each phrase of
 * the query, with t hits in the first column and b in the second,
 *
 *	3 t / (t + 0.6) + b / (b + 1.2)
 */
#pragma once

#include "base/text.h"

struct sql;
struct sql_statement;

enum sql_result {
	SQL_DONE,   /* no further row */
	SQL_ROW,    /* a row is there to be read */
	SQL_LATE,   /* sql_limit's time was up */
	SQL_BROKEN, /* the file is damaged, or no such database */
	SQL_FAILED  /* the disk is full or cannot be read, or no memory */
};
#define SQL_CALL __attribute__((warn_unused_result)) enum sql_result

enum sql_access { SQL_READ, SQL_WRITE, SQL_CREATE };

/* *sql is set even if it fails, and has to be closed. */
SQL_CALL sql_open(const char *path, enum sql_access access, struct sql **sql);
void sql_close(struct sql *sql);

/* Runs statements without parameters and results. */
SQL_CALL sql_run(struct sql *sql, const char *statements);

/* Ends a transaction without writing, if one was begun. */
void sql_roll_back(struct sql *sql);

/* Prepares a statement, a literal, once; it lives as long as the connection. NULL if it fails. */
struct sql_statement *sql_prepare(struct sql *sql, const char *text);

/* What the last call that failed came to. */
SQL_CALL sql_failure(const struct sql *sql);

/* The same with numbers as its first parameters: SQL_NUMBERS(row, 25). */
struct sql_statement *sql_bind(
    struct sql *sql, const char *text, const int64_t *numbers, size_t count);
#define SQL_NUMBERS(...) \
	(const int64_t[]){ __VA_ARGS__ }, \
	    sizeof((const int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t)

/* Sets a parameter, from 1. The text is not copied; without data it is NULL. A statement that is
 * NULL is allowed, for sql_write to report. */
void sql_bind_text(struct sql_statement *statement, int at, struct text text);

/* Runs a statement that gives no rows; what failed to prepare it, if it is NULL. */
SQL_CALL sql_write(struct sql *sql, struct sql_statement *statement);

/* Reads the first columns of the first row: SQL_ROW, or SQL_DONE if there is none. */
SQL_CALL sql_read(struct sql *sql, struct sql_statement *statement,
    int64_t *numbers, size_t count);

SQL_CALL sql_step(struct sql_statement *statement);

/* Columns from 0. A text is valid until the next step. */
int64_t sql_number(struct sql_statement *statement, int column);
double sql_real(struct sql_statement *statement, int column);
struct text sql_text(struct sql_statement *statement, int column);

/* Ends reading, so the statement can be run again. */
void sql_reset(struct sql_statement *statement);

/* Bounds the processor time of what follows, in microseconds from now; 0: no bound. */
void sql_limit(struct sql *sql, int64_t microseconds);

/* Pages in the write-ahead log after the last commit. */
int sql_log_pages(const struct sql *sql);

/* Brings the log into the file and begins it anew. Waits 200 ms for readers at most: false if
 * they took longer. */
bool sql_shorten_log(struct sql *sql);

/* The same, and cuts the log to nothing: what it held is no longer on disk. */
bool sql_empty_log(struct sql *sql);

/* How many rows were changed since the connection was opened. */
int64_t sql_changes(struct sql *sql);

/* As sqlite3_libversion_number: 3040001. */
int sql_version(void);
