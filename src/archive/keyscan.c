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
	/* Arrays that grow, as bytes: of places, of texts, and of mistyped keys. */
	struct buffer places[KEYSCAN_KINDS], keys[KEYSCAN_KEYS], lists;
	struct buffer mistyped; /* struct mistyped */
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
compare_texts(const void *a, const void *b)
{
	return text_compare(*(const struct text *)a, *(const struct text *)b);
}

static int
compare_mistyped(const void *a, const void *b)
{
	return text_compare(((const struct mistyped *)a)->key,
	    ((const struct mistyped *)b)->key);
}

/* How a kind of key is collected; lists (key_is_list) are, too. */
enum collected { NOT_COLLECTED, AS_PLACE, AS_KEY };

static const struct {
	enum collected as;
	unsigned kind; /* keyscan_kind of a place, keyscan_key of a key */
} kinds[KEY_KINDS] = {
	[KEY_ARTICLE] = { AS_PLACE, KEYSCAN_ARTICLES },
	[KEY_COMMENT] = { AS_PLACE, KEYSCAN_COMMENTS },
	[KEY_VOTERS] = { AS_PLACE, KEYSCAN_VOTERS },
	[KEY_FLAGS] = { AS_PLACE, KEYSCAN_FLAGS },
	[KEY_THREAD] = { AS_PLACE, KEYSCAN_THREADS },
	[KEY_MOD_ACTION] = { AS_PLACE, KEYSCAN_ACTS },
	[KEY_CONTAINMENT] = { AS_PLACE, KEYSCAN_CONTAINMENTS },
	[KEY_USER] = { AS_PLACE, KEYSCAN_MEMBERS },
	/* A member with any of them is there once. */
	[KEY_INBOX] = { AS_PLACE, KEYSCAN_INBOXES },
	[KEY_MUTED] = { AS_PLACE, KEYSCAN_INBOXES },
	[KEY_HIDDEN] = { AS_PLACE, KEYSCAN_INBOXES },
	[KEY_FOLLOWS] = { AS_PLACE, KEYSCAN_INBOXES },
	[KEY_SAVED] = { AS_PLACE, KEYSCAN_INBOXES },
	[KEY_VOTES] = { AS_PLACE, KEYSCAN_INBOXES },
	[KEY_NAME] = { AS_KEY, KEYSCAN_NAMES },
	[KEY_GROUP] = { AS_KEY, KEYSCAN_GROUPS },
	[KEY_CLAIMS] = { AS_KEY, KEYSCAN_CLAIMS },
	[KEY_FRONT] = { AS_KEY, KEYSCAN_FRONTS },
};

static bool
is_wanted(enum keyscan_extent extent, unsigned kind)
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
collect_text(struct found *found, struct buffer *texts, struct text key)
{
	if (found->extent != KEYSCAN_ALL)
		return;
	key = text_copy(found->arena, key);
	buffer_add(texts, (struct text){ (char *)&key, sizeof(key) });
}

static void
collect_key(struct found *found, struct text key)
{
	struct place place = { .bucket = 0 };
	struct text list;
	enum key_kind key_kind =
	    key_parse(key, &place.bucket, &place.id, &list);
	unsigned kind = kinds[key_kind].kind;

	switch (kinds[key_kind].as) {
	case AS_PLACE:
		if (is_wanted(found->extent, kind))
			buffer_add(&found->places[kind],
			    (struct text){ (char *)&place, sizeof(place) });
		break;
	case AS_KEY:
		collect_text(found, &found->keys[kind], key);
		break;
	case NOT_COLLECTED:
		break;
	}
	if (key_is_list(key_kind))
		collect_text(found, &found->lists, key);
}

/* A key that has expired or was deleted meanwhile has the type "none". */
static void
collect_type(struct found *found, struct text key, struct text type)
{
	struct text wanted = key_type(key);
	struct mistyped mistyped;

	if (wanted.size == 0 || text_equal(type, wanted) ||
	    text_equal(type, TEXT("none")))
		return;
	mistyped = (struct mistyped){ text_copy(found->arena, key),
		text_copy(found->arena, type) };
	buffer_add(&found->mistyped,
	    (struct text){ (char *)&mistyped, sizeof(mistyped) });
}

