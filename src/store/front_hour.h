/*
 * Front pages that were kept: at each full hour, UTC, the ids of the first articles of the front
 * order (lists/front.h), which are never changed afterwards. An hour is a number: how many full
 * hours it is since 1970. Its name is "2026-11-20T14".
 *
 *	{b.0}front:2026-11  hash  "20T14" -> the ids in order, each in five bytes, most
 *	                          significant first
 *	{b.0}fronts         set   the months that have kept front pages
 *
 * That is 5 MB a year of Redis, and the hours of a month can be read together. Whoever writes an
 * hour first wins, and nobody writes it later than FRONT_HOUR_LATE seconds after it was full: an
 * hour in which the site was down is missing.
 *
 * The field "front" of an article is the first of these hours that has it, so an article that was
 * never among them costs nothing. It is written before the hour is: no hour has an article that
 * does not say so, whenever the writer is killed.
 */
#pragma once

#include "store/article.h"

enum {
	FRONT_HOUR_PLACES = 100,
	FRONT_HOUR_LATE = 60,
	FRONT_HOUR_SECONDS = 3600,
	FRONT_HOUR_ID_BYTES = 5,
	FRONT_HOUR_NAME = 13 /* characters */
};
#define FRONT_HOUR_ID_MAX UINT64_C(99999999999) /* that of a dump */

struct front_hour {
	int64_t hour;
	uint64_t articles[FRONT_HOUR_PLACES];
	size_t count;
};

/* The hour of a name in exactly that form; false for anything else, as the 30th of February. */
bool front_hour_parse(struct text name, int64_t *hour);
struct text front_hour_name(struct arena *arena, int64_t hour);

/* The key of an hour's month, its field there, and that key's last part, "2026-11". */
struct text front_hour_key(
    struct arena *arena, const struct buckets *buckets, int64_t hour);
struct text front_hour_field(struct arena *arena, int64_t hour);
struct text front_hour_month(struct arena *arena, int64_t hour);

/* The hour of a month and a field; false when they are none. */
bool front_hour_of(struct text month, struct text field, int64_t *hour);

/* The ids as bytes, and from bytes; false when these are none, or too many. */
struct text front_hour_encode(
    struct arena *arena, const uint64_t *articles, size_t count);
bool front_hour_decode(struct text bytes, struct front_hour *front);

/* Keeps the present hour's page. STORE_TAKEN: it is kept already; STORE_CLOSED: by Redis's clock
 * it is not its time. */
STORE_CALL front_hour_keep(
    struct store *store, struct arena *arena, const struct front_hour *front);

/* The same of any hour, for a load. STORE_TAKEN. */
STORE_CALL front_hour_load(
    struct store *store, struct arena *arena, const struct front_hour *front);

/* Adds the call that notes an hour in an article of it, unless an earlier one is noted. Its
 * outcome may be STORE_ABSENT. */
void front_hour_send_mark(struct pipeline *pipeline, const struct store *store,
    uint64_t article, int64_t hour);

/* Adds the call that puts a month into the set of months if it has pages, and takes it out
 * otherwise. key is front_hour_key's. */
void front_hour_send_list(
    struct pipeline *pipeline, struct text key, struct text month);

/* Reads a page. STORE_ABSENT: it was not kept. */
STORE_CALL front_hour_read(struct store *store, struct arena *arena,
    int64_t hour, struct front_hour *front);

/* The last hour before one and the first after it that are kept; 0: there is none. */
STORE_CALL front_hour_near(struct store *store, struct arena *arena,
    int64_t hour, int64_t *before, int64_t *after);

/* The months that have any, in order. */
STORE_CALL front_hour_months(struct store *store, struct arena *arena,
    const struct text **months, size_t *count);

/*
 * An article's places in its first week, and as long as votes are taken: places[i] is that of the
 * hour first + i, or 0 when it was not among the first, or FRONT_HOUR_MISSING.
 */
enum { FRONT_HOUR_WEEK = 7 * 24, FRONT_HOUR_MISSING = 255 };
struct front_places {
	int64_t first;
	size_t count; /* 0: it never had one */
	unsigned char places[FRONT_HOUR_WEEK];
};

/* The hours of which that can be said at a moment: sets first and count. */
struct front_places front_hour_span(const struct article *article, int64_t now);

/* Reads the places for that span, which is not empty: a command for each month of it. */
STORE_CALL front_hour_read_places(struct store *store, struct arena *arena,
    uint64_t article, struct front_places *places);
