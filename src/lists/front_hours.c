#include "lists/front_hours.h"

#include <string.h>

#include "lists/list.h"
#include "redis/redis.h"

enum {
	HOUR_MS = FRONT_HOUR_SECONDS * 1000,
	LATE_MS = FRONT_HOUR_LATE * 1000,
	SETTLED = 2 * FRONT_HOUR_LATE /* seconds */
};

/* STORE_ABSENT: there are no articles. */
static enum store_result
read_present(struct store *store, struct arena *arena, struct front_hour *front)
{
	const struct list_query query = { .kind = LIST_FRONT };
	struct versions versions;
	struct order order;
	enum store_result result = list_read_order(
	    store, arena, &query, FRONT_HOUR_PLACES, &order, &versions);

	if (result != STORE_OK)
		return result;
	if (order.is_partial || versions.is_partial)
		return STORE_DOWN;
	front->count = order.count;
	for (size_t i = 0; i < order.count; i++)
		front->articles[i] = order.entries[i].id;
	return order.count > 0 ? STORE_OK : STORE_ABSENT;
}

static enum store_result
keep(struct store *store, struct arena *arena, int64_t hour)
{
	struct front_hour front = { .hour = hour }, kept;
	enum store_result result = front_hour_read(store, arena, hour, &kept);

	if (result == STORE_ABSENT)
		result = read_present(store, arena, &front);
	if (result == STORE_OK && front.count > 0)
		result = front_hour_keep(store, arena, &front);
	return result;
}

static enum store_result
step(struct front_writer *writer, struct store *store, struct arena *arena,
    int64_t *wait_ms)
{
	int64_t now, hour;

	if (!redis_time(store->redis, arena, &now))
		return STORE_DOWN;
	hour = now / HOUR_MS;
	*wait_ms = HOUR_MS - now % HOUR_MS;
	if (*wait_ms > FRONT_HOURS_WAIT_MS)
		*wait_ms = FRONT_HOURS_WAIT_MS;
	if (hour != writer->done && now % HOUR_MS < LATE_MS &&
	    keep(store, arena, hour) == STORE_DOWN)
		return STORE_DOWN;
	writer->done = hour;
	return STORE_OK;
}

STORE_CALL
front_writer_step(
    struct front_writer *writer, struct store *store, int64_t *wait_ms)
{
	struct arena arena = { 0 };
	enum store_result result;

	*wait_ms = 1000;
	result = step(writer, store, &arena, wait_ms);
	if (result != STORE_OK)
		*wait_ms = 1000;
	arena_free(&arena);
	return result;
}

/* Nothing more is written in the last hour: it is there, or too late. */
static bool
is_settled(const struct front_places *places, int64_t now)
{
	int64_t last = places->first + (int64_t)places->count - 1;

	return places->places[places->count - 1] != FRONT_HOUR_MISSING ||
	    now > last * FRONT_HOUR_SECONDS + SETTLED;
}

STORE_CALL
front_places_read(struct store *store, struct arena *arena,
    struct read_cache *cache, const struct article *article, int64_t now,
    struct front_places *places)
{
	uint64_t id = article->post.id.article;
	struct stamp stamp = { .epoch = store_epoch(store) };
	struct text bytes;
	enum store_result result;

	*places = front_hour_span(article, now);
	if (places->count == 0)
		return STORE_OK;
	stamp.version = (uint64_t)places->first + places->count;
	if (read_cache_get_places(cache, arena, stamp, id, &bytes) &&
	    bytes.size == places->count) {
		memcpy(places->places, bytes.data, bytes.size);
		return STORE_OK;
	}
	result = front_hour_read_places(store, arena, id, places);
	if (result != STORE_OK || places->count == 0 ||
	    !is_settled(places, now))
		return result;
	bytes = (struct text){ (const char *)places->places, places->count };
	read_cache_put_places(cache, arena, stamp, id, bytes);
	return STORE_OK;
}
