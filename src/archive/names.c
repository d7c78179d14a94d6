#include "archive/names.h"

#include <string.h>

#include "redis/redis.h"
#include "store/keys.h"

enum {
	SLOTS = 65536,
	AT_ONCE = 500 /* asked in one round trip */
};

/* One that is known; the next of the same slot takes its place. */
struct known {
	uint64_t id; /* 0: none yet */
	uint8_t size;
	char name[RULE_USER_NAME_MAX];
};

struct names {
	struct store *store;
	struct known *by_id;
	struct known *by_name; /* in lower case */
};

struct names *
names_new(struct store *store, struct arena *arena)
{
	struct names *names = arena_new(arena, struct names, 1);

	names->store = store;
	names->by_id = arena_new(arena, struct known, SLOTS);
	names->by_name = arena_new(arena, struct known, SLOTS);
	return names;
}

static struct known *
slot_of_id(struct names *names, uint64_t id)
{
	return &names->by_id[id % SLOTS];
}

static struct known *
slot_of_name(struct names *names, struct text name)
{
	return &names->by_name[text_hash(name) % SLOTS];
}

static struct text
name_in(const struct known *known)
{
	return (struct text){ known->name, known->size };
}

static void
remember(struct known *slot, uint64_t id, struct text name)
{
	if (id == 0 || name.size == 0 || name.size > sizeof(slot->name))
		return;
	slot->id = id;
	slot->size = (uint8_t)name.size;
	memcpy(slot->name, name.data, name.size);
}

static enum store_result
some_of(struct names *names, struct arena *arena, const uint64_t *ids,
    size_t count, struct text *found)
{
	struct pipeline pipeline = pipeline_begin(names->store->redis, arena);
	size_t answer = 0;

	for (size_t i = 0; i < count; i++) {
		const struct known *slot = slot_of_id(names, ids[i]);

		found[i] = (struct text){ NULL, 0 };
		if (slot->id == ids[i] && slot->size > 0)
			found[i] = text_copy(arena, name_in(slot));
		else
			pipeline_add(&pipeline, TEXT("HGET"),
			    key_user(arena, ids[i]), TEXT("name"));
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++) {
		if (found[i].size > 0)
			continue;
		found[i] = reply_text(&pipeline.replies[answer++]);
		remember(slot_of_id(names, ids[i]), ids[i], found[i]);
	}
	return STORE_OK;
}

STORE_CALL
names_of(struct names *names, struct arena *arena, const uint64_t *ids,
    size_t count, struct text *found)
{
	enum store_result result = STORE_OK;

	for (size_t i = 0; i < count && result == STORE_OK; i += AT_ONCE)
		result = some_of(names, arena, ids + i,
		    count - i < AT_ONCE ? count - i : AT_ONCE, found + i);
	return result;
}

static enum store_result
find_some(struct names *names, struct arena *arena, const struct text *wanted,
    size_t count, uint64_t *ids)
{
	struct pipeline pipeline = pipeline_begin(names->store->redis, arena);
	struct text lower[AT_ONCE];
	size_t answer = 0;

	for (size_t i = 0; i < count; i++) {
		const struct known *slot;

		lower[i] = text_lower(arena, wanted[i]);
		slot = slot_of_name(names, lower[i]);
		ids[i] = text_equal(name_in(slot), lower[i]) ? slot->id : 0;
		if (ids[i] == 0)
			pipeline_add(&pipeline, TEXT("GET"),
			    key_user_name(arena, lower[i]));
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++) {
		if (ids[i] != 0)
			continue;
		ids[i] = reply_id(&pipeline.replies[answer++]);
		remember(slot_of_name(names, lower[i]), ids[i], lower[i]);
	}
	return STORE_OK;
}

STORE_CALL
names_find(struct names *names, struct arena *arena, const struct text *wanted,
    size_t count, uint64_t *ids)
{
	enum store_result result = STORE_OK;

	for (size_t i = 0; i < count && result == STORE_OK; i += AT_ONCE)
		result = find_some(names, arena, wanted + i,
		    count - i < AT_ONCE ? count - i : AT_ONCE, ids + i);
	return result;
}
