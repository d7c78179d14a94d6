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

struct text
limit_of(struct arena *arena, enum limit kind, struct text who)
{
	return key_limit(arena, words[kind], who);
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
STORE_CALL
limit_judge(struct store *store, struct arena *arena, enum limit kind,
    struct text key, const struct reply *reply, int64_t *wait)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	if (reply_number(reply) <= store->rules.limits[kind])
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
limit_take(struct store *store, struct arena *arena, enum limit kind,
    struct text key, int64_t *wait)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
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
	return limit_judge(store, arena, kind, key, count, wait);
}

struct text
limit_address(struct arena *arena, struct text address)
{
	const char *string = text_string(arena, address);
	struct in6_addr bytes;

	if (inet_pton(AF_INET6, string, &bytes) != 1 ||
	    IN6_IS_ADDR_V4MAPPED(&bytes))
		return address;
	return text_format(arena, "%02x%02x:%02x%02x:%02x%02x:%02x%02x",
	    bytes.s6_addr[0], bytes.s6_addr[1], bytes.s6_addr[2],
	    bytes.s6_addr[3], bytes.s6_addr[4], bytes.s6_addr[5],
	    bytes.s6_addr[6], bytes.s6_addr[7]);
}
