#include "store/front_hour.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "redis/redis.h"
#include "store/encoding.h"
#include "store/function_call.h"

enum {
	DAY_HOURS = 24,
	MONTH_CHARS = 7, /* "2026-11" */
	YEAR_ZERO = 1900 /* of struct tm */
};

static struct tm
parts_of(int64_t hour)
{
	time_t moment = (time_t)(hour * FRONT_HOUR_SECONDS);
	struct tm parts = { .tm_mday = 1 };

	gmtime_r(&moment, &parts);
	return parts;
}

struct text
front_hour_name(struct arena *arena, int64_t hour)
{
	return text_format(arena, "%.*s-%.*s",
	    TEXT_ARGS(front_hour_month(arena, hour)),
	    TEXT_ARGS(front_hour_field(arena, hour)));
}

struct text
front_hour_month(struct arena *arena, int64_t hour)
{
	return key_month(arena, hour * FRONT_HOUR_SECONDS);
}

struct text
front_hour_field(struct arena *arena, int64_t hour)
{
	struct tm parts = parts_of(hour);

	return text_format(arena, "%02dT%02d", parts.tm_mday, parts.tm_hour);
}

struct text
front_hour_key(struct arena *arena, const struct buckets *buckets, int64_t hour)
{
	return key_front(arena, buckets, front_hour_month(arena, hour));
}

/* A number of exactly so many digits at an offset; -1 when there is none. */
static int
number_at(struct text name, size_t at, size_t digits)
{
	int number = 0;

	for (size_t i = at; i < at + digits; i++) {
		char c = name.data[i];

		if (c < '0' || c > '9')
			return -1;
		number = number * 10 + c - '0';
	}
	return number;
}

bool
front_hour_parse(struct text name, int64_t *hour)
{
	struct tm parts = { 0 }, wanted;

	if (name.size != FRONT_HOUR_NAME || name.data[4] != '-' ||
	    name.data[7] != '-' || name.data[10] != 'T')
		return false;
	parts.tm_year = number_at(name, 0, 4) - YEAR_ZERO;
	parts.tm_mon = number_at(name, 5, 2) - 1;
	parts.tm_mday = number_at(name, 8, 2);
	parts.tm_hour = number_at(name, 11, 2);
	wanted = parts;
	/* timegm makes the 2nd of March of the 30th of February, and the 1st of a day -1. */
	*hour = timegm(&parts) / FRONT_HOUR_SECONDS;
	return *hour > 0 && parts.tm_year == wanted.tm_year &&
	    parts.tm_mon == wanted.tm_mon && parts.tm_mday == wanted.tm_mday &&
	    parts.tm_hour == wanted.tm_hour;
}

bool
front_hour_of(struct text month, struct text field, int64_t *hour)
{
	char name[FRONT_HOUR_NAME];

	if (month.size != MONTH_CHARS ||
	    field.size != FRONT_HOUR_NAME - MONTH_CHARS - 1)
		return false;
	memcpy(name, month.data, MONTH_CHARS);
	name[MONTH_CHARS] = '-';
	memcpy(name + MONTH_CHARS + 1, field.data, field.size);
	return front_hour_parse((struct text){ name, FRONT_HOUR_NAME }, hour);
}

struct text
front_hour_encode(struct arena *arena, const uint64_t *articles, size_t count)
{
	size_t size = count * FRONT_HOUR_ID_BYTES;
	char *bytes = arena_bytes(arena, size);

	for (size_t i = 0; i < count; i++)
		for (size_t b = 0; b < FRONT_HOUR_ID_BYTES; b++)
			bytes[i * FRONT_HOUR_ID_BYTES + b] =
			    (char)(articles[i] >>
				8 * (FRONT_HOUR_ID_BYTES - 1 - b));
	return (struct text){ bytes, size };
}