static enum store_result
find_mistyped(struct found *found, struct arena *step, const struct reply *keys)
{
	struct pipeline pipeline = pipeline_begin(found->redis, step);

	for (size_t i = 0; i < keys->count; i++)
		pipeline_add(
		    &pipeline, TEXT("TYPE"), reply_text(reply_item(keys, i)));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < keys->count; i++)
		collect_type(found, reply_text(reply_item(keys, i)),
		    reply_text(&pipeline.replies[i]));
	return STORE_OK;
}

/* One step through all keys of a master; *cursor is 0 at the end. */
static enum store_result
scan_step(
    struct found *found, struct arena *step, size_t master, uint64_t *cursor)
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
		collect_key(found, reply_text(reply_item(keys, i)));
	return found->extent == KEYSCAN_ALL ? find_mistyped(found, step, keys)
					    : STORE_OK;
}

/* SCAN may return a key twice when Redis makes room for more meanwhile. */
size_t
keyscan_sort_unique(struct buffer *buffer, size_t size,
    int (*compare)(const void *a, const void *b))
{
	size_t count = buffer->size / size, left = 0;

	if (count > 0)
		qsort(buffer->data, count, size, compare);
	for (size_t i = 0; i < count; i++) {
		char *item = buffer->data + i * size;

		if (left > 0 &&
		    compare(item, buffer->data + (left - 1) * size) == 0)
			continue;
		memmove(buffer->data + left++ * size, item, size);
	}
	return left;
}

static struct places
places_of(struct buffer *buffer)
{
	return (struct places){ (struct place *)(void *)buffer->data,
		keyscan_sort_unique(
		    buffer, sizeof(struct place), compare_places) };
}

/* A scan that starts over finds everything again. */
static void
forget_all(struct found *found)
{
	for (size_t i = 0; i < KEYSCAN_KINDS; i++)
		found->places[i].size = 0;
	for (size_t i = 0; i < KEYSCAN_KEYS; i++)
		found->keys[i].size = 0;
	found->lists.size = 0;
	found->mistyped.size = 0;
}

static bool
scan_master(void *data, size_t master)
{
	struct found *found = data;
	struct arena step = { 0 };
	enum store_result result;
	uint64_t cursor = 0;

	if (master == 0)
		forget_all(found);
	do {
		result = scan_step(found, &step, master, &cursor);
		arena_reset(&step);
	} while (result == STORE_OK && cursor != 0);
	arena_free(&step);
	return result == STORE_OK;
}

STORE_CALL
keyscan_read(struct store *store, struct arena *arena,
    enum keyscan_extent extent, struct keyscan *keyscan)
{
	struct found found = { .redis = store->redis,
		.arena = arena,
		.extent = extent,
		.lists = buffer_in(arena, 4096),
		.mistyped = buffer_in(arena, 256) };
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
	*keyscan = (struct keyscan){ .began = reply_seconds(&clock.replies[0]),
		.lists = (struct text *)(void *)found.lists.data,
		.list_count = keyscan_sort_unique(
		    &found.lists, sizeof(struct text), compare_texts),
		.mistyped = (struct mistyped *)(void *)found.mistyped.data,
		.mistyped_count = keyscan_sort_unique(&found.mistyped,
		    sizeof(struct mistyped), compare_mistyped) };
	for (size_t i = 0; i < KEYSCAN_KINDS; i++)
		keyscan->places[i] = places_of(&found.places[i]);
	for (size_t i = 0; i < KEYSCAN_KEYS; i++)
		keyscan->keys[i] =
		    (struct keys){ (struct text *)(void *)found.keys[i].data,
			    keyscan_sort_unique(&found.keys[i],
				sizeof(struct text), compare_texts) };
	return is_read ? STORE_OK : STORE_DOWN;
}

static bool
has_place(const struct places *places, const struct place *place)
{
	return places->count > 0 &&
	    bsearch(place, places->items, places->count, sizeof(*place),
		compare_places) != NULL;
}

bool
keyscan_has_post(const struct keyscan *keyscan, const struct place *post)
{
	return has_place(
	    &keyscan->places[post->id.comment == 0 ? KEYSCAN_ARTICLES
						   : KEYSCAN_COMMENTS],
	    post);
}

bool
keyscan_has_member(const struct keyscan *keyscan, uint64_t user)
{
	const struct place place = { .id.article = user };

	return has_place(&keyscan->places[KEYSCAN_MEMBERS], &place);
}

bool
keyscan_has_act(const struct places *acts, const struct place *act)
{
	return has_place(acts, act);
}
