#include "archive/inventory.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "redis/redis.h"
#include "store/keys.h"

/* Keys that one SCAN visits: about 100 microseconds of Redis. */
#define STEP TEXT("500")

/* Arrays that grow, as bytes. */
struct found {
	struct arena *arena;
	enum inventory_extent extent;
	struct buffer articles, voters, members, lists;
};

int
inventory_compare_places(const void *a, const void *b)
{
	const struct place *one = a, *other = b;

	if (one->id != other->id)
		return one->id < other->id ? -1 : 1;
	return (one->bucket > other->bucket) - (one->bucket < other->bucket);
}

static int
compare_lists(const void *a, const void *b)
{
	return text_compare(*(const struct text *)a, *(const struct text *)b);
}

static void
append(struct buffer *buffer, const void *item, size_t size)
{
	buffer_add(buffer, (struct text){ item, size });
}

static void
note_key(struct found *found, struct text key)
{
	struct place place = { 0, 0 };
	struct text list;

	switch (key_kind_of(key, &place.bucket, &place.id, &list)) {
	case KEY_ARTICLE:
		append(&found->articles, &place, sizeof(place));
		return;
	case KEY_UP:
	case KEY_DOWN:
		append(&found->voters, &place, sizeof(place));
		return;
	case KEY_USER:
		append(&found->members, &place, sizeof(place));
		return;
	case KEY_TIME:
	case KEY_SCORE:
	case KEY_INTERESTING:
		if (found->extent == INVENTORY_ARTICLES)
			return;
		key = text_copy(found->arena, key);
		append(&found->lists, &key, sizeof(key));
		return;
	default:
		return;
	}
}

/* One step through all keys; *cursor is 0 at the end. */
static enum store_result
scan(struct store *store, struct arena *step, struct found *found,
    uint64_t *cursor)
{
	struct pipeline pipeline = pipeline_begin(store->redis, step);
	const struct reply *keys;

	pipeline_add(&pipeline, TEXT("SCAN"),
	    text_format(step, "%llu", (unsigned long long)*cursor),
	    TEXT("COUNT"), STEP);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	*cursor = reply_id(reply_item(&pipeline.replies[0], 0));
	keys = reply_item(&pipeline.replies[0], 1);
	for (size_t i = 0; i < keys->count; i++)
		note_key(found, reply_text(reply_item(keys, i)));
	return STORE_OK;
}

/* SCAN may bring a key twice when Redis makes room for more meanwhile. */
static size_t
sort_once(struct buffer *buffer, size_t size,
    int (*compare)(const void *a, const void *b))
{
	size_t count = buffer->size / size, kept = 0;

	if (count > 0)
		qsort(buffer->data, count, size, compare);
	for (size_t i = 0; i < count; i++) {
		char *item = buffer->data + i * size;

		if (kept > 0 &&
		    compare(item, buffer->data + (kept - 1) * size) == 0)
			continue;
		memmove(buffer->data + kept++ * size, item, size);
	}
	return kept;
}

static size_t
places_of(struct buffer *buffer, struct place **places)
{
	*places = (struct place *)(void *)buffer->data;
	return sort_once(
	    buffer, sizeof(struct place), inventory_compare_places);
}

STORE_CALL
inventory_read(struct store *store, struct arena *arena,
    enum inventory_extent extent, struct inventory *inventory)
{
	struct found found = { .arena = arena,
		.extent = extent,
		.articles = buffer_in(arena, 4096),
		.voters = buffer_in(arena, 4096),
		.members = buffer_in(arena, 4096),
		.lists = buffer_in(arena, 4096) };
	struct arena step = { 0 };
	enum store_result result;
	uint64_t cursor = 0;

	do {
		result = scan(store, &step, &found, &cursor);
		arena_reset(&step);
	} while (result == STORE_OK && cursor != 0);
	arena_free(&step);
	if (result != STORE_OK)
		return result;
	inventory->article_count =
	    places_of(&found.articles, &inventory->articles);
	inventory->voter_count = places_of(&found.voters, &inventory->voters);
	inventory->member_count =
	    places_of(&found.members, &inventory->members);
	inventory->list_count =
	    sort_once(&found.lists, sizeof(struct text), compare_lists);
	inventory->lists = (struct text *)(void *)found.lists.data;
	return STORE_OK;
}
