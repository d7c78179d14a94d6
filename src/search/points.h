/*
 * The points of all rows of an index, in memory, 4 bytes each: to rank thousands of hits without
 * reading them.
 *
 * They are read from the table "points" once. Then new rows are read from there, and changes
 * from "changed", a log that the writer keeps short; a reader that comes too late reads all again.
 */
#pragma once

#include "search/sql.h"

/* All zero has read nothing. */
struct points {
	int32_t *values; /* of row i at i - 1 */
	int64_t rows, room;
	int64_t version; /* of the data that was read */
	int64_t changes; /* the last entry of the log that was read */
};

/* The statements that create the tables. */
extern const char points_tables[];

/* Writes the points of a row. */
SQL_CALL points_write(struct sql *sql, int64_t row, int64_t points);

/* Shortens the log. */
SQL_CALL points_trim(struct sql *sql);

/* Brings the points of so many rows up to date, inside of a transaction. */
SQL_CALL points_read(struct points *points, struct sql *sql, int64_t rows);

/* Those of a row; 0 if there is no such row. */
int64_t points_of(const struct points *points, int64_t row);

void points_free(struct points *points);
