#include "archive/name_cache.h"

#include "base/cache.h"
#include "redis/redis.h"
#include "store/keys.h"

enum {
	KNOWN = 2 * 65536,
	KNOWN_MAX = 64, /* bytes */
	BATCH = 500	/* asked in one round trip */
};

struct names {
	struct store *store;
	struct cache
	    *cache; /* from key_user the name, from key_user_name the id */
};

struct names *
names_new(struct store *store, struct arena *arena)
{
	struct names *names = arena_new(arena, struct names, 1);

	names->store = store;
	names->cache = cache_new(KNOWN, KNOWN_MAX);
	return names;
}

void
names_free(struct names *names)
{
	cache_free(names->cache);
}

/* What is under each key: with HGET its name, with GET itself. */
static enum store_result
look_up(struct names *names, struct arena *arena, struct text command,
    const struct text *keys, size_t count, struct text *found)
{
	size_t words = text_equal(command, TEXT("HGET")) ? 3 : 2;
	size_t some = count < BATCH ? count : BATCH, answer = 0;
	struct pipeline pipeline = pipeline_begin(names->store->redis, arena);

	for (size_t i = 0; i < some; i++) {
		found[i] = (struct text){ NULL, 0 };
		if (!cache_get(names->cache, arena, keys[i], &found[i]))
			pipeline_add_words(&pipeline, UNREPLICATED,
			    PIPELINE_KEY,
			    PIPELINE_WORDS(command, keys[i], TEXT("name")),
			    words);
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < some; i++) {
		if (found[i].size > 0)
			continue;
		found[i] = reply_text(&pipeline.replies[answer++]);
		if (found[i].size > 0)
			cache_put(names->cache, keys[i], found[i]);
	}
	return count == some ? STORE_OK
			     : look_up(names, arena, command, keys + some,
				   count - some, found + some);
}

STORE_CALL
names_of(struct names *names, struct arena *arena, const uint64_t *ids,
    size_t count, struct text *found)
{
	struct text *keys = arena_new(arena, struct text, count);

	for (size_t i = 0; i < count; i++)
		keys[i] = key_user(arena, ids[i]);
	return look_up(names, arena, TEXT("HGET"), keys, count, found);
}

STORE_CALL
names_find(struct names *names, struct arena *arena, const struct text *wanted,
    size_t count, uint64_t *ids)
{
	struct text *keys = arena_new(arena, struct text, count);
	struct text *found = arena_new(arena, struct text, count);
	enum store_result result;

	for (size_t i = 0; i < count; i++)
		keys[i] = key_user_name(arena, wanted[i]);
	result = look_up(names, arena, TEXT("GET"), keys, count, found);
	for (size_t i = 0; i < count; i++) {
		ids[i] = 0;
		text_to_u64(found[i], &ids[i]);
	}
	return result;
}