bool
front_hour_decode(struct text bytes, struct front_hour *front)
{
	size_t count = bytes.size / FRONT_HOUR_ID_BYTES;

	front->count = 0;
	if (bytes.size % FRONT_HOUR_ID_BYTES != 0 || count == 0 ||
	    count > FRONT_HOUR_PLACES)
		return false;
	for (size_t i = 0; i < count; i++) {
		uint64_t id = decode_number(text_slice(
		    bytes, i * FRONT_HOUR_ID_BYTES, FRONT_HOUR_ID_BYTES));

		for (size_t before = 0; before < i; before++)
			if (front->articles[before] == id)
				return false;
		if (id == 0)
			return false;
		front->articles[i] = id;
	}
	front->count = count;
	return true;
}

void
front_hour_send_mark(struct pipeline *pipeline, const struct store *store,
    uint64_t article, int64_t hour)
{
	call_send_write(pipeline, "front_mark_1",
	    key_post(pipeline->arena, &store->buckets, article_id(article)),
	    text_number(pipeline->arena, hour * FRONT_HOUR_SECONDS));
}

void
front_hour_send_list(
    struct pipeline *pipeline, struct text key, struct text month)
{
	call_send_write(pipeline, "front_list_1", key, month);
}

/* An article that is damaged does not stop the others. */
static enum store_result
mark(struct store *store, struct arena *arena, const struct front_hour *front)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (size_t i = 0; i < front->count; i++)
		front_hour_send_mark(
		    &pipeline, store, front->articles[i], front->hour);
	return redis_run_each(&pipeline) ? STORE_OK : STORE_DOWN;
}

/* Marks the articles first; "when" is what the function holds against the clock. */
static enum store_result
write_hour(struct store *store, struct arena *arena,
    const struct front_hour *front, struct text when)
{
	if (mark(store, arena, front) != STORE_OK)
		return STORE_DOWN;
	return call_write(store, arena, "front_keep_1",
	    front_hour_key(arena, &store->buckets, front->hour),
	    front_hour_month(arena, front->hour),
	    front_hour_field(arena, front->hour),
	    front_hour_encode(arena, front->articles, front->count), when);
}

STORE_CALL
front_hour_keep(
    struct store *store, struct arena *arena, const struct front_hour *front)
{
	return write_hour(store, arena, front,
	    text_number(arena, front->hour * FRONT_HOUR_SECONDS));
}

STORE_CALL
front_hour_load(
    struct store *store, struct arena *arena, const struct front_hour *front)
{
	return write_hour(store, arena, front, TEXT(""));
}

STORE_CALL
front_hour_read(struct store *store, struct arena *arena, int64_t hour,
    struct front_hour *front)
{
	const struct reply *reply = store_read(store, arena, TEXT("HGET"),
	    front_hour_key(arena, &store->buckets, hour),
	    front_hour_field(arena, hour));

	*front = (struct front_hour){ .hour = hour };
	if (reply == NULL)
		return STORE_DOWN;
	return front_hour_decode(reply_text(reply), front) ? STORE_OK
							   : STORE_ABSENT;
}

static int
compare_texts(const void *a, const void *b)
{
	return text_compare(*(const struct text *)a, *(const struct text *)b);
}

STORE_CALL
front_hour_months(struct store *store, struct arena *arena,
    const struct text **months, size_t *count)
{
	const struct reply *reply = store_read(store, arena, TEXT("SMEMBERS"),
	    key_front_months(arena, &store->buckets));
	struct text *all;

	if (reply == NULL)
		return STORE_DOWN;
	*count = reply->count;
	*months = all = arena_new(arena, struct text, reply->count);
	for (size_t i = 0; i < reply->count; i++)
		all[i] = reply_text(reply_item(reply, i));
	if (reply->count > 0)
		qsort(all, reply->count, sizeof(*all), compare_texts);
	return STORE_OK;
}

