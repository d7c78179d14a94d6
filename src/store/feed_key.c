#include "store/feed_key.h"

#include "base/arena.h"
#include "base/crypto.h"
#include "redis/redis.h"

enum { SECRET_BYTES = 32 };

/* Another digest than a session's, whose secret looks the same. */
static struct text
digest_of(struct arena *arena, struct text key)
{
	return crypto_digest_hex(arena, TEXT("feed"), key);
}

STORE_CALL
feed_key_renew(
    struct store *store, struct arena *arena, uint64_t user, struct text *key)
{
	struct text secret = crypto_random_hex(arena, SECRET_BYTES);

	*key = text_format(
	    arena, "%llu.%.*s", (unsigned long long)user, TEXT_ARGS(secret));
	return store_write(store, arena, TEXT("HSET"), key_user(arena, user),
	    USER_FEED_KEY, digest_of(arena, *key));
}

STORE_CALL
feed_key_end(struct store *store, struct arena *arena, uint64_t user)
{
	return store_write(
	    store, arena, TEXT("HDEL"), key_user(arena, user), USER_FEED_KEY);
}

STORE_CALL
feed_key_find(struct store *store, struct arena *arena, struct text key,
    struct user *user, int64_t *now)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text rest = key, id, of;

	if (!text_cut(&rest, '.', &id) || !text_to_u64(id, &user->id) ||
	    user->id == 0 || rest.size != (size_t)SECRET_BYTES * 2)
		return STORE_ABSENT;
	of = key_user(arena, user->id);
	schema_ask(&pipeline, &user_schema, SCHEMA_WHOLE, of);
	pipeline_add_time(&pipeline, of);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	*user = (struct user){ .id = user->id };
	schema_read(&user_schema, SCHEMA_WHOLE, &pipeline.replies[0], user);
	*now = reply_seconds(&pipeline.replies[1]);
	if (user->feed_key.size == 0 || user->closed != 0 ||
	    !crypto_equal(user->feed_key, digest_of(arena, key)))
		return STORE_ABSENT;
	return user->suspended > *now ? STORE_SUSPENDED : STORE_OK;
}
