#include "archive/name_cache.h"

#include "base/cache.h"
#include "redis/redis.h"
#include "store/keys.h"

enum {
	KNOWN = 2 * 65536,
	KNOWN_MAX = 64, /* bytes */
	BATCH = 500	/* asked in one round trip */
};

struct name_cache {
	struct store *store;
	/* From key_user the name, from key_user_name the id. */
	struct cache *cache;
};

struct name_cache *
name_cache_new(struct store *store, struct arena *arena)
{
	struct name_cache *cache = arena_new(arena, struct name_cache, 1);

	cache->store = store;
	cache->cache = cache_new(KNOWN, KNOWN_MAX);
	return cache;
}

void
name_cache_free(struct name_cache *cache)
{
	cache_free(cache->cache);
}

/* Reads the value of each key: a field of its hash with HGET, or the key itself with
 * GET. An empty key has none. */
static enum store_result
read_values(struct name_cache *cache, struct arena *arena, struct text command,
    const struct text *keys, size_t count, struct text *values)
{
	size_t words = text_equal(command, TEXT("HGET")) ? 3 : 2;
	size_t some = count < BATCH ? count : BATCH, answer = 0;
	struct pipeline pipeline = pipeline_begin(cache->store->redis, arena);

	for (size_t i = 0; i < some; i++) {
		values[i] = (struct text){ NULL, 0 };
		if (keys[i].size > 0 &&
		    !cache_get(cache->cache, arena, keys[i], &values[i]))
			pipeline_add_words(&pipeline, UNREPLICATED,
			    PIPELINE_KEY,
			    PIPELINE_WORDS(command, keys[i], TEXT("name")),
			    words);
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < some; i++) {
		if (keys[i].size == 0 || values[i].size > 0)
			continue;
		values[i] = reply_text(&pipeline.replies[answer++]);
		if (values[i].size > 0)
			cache_put(cache->cache, keys[i], values[i]);
	}
	return count == some ? STORE_OK
			     : read_values(cache, arena, command, keys + some,
				   count - some, values + some);
}

STORE_CALL
name_cache_find_ids(struct name_cache *cache, struct arena *arena,
    struct member *const *members, size_t count)
{
	struct text *keys = arena_new(arena, struct text, count);
	struct text *ids = arena_new(arena, struct text, count);

	for (size_t i = 0; i < count; i++)
		if (members[i]->name.size > 0)
			keys[i] = key_user_name(arena, members[i]->name);
	if (read_values(cache, arena, TEXT("GET"), keys, count, ids) !=
	    STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++) {
		members[i]->id = 0;
		text_to_u64(ids[i], &members[i]->id);
	}
	return STORE_OK;
}

STORE_CALL
name_cache_find(struct name_cache *cache, struct arena *arena,
    struct member *const *members, size_t count)
{
	struct text *keys = arena_new(arena, struct text, count);
	struct text *names = arena_new(arena, struct text, count);

	if (name_cache_find_ids(cache, arena, members, count) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		if (members[i]->id != 0)
			keys[i] = key_user(arena, members[i]->id);
	if (read_values(cache, arena, TEXT("HGET"), keys, count, names) !=
	    STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++) {
		if (names[i].size == 0)
			members[i]->id = 0;
		else
			members[i]->name = names[i];
	}
	return STORE_OK;
}
