#include "archive/names.h"

#include <string.h>

#include "base/memo.h"
#include "redis/redis.h"
#include "store/keys.h"

enum {
	KNOWN = 65536,
	KNOWN_MAX = 64, /* bytes */
	AT_ONCE = 500	/* asked in one round trip */
};

struct names {
	struct store *store;
	struct memo *by_id;   /* the name as it was registered */
	struct memo *by_name; /* in lower case: the id */
};

struct names *
names_new(struct store *store, struct arena *arena)
{
	struct names *names = arena_new(arena, struct names, 1);

	names->store = store;
	names->by_id = memo_new(KNOWN, KNOWN_MAX);
	names->by_name = memo_new(KNOWN, KNOWN_MAX);
	return names;
}

void
names_free(struct names *names)
{
	memo_free(names->by_id);
	memo_free(names->by_name);
}

/* An id as bytes; it lasts as long as the id. */
static struct text
bytes_of(const uint64_t *id)
{
	return (struct text){ (const char *)id, sizeof(*id) };
}

static enum store_result
some_of(struct names *names, struct arena *arena, const uint64_t *ids,
    size_t count, struct text *found)
{
	struct pipeline pipeline = pipeline_begin(names->store->redis, arena);
	size_t answer = 0;

	for (size_t i = 0; i < count; i++) {
		found[i] = (struct text){ NULL, 0 };
		if (!memo_find(
			names->by_id, arena, bytes_of(&ids[i]), &found[i]))
			pipeline_add(&pipeline, TEXT("HGET"),
			    key_user(arena, ids[i]), TEXT("name"));
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++) {
		if (found[i].size > 0)
			continue;
		found[i] = reply_text(&pipeline.replies[answer++]);
		if (found[i].size > 0)
			memo_keep(names->by_id, bytes_of(&ids[i]), found[i]);
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
	struct text lower[AT_ONCE], id;
	size_t answer = 0;

	for (size_t i = 0; i < count; i++) {
		ids[i] = 0;
		lower[i] = text_lower(arena, wanted[i]);
		if (memo_find(names->by_name, arena, lower[i], &id))
			memcpy(&ids[i], id.data, sizeof(ids[i]));
		else
			pipeline_add(&pipeline, TEXT("GET"),
			    key_user_name(arena, lower[i]));
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++) {
		if (ids[i] != 0)
			continue;
		ids[i] = reply_id(&pipeline.replies[answer++]);
		if (ids[i] != 0)
			memo_keep(names->by_name, lower[i], bytes_of(&ids[i]));
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
