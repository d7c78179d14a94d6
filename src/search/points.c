#include "search/points.h"

#include <stdlib.h>
#include <string.h>

enum { CHANGES_KEPT = 20000 };

const char points_tables[] =
    "CREATE TABLE points(row INTEGER PRIMARY KEY, points INTEGER NOT NULL);"
    "CREATE TABLE changed(n INTEGER PRIMARY KEY, row INTEGER NOT NULL,"
    " points INTEGER NOT NULL);";

static int64_t
bounded(int64_t points)
{
	if (points > INT32_MAX)
		return INT32_MAX;
	return points < INT32_MIN ? INT32_MIN : points;
}

enum sql_result
points_write(struct sql *sql, int64_t row, int64_t points)
{
	int64_t known = 0;
	enum sql_result result = sql_read(sql,
	    sql_bind(sql, "SELECT points FROM points WHERE row = ?1",
		SQL_NUMBERS(row)),
	    &known, 1);

	points = bounded(points);
	if (result == SQL_ROW && known == points)
		return SQL_DONE;
	/* Readers see by themselves that a row is new. */
	if (result == SQL_ROW)
		result = sql_write(sql,
		    sql_bind(sql,
			"INSERT INTO changed(row, points) VALUES (?1, ?2)",
			SQL_NUMBERS(row, points)));
	if (result != SQL_DONE)
		return result;
	return sql_write(sql,
	    sql_bind(sql, "INSERT OR REPLACE INTO points VALUES (?1, ?2)",
		SQL_NUMBERS(row, points)));
}

enum sql_result
points_trim(struct sql *sql)
{
	return sql_write(sql,
	    sql_bind(sql,
		"DELETE FROM changed WHERE n <="
		" (SELECT max(n) FROM changed) - ?1",
		SQL_NUMBERS(CHANGES_KEPT)));
}

/* Room for the points of all rows; of those that are new they are 0. */
static bool
reserve(struct points *points, int64_t rows)
{
	int64_t room = rows + rows / 8 + 1024;
	int32_t *values;

	if (rows > points->room) {
		values =
		    realloc(points->values, (size_t)room * sizeof(*values));
		if (values == NULL)
			return false;
		memset(values + points->room, 0,
		    (size_t)(room - points->room) * sizeof(*values));
		points->values = values;
		points->room = room;
	}
	points->rows = rows;
	return true;
}

/* Takes rows and points; a damaged file may give any number for a row. */
static enum sql_result
take_all(
    struct points *points, struct sql *sql, struct sql_statement *statement)
{
	enum sql_result result;

	if (statement == NULL)
		return sql_failure(sql);
	while ((result = sql_step(statement)) == SQL_ROW) {
		int64_t row = sql_number(statement, 0);

		if (row > 0 && row <= points->rows)
			points->values[row - 1] =
			    (int32_t)bounded(sql_number(statement, 1));
	}
	sql_reset(statement);
	return result;
}

enum sql_result
points_read(struct points *points, struct sql *sql, int64_t rows)
{
	int64_t version = 0, log[2] = { 0 }, from = points->rows;
	enum sql_result result =
	    sql_read(sql, sql_prepare(sql, "PRAGMA data_version"), &version, 1);

	if (result != SQL_ROW || version == points->version)
		return result == SQL_ROW ? SQL_DONE : result;
	if (!reserve(points, rows))
		return SQL_FAILED;
	result = sql_read(sql,
	    sql_prepare(sql, "SELECT min(n), max(n) FROM changed"), log, 2);
	if (result != SQL_ROW)
		return result;
	if (log[0] > points->changes + 1)
		from = 0;
	result = take_all(points, sql,
	    sql_bind(sql, "SELECT row, points FROM points WHERE row > ?1",
		SQL_NUMBERS(from)));
	if (result == SQL_DONE)
		result = take_all(points, sql,
		    sql_bind(sql,
			"SELECT row, points FROM changed WHERE n > ?1"
			" ORDER BY n",
			SQL_NUMBERS(points->changes)));
	if (result != SQL_DONE)
		return result;
	points->changes = log[1];
	points->version = version;
	return SQL_DONE;
}

int64_t
points_of(const struct points *points, int64_t row)
{
	return row > 0 && row <= points->rows ? points->values[row - 1] : 0;
}

void
points_free(struct points *points)
{
	free(points->values);
	*points = (struct points){ 0 };
}
