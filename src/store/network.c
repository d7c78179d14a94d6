#include "store/network.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/crypto.h"
#include "redis/redis.h"
#include "store/keys.h"
#include "store/limit.h"

enum { DIGEST_DIGITS = 32, OTHERS_MAX = NETWORKS_MAX * NETWORK_MEMBERS_MAX };

static struct text
digest_of(const struct store *store, struct arena *arena, struct text address)
{
	struct text named =
	    text_join(arena, TEXT("network:"), limit_network(arena, address));

	return text_slice(
	    crypto_digest_hex(arena, store->secret, named), 0, DIGEST_DIGITS);
}

/* Adds an entry at a moment to a sorted set of max entries, the newest, which expires after the
 * last one. */
static void
add_entry(struct pipeline *pipeline, struct text key, int64_t at,
    struct text entry, int max)
{
	struct arena *arena = pipeline->arena;

	pipeline_add(
	    pipeline, TEXT("ZADD"), key, text_number(arena, at), entry);
	pipeline_add(pipeline, TEXT("ZREMRANGEBYRANK"), key, TEXT("0"),
	    text_number(arena, -max - 1));
	pipeline_add(
	    pipeline, TEXT("EXPIRE"), key, text_number(arena, NETWORK_SECONDS));
}

void
network_note(struct store *store, struct arena *arena, uint64_t user,
    struct text address)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text digest = digest_of(store, arena, address);
	int64_t now;

	if (!redis_time(store->redis, arena, &now))
		return;
	add_entry(&pipeline, key_networks(arena, user), now / 1000, digest,
	    NETWORKS_MAX);
	add_entry(&pipeline, key_network(arena, digest), now / 1000,
	    text_number(arena, (int64_t)user), NETWORK_MEMBERS_MAX + 1);
	(void)!redis_run(&pipeline);
}

static void
ask_entries(struct pipeline *pipeline, struct text key, int max)
{
	pipeline_add(pipeline, TEXT("ZREVRANGE"), key, TEXT("0"),
	    text_number(pipeline->arena, max - 1), TEXT("WITHSCORES"));
}

/* Entries are older than the set when others were added since. */
static bool
is_current(const struct reply *entries, size_t i, int64_t now)
{
	return reply_number(reply_item(entries, i + 1)) + NETWORK_SECONDS > now;
}

static bool
has_id(const uint64_t *ids, size_t count, uint64_t id)
{
	for (size_t i = 0; i < count; i++)
		if (ids[i] == id)
			return true;
	return false;
}

static void
add_members(const struct reply *entries, uint64_t user, int64_t now,
    uint64_t *others, size_t *count)
{
	uint64_t id;

	if (entries->count / 2 > NETWORK_MEMBERS_MAX)
		return;
	for (size_t i = 0; i + 1 < entries->count; i += 2)
		if (is_current(entries, i, now) &&
		    text_to_u64(reply_text(reply_item(entries, i)), &id) &&
		    id != user && !has_id(others, *count, id))
			others[(*count)++] = id;
}

static int
compare_ids(const void *a, const void *b)
{
	const uint64_t *one = a, *other = b;

	return (*one > *other) - (*one < *other);
}

STORE_CALL
network_find(struct store *store, struct arena *arena, uint64_t user,
    int64_t now, uint64_t **others, size_t *count)
{
	struct pipeline asked = pipeline_begin(store->redis, arena);
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	const struct reply *networks;

	ask_entries(&asked, key_networks(arena, user), NETWORKS_MAX);
	if (!redis_run(&asked))
		return STORE_DOWN;
	networks = &asked.replies[0];
	for (size_t i = 0; i + 1 < networks->count; i += 2)
		if (is_current(networks, i, now))
			ask_entries(&pipeline,
			    key_network(
				arena, reply_text(reply_item(networks, i))),
			    NETWORK_MEMBERS_MAX + 1);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	*others = arena_new(arena, uint64_t, OTHERS_MAX);
	*count = 0;
	for (size_t i = 0; i < pipeline.count; i++)
		add_members(&pipeline.replies[i], user, now, *others, count);
	if (*count > 0)
		qsort(*others, *count, sizeof(**others), compare_ids);
	return STORE_OK;
}

STORE_CALL
network_forget(struct store *store, struct arena *arena, uint64_t user)
{
	struct pipeline asked = pipeline_begin(store->redis, arena);
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text key = key_networks(arena, user);
	const struct reply *networks;

	pipeline_add(&asked, TEXT("ZRANGE"), key, TEXT("0"), TEXT("-1"));
	if (!redis_run(&asked))
		return STORE_DOWN;
	networks = &asked.replies[0];
	for (size_t i = 0; i < networks->count; i++)
		pipeline_add_replicated(&pipeline, TEXT("ZREM"),
		    key_network(arena, reply_text(reply_item(networks, i))),
		    text_number(arena, (int64_t)user));
	if (networks->count > 0)
		pipeline_add_replicated(&pipeline, TEXT("DEL"), key);
	return store_run(&pipeline);
}
