#include "archive/keyscan.h"

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
	enum keyscan_extent extent;
	/* Arrays that grow, as bytes: of places, and of texts. */
	struct buffer places[KEYSCAN_KINDS], keys[KEYSCAN_KEYS], lists;
};

static int
compare_places(const void *a, const void *b)
{
	const struct place *one = a, *other = b;
	int order = sort_compare(one->id.article, other->id.article);

	if (order == 0)
		order = sort_compare(one->id.comment, other->id.comment);
	return order != 0 ? order : sort_compare(one->bucket, other->bucket);
}

static int
compare_lists(const void *a, const void *b)
{
	return text_compare(*(const struct text *)a, *(const struct text *)b);
}

/* Whether it is one that has its places. */
static bool
is_placed(enum key_kind key, enum keyscan_kind *kind)
{
	static const enum key_kind keys[KEYSCAN_KINDS] = {
		[KEYSCAN_ARTICLES] = KEY_ARTICLE,
		[KEYSCAN_COMMENTS] = KEY_COMMENT,
		[KEYSCAN_VOTERS] = KEY_VOTERS,
		[KEYSCAN_FLAGS] = KEY_FLAGS,
		[KEYSCAN_THREADS] = KEY_THREAD,
		[KEYSCAN_ACTS] = KEY_MOD_ACTION,
		[KEYSCAN_MEMBERS] = KEY_USER,
		[KEYSCAN_INBOXES] = KEY_INBOX,
	};

	/* A member with either is there once. */
	if (key == KEY_MUTED)
		key = KEY_INBOX;
	for (*kind = 0; *kind < KEYSCAN_KINDS; ++*kind)
		if (keys[*kind] == key)
			return true;
	return false;
}

static void
note_text(struct found *found, struct buffer *texts, struct text key)
{
	key = text_copy(found->arena, key);
	buffer_add(texts, (struct text){ (char *)&key, sizeof(key) });
}

static bool
is_kept(enum key_kind key, enum keyscan_key *kind)
{
	static const enum key_kind keys[KEYSCAN_KEYS] = {
		[KEYSCAN_NAMES] = KEY_NAME,
		[KEYSCAN_GROUPS] = KEY_GROUP,
		[KEYSCAN_CLAIMS] = KEY_CLAIMS,
	};

	for (*kind = 0; *kind < KEYSCAN_KEYS; ++*kind)
		if (keys[*kind] == key)
			return true;
	return false;
}

static bool
is_wanted(enum keyscan_extent extent, enum keyscan_kind kind)
{
	switch (extent) {
	case KEYSCAN_POSTS:
		return kind == KEYSCAN_ARTICLES || kind == KEYSCAN_COMMENTS;
	case KEYSCAN_LOG:
		return kind == KEYSCAN_ACTS;
	default:
		return true;
	}
}

static void
note_key(struct found *found, struct text key)
{
	struct place place = { .bucket = 0 };
	struct text list;
	enum key_kind key_kind =
	    key_parse(key, &place.bucket, &place.id, &list);
	enum keyscan_kind kind;
	enum keyscan_key kept;

	if (is_placed(key_kind, &kind)) {
		if (is_wanted(found->extent, kind))
			buffer_add(&found->places[kind],
			    (struct text){ (char *)&place, sizeof(place) });
	} else if (found->extent == KEYSCAN_ALL) {
		if (key_is_list(key_kind))
			note_text(found, &found->lists, key);
		else if (is_kept(key_kind, &kept))
			note_text(found, &found->keys[kept], key);
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
	for (size_t i = 0; i < KEYSCAN_KINDS; i++)
		found->places[i].size = 0;
	for (size_t i = 0; i < KEYSCAN_KEYS; i++)
		found->keys[i].size = 0;
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
keyscan_read(struct store *store, struct arena *arena,
    enum keyscan_extent extent, struct keyscan *inventory)
{
	struct found found = { .redis = store->redis,
		.arena = arena,
		.extent = extent,
		.lists = buffer_in(arena, 4096) };
	struct pipeline clock = pipeline_begin(store->redis, arena);
	bool is_read;

	pipeline_add_time(&clock, KEY_SITE);
	if (!redis_run(&clock))
		return STORE_DOWN;
	for (size_t i = 0; i < KEYSCAN_KINDS; i++)
		found.places[i] = buffer_in(arena, 1024);
	for (size_t i = 0; i < KEYSCAN_KEYS; i++)
		found.keys[i] = buffer_in(arena, 1024);
	is_read = redis_visit_masters(store->redis, scan_master, &found);
	*inventory =
	    (struct keyscan){ .began = reply_seconds(&clock.replies[0]),
		    .lists = (struct text *)(void *)found.lists.data,
		    .list_count = sort_once(
			&found.lists, sizeof(struct text), compare_lists) };
	for (size_t i = 0; i < KEYSCAN_KINDS; i++)
		inventory->places[i] = places_of(&found.places[i]);
	for (size_t i = 0; i < KEYSCAN_KEYS; i++)
		inventory->keys[i] =
		    (struct keys){ (struct text *)(void *)found.keys[i].data,
			    sort_once(&found.keys[i], sizeof(struct text),
				compare_lists) };
	return is_read ? STORE_OK : STORE_DOWN;
}

static bool
has_place(const struct keyscan *inventory, enum keyscan_kind kind,
    const struct place *place)
{
	const struct places *places = &inventory->places[kind];

	return places->count > 0 &&
	    bsearch(place, places->items, places->count, sizeof(*place),
		compare_places) != NULL;
}

bool
keyscan_has_post(const struct keyscan *inventory, const struct place *post)
{
	return has_place(inventory,
	    post->id.comment == 0 ? KEYSCAN_ARTICLES : KEYSCAN_COMMENTS, post);
}

bool
keyscan_has_member(const struct keyscan *inventory, uint64_t user)
{
	const struct place place = { .id.article = user };

	return has_place(inventory, KEYSCAN_MEMBERS, &place);
}
