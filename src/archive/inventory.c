#include "archive/inventory.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/sort.h"
#include "redis/redis.h"
#include "store/keys.h"

/* Keys that one SCAN visits: about 100 microseconds of Redis. */
#define STEP TEXT("500")

struct found {
	struct redis *redis;
	struct arena *arena;
	enum inventory_extent extent;
	/* Arrays that grow, as bytes: of places, and of texts. */
	struct buffer articles, acts, voters, flags, members, lists;
};

static int
compare_places(const void *a, const void *b)
{
	const struct place *one = a, *other = b;
	int order = sort_compare(one->id, other->id);

	if (order == 0)
		order = sort_compare(one->comment, other->comment);
	return order != 0 ? order : sort_compare(one->bucket, other->bucket);
}

static int
compare_lists(const void *a, const void *b)
{
	return text_compare(*(const struct text *)a, *(const struct text *)b);
}

static void
note_key(struct found *found, struct text key)
{
	struct place place = { .bucket = 0 };
	struct post_id id;
	struct text list, item = { (char *)&place, sizeof(place) };
	enum key_kind kind = key_kind_of(key, &place.bucket, &id, &list);

	place.id = id.article;
	place.comment = id.comment;
	if ((found->extent == INVENTORY_ARTICLES && kind != KEY_ARTICLE) ||
	    (found->extent == INVENTORY_ACTS && kind != KEY_ACT))
		return;
	switch (kind) {
	case KEY_ARTICLE:
		buffer_add(&found->articles, item);
		return;
	case KEY_ACT:
		buffer_add(&found->acts, item);
		return;
	case KEY_FLAGS:
		buffer_add(&found->flags, item);
		return;
	case KEY_VOTERS:
		buffer_add(&found->voters, item);
		return;
	case KEY_USER:
		buffer_add(&found->members, item);
		return;
	case KEY_TIME:
	case KEY_SCORE:
	case KEY_GONE:
	case KEY_INTERESTING:
	case KEY_QUEUE:
	case KEY_LOG:
	case KEY_COMMENTS:
		list = text_copy(found->arena, key);
		item = (struct text){ (char *)&list, sizeof(list) };
		buffer_add(&found->lists, item);
		return;
	default:
		return;
	}
}

/* One step through all keys of a master; *cursor is 0 at the end. */
static enum store_result
scan(struct found *found, struct arena *step, size_t master, uint64_t *cursor)
{
	struct pipeline pipeline =
	    pipeline_begin_at(found->redis, step, master);
	const struct reply *keys;

	pipeline_add(&pipeline, TEXT("SCAN"),
	    text_number(step, (int64_t)*cursor), TEXT("COUNT"), STEP);
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

static struct places
places_of(struct buffer *buffer)
{
	return (struct places){ (struct place *)(void *)buffer->data,
		sort_once(buffer, sizeof(struct place), compare_places) };
}

/* Whatever an earlier walk has found, this one finds again. */
static void
forget(struct found *found)
{
	found->articles.size = 0;
	found->acts.size = 0;
	found->voters.size = 0;
	found->flags.size = 0;
	found->members.size = 0;
	found->lists.size = 0;
}

static bool
scan_master(void *data, size_t master)
{
	struct found *found = data;
	struct arena step = { 0 };
	enum store_result result;
	uint64_t cursor = 0;

	if (master == 0)
		forget(found);
	do {
		result = scan(found, &step, master, &cursor);
		arena_reset(&step);
	} while (result == STORE_OK && cursor != 0);
	arena_free(&step);
	return result == STORE_OK;
}

STORE_CALL
inventory_read(struct store *store, struct arena *arena,
    enum inventory_extent extent, struct inventory *inventory)
{
	struct found found = { .redis = store->redis,
		.arena = arena,
		.extent = extent,
		.articles = buffer_in(arena, 4096),
		.acts = buffer_in(arena, 1024),
		.voters = buffer_in(arena, 4096),
		.flags = buffer_in(arena, 1024),
		.members = buffer_in(arena, 4096),
		.lists = buffer_in(arena, 4096) };
	bool is_read = redis_walk(store->redis, scan_master, &found);

	*inventory = (struct inventory){ .articles = places_of(&found.articles),
		.acts = places_of(&found.acts),
		.voters = places_of(&found.voters),
		.flags = places_of(&found.flags),
		.members = places_of(&found.members),
		.lists = (struct text *)(void *)found.lists.data,
		.list_count = sort_once(
		    &found.lists, sizeof(struct text), compare_lists) };
	return is_read ? STORE_OK : STORE_DOWN;
}

bool
inventory_has(const struct places *places, const struct place *place)
{
	return places->count > 0 &&
	    bsearch(place, places->items, places->count, sizeof(*place),
		compare_places) != NULL;
}
