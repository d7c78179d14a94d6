#include "store/limit.h"

#include <arpa/inet.h>

#include "redis/redis.h"

enum { HOUR = 3600 };

#define LIMIT_WORD(name, word, usual, meaning) [LIMIT_##name] = TEXT_INIT(word),
static const struct text words[LIMIT_KINDS] = { LIMITS(LIMIT_WORD) };

bool
limit_is_set(const struct store *store, enum limit kind)
{
	return kind != LIMIT_NONE && store->rules.limits[kind] != 0;
}

struct text
limit_of_member(struct arena *arena, enum limit kind, uint64_t user)
{
	return key_limit_of_member(arena, user, words[kind]);
}

void
limit_ask(struct pipeline *pipeline, struct text key)
{
	pipeline_add(pipeline, TEXT("INCR"), key);
}

void
limit_begin(
    struct pipeline *pipeline, struct text key, const struct reply *reply)
{
	if (reply_number(reply) == 1)
		pipeline_add(pipeline, TEXT("EXPIRE"), key,
		    text_number(pipeline->arena, HOUR));
}

/* When the clock was set back meanwhile, the hour would be a longer one, and when
 * its beginning was not noted, an endless one: then it begins anew. */
static enum store_result
judge(struct store *store, struct arena *arena, int64_t max, struct text key,
    const struct reply *reply, int64_t *wait)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	if (reply_number(reply) <= max)
		return STORE_OK;
	pipeline_add(&pipeline, TEXT("TTL"), key);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	*wait = reply_number(&pipeline.replies[0]);
	if (*wait > 0 && *wait <= HOUR)
		return STORE_LIMITED;
	pipeline = pipeline_begin(store->redis, arena);
	pipeline_add(&pipeline, TEXT("SET"), key, TEXT("1"), TEXT("EX"),
	    text_number(arena, HOUR));
	return redis_run(&pipeline) ? STORE_OK : STORE_DOWN;
}

STORE_CALL
limit_judge(struct store *store, struct arena *arena, enum limit kind,
    struct text key, const struct reply *reply, int64_t *wait)
{
	return judge(store, arena, store->rules.limits[kind], key, reply, wait);
}

/* Somebody who is no member: as a limit knows them, and how many times as much as
 * one may do they may. */
static enum store_result
take(struct store *store, struct arena *arena, enum limit kind, struct text who,
    int64_t times, int64_t *wait)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text key = key_limit(arena, words[kind], who);
	const struct reply *count;

	if (!limit_is_set(store, kind))
		return STORE_OK;
	limit_ask(&pipeline, key);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	count = &pipeline.replies[0];
	pipeline = pipeline_begin(store->redis, arena);
	limit_begin(&pipeline, key, count);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	return judge(
	    store, arena, store->rules.limits[kind] * times, key, count, wait);
}

STORE_CALL
limit_take_name(struct store *store, struct arena *arena, enum limit kind,
    struct text name, int64_t *wait)
{
	return take(
	    store, arena, kind, text_join(arena, TEXT("name:"), name), 1, wait);
}

/* The first bits of an address, as "2001:0db8:0001". */
static struct text
network(struct arena *arena, const struct in6_addr *address, size_t bits)
{
	struct text network = TEXT("");

	for (size_t i = 0; i < bits / 8; i += 2)
		network = text_format(arena, "%.*s%s%02x%02x",
		    TEXT_ARGS(network), i == 0 ? "" : ":", address->s6_addr[i],
		    address->s6_addr[i + 1]);
	return network;
}

/* What one network was refused does not count against those beside it. */
STORE_CALL
limit_take_network(struct store *store, struct arena *arena, enum limit kind,
    struct text address, int64_t *wait)
{
	struct in6_addr six;
	enum store_result result;

	if (inet_pton(AF_INET6, text_string(arena, address), &six) != 1 ||
	    IN6_IS_ADDR_V4MAPPED(&six))
		return take(store, arena, kind, address, 1, wait);
	result = take(store, arena, kind, network(arena, &six, 64), 1, wait);
	if (result != STORE_OK)
		return result;
	return take(
	    store, arena, kind, network(arena, &six, 48), LIMIT_WIDE, wait);
}