/* Moves the nearest hours nearer, by those of a month. */
static enum store_result
look_in_month(struct store *store, struct arena *arena, struct text month,
    int64_t hour, int64_t *before, int64_t *after)
{
	const struct reply *fields = store_read(store, arena, TEXT("HKEYS"),
	    key_front(arena, &store->buckets, month));
	int64_t found;

	if (fields == NULL)
		return STORE_DOWN;
	for (size_t i = 0; i < fields->count; i++) {
		if (!front_hour_of(
			month, reply_text(reply_item(fields, i)), &found))
			continue;
		if (found < hour && found > *before)
			*before = found;
		if (found > hour && (*after == 0 || found < *after))
			*after = found;
	}
	return STORE_OK;
}

/* The month of the hour, and those next to it where that has none before or after. */
STORE_CALL
front_hour_near(struct store *store, struct arena *arena, int64_t hour,
    int64_t *before, int64_t *after)
{
	struct text own = front_hour_month(arena, hour);
	const struct text *months;
	size_t count, above = 0, below;
	enum store_result result =
	    front_hour_months(store, arena, &months, &count);

	*before = *after = 0;
	if (result != STORE_OK)
		return result;
	while (above < count && text_compare(months[above], own) <= 0)
		above++;
	below = above;
	if (below > 0 && text_equal(months[below - 1], own))
		result = look_in_month(
		    store, arena, months[--below], hour, before, after);
	if (result == STORE_OK && *before == 0 && below > 0)
		result = look_in_month(
		    store, arena, months[below - 1], hour, before, after);
	if (result == STORE_OK && *after == 0 && above < count)
		result = look_in_month(
		    store, arena, months[above], hour, before, after);
	return result;
}

/* After the voting an article falls, and its page is final (article_is_final): so nothing is said
 * of that, nor of an hour that may still be written when it ends. */
struct front_places
front_hour_span(const struct article *article, int64_t now)
{
	const struct post *post = &article->post;
	int64_t week = (int64_t)FRONT_HOUR_WEEK * FRONT_HOUR_SECONDS;
	int64_t end = post->closes - FRONT_HOUR_LATE, hours;
	struct front_places places = { .first = article->front /
		    FRONT_HOUR_SECONDS };

	if (end > post->posted + week)
		end = post->posted + week;
	if (end > now)
		end = now;
	hours = end / FRONT_HOUR_SECONDS - places.first + 1;
	if (article->front == 0 || hours < 1)
		return places;
	places.count =
	    hours < FRONT_HOUR_WEEK ? (size_t)hours : FRONT_HOUR_WEEK;
	return places;
}

/* How many hours of a span are in the month of its first. */
static size_t
count_in_month(struct arena *arena, int64_t first, size_t count)
{
	struct text month = front_hour_month(arena, first);
	size_t in_month = 1;

	while (in_month < count &&
	    text_equal(
		front_hour_month(arena, first + (int64_t)in_month), month))
		in_month++;
	return in_month;
}

static void
ask_places(struct pipeline *pipeline, const struct store *store,
    struct text bytes, int64_t first, size_t count)
{
	struct arena *arena = pipeline->arena;
	struct tm parts = parts_of(first);
	struct call call = call_begin(arena, CALL_READS, "front_places_1",
	    front_hour_key(arena, &store->buckets, first));

	call_add(&call, bytes);
	call_add_number(&call, (parts.tm_mday - 1) * DAY_HOURS + parts.tm_hour);
	call_add_number(&call, (int64_t)count);
	call_send(&call, pipeline);
}

STORE_CALL
front_hour_read_places(struct store *store, struct arena *arena,
    uint64_t article, struct front_places *places)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text bytes = front_hour_encode(arena, &article, 1);
	size_t asked = 0, got = 0;

	while (asked < places->count) {
		int64_t first = places->first + (int64_t)asked;
		size_t count =
		    count_in_month(arena, first, places->count - asked);

		ask_places(&pipeline, store, bytes, first, count);
		asked += count;
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < pipeline.count; i++) {
		struct text part = reply_text(&pipeline.replies[i]);

		for (size_t p = 0; p < part.size && got < places->count; p++)
			places->places[got++] = (unsigned char)part.data[p];
	}
	places->count = got;
	return STORE_OK;
}
