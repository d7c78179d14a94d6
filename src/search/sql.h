/*
 * A connection to an SQLite database with FTS5: what search/index.c and search/find.c need of it.
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

/* Prepares a statement, a literal, once; it lives as long as the connection. NULL if it fails. */
struct sql_statement *sql_prepare(struct sql *sql, const char *text);

/* What the last call that failed came to. */
SQL_CALL sql_failure(const struct sql *sql);

/* Parameters from 1. Texts are not copied; without data they are NULL. */
void sql_bind_number(struct sql_statement *statement, int at, int64_t number);
void sql_bind_text(struct sql_statement *statement, int at, struct text text);

SQL_CALL sql_step(struct sql_statement *statement);

/* Columns from 0. A text is valid until the next step. */
bool sql_is_null(struct sql_statement *statement, int column);
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

/* How many rows were changed since the connection was opened. */
int64_t sql_changes(struct sql *sql);

/* As sqlite3_libversion_number: 3040001. */
int sql_version(void);
