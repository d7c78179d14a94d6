#include "store/limit.h"

#include <arpa/inet.h>

#include "base/crypto.h"
#include "redis/redis.h"

enum { DAY = 86400 };

#define LIMIT_WORD(name, word, standard, seconds, meaning) \
	[LIMIT_##name] = TEXT_INIT(word),
static const struct text words[LIMIT_KINDS] = { LIMITS(LIMIT_WORD) };

#define LIMIT_WINDOW(name, word, standard, seconds, meaning) \
	[LIMIT_##name] = (seconds),
static const int64_t windows[LIMIT_KINDS] = { LIMITS(LIMIT_WINDOW) };

bool
limit_is_set(const struct store *store, enum limit kind)
{
	return kind != LIMIT_NONE && store->rules.limits[kind] != 0;
}

struct text
limit_member_key(struct arena *arena, enum limit kind, uint64_t user)
{
	return key_limit_of_member(arena, user, words[kind]);
}

void
limit_increment(struct pipeline *pipeline, struct text key)
{
	pipeline_add(pipeline, TEXT("INCR"), key);
}

void
limit_set_expiry(struct pipeline *pipeline, enum limit kind, struct text key,
    const struct reply *reply)
{
	if (reply_number(reply) <= 2)
		pipeline_add(pipeline, TEXT("EXPIRE"), key,
		    text_number(pipeline->arena, windows[kind]), TEXT("NX"));
}

/* Begins a new window when the counter has no valid expiry: the clock was set back, or
 * setting the expiry failed. */
static enum store_result
check_count(struct store *store, struct arena *arena, enum limit kind,
    int64_t max, struct text key, const struct reply *reply, int64_t *wait)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	const struct reply *left;

	if (reply_number(reply) <= max)
		return STORE_OK;
	left = store_read(store, arena, TEXT("TTL"), key);
	if (left == NULL)
		return STORE_DOWN;
	*wait = reply_number(left);
	if (*wait > 0 && *wait <= windows[kind])
		return STORE_LIMITED;
	pipeline_add(&pipeline, TEXT("SET"), key, TEXT("1"), TEXT("EX"),
	    text_number(arena, windows[kind]));
	return store_run(&pipeline);
}

STORE_CALL
limit_check(struct store *store, struct arena *arena, enum limit kind,
    struct text key, const struct reply *reply, int64_t *wait)
{
	return check_count(
	    store, arena, kind, store->rules.limits[kind], key, reply, wait);
}

/* Counts a use under a key, which may be used max times. */
static enum store_result
take_key(struct store *store, struct arena *arena, enum limit kind,
    struct text key, int64_t max, int64_t *wait)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	const struct reply *count;

	if (max == 0)
		return STORE_OK;
	limit_increment(&pipeline, key);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	count = &pipeline.replies[0];
	pipeline = pipeline_begin(store->redis, arena);
	limit_set_expiry(&pipeline, kind, key, count);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	return check_count(store, arena, kind, max, key, count, wait);
}

/* Counts a use by a network, a name or a browser. */
static enum store_result
take_other(struct store *store, struct arena *arena, enum limit kind,
    struct text who, int64_t times, int64_t *wait)
{
	return take_key(store, arena, kind, key_limit(arena, words[kind], who),
	    store->rules.limits[kind] * times, wait);
}

STORE_CALL
limit_take_member(struct store *store, struct arena *arena, enum limit kind,
    uint64_t user, int64_t *wait)
{
	return limit_take_up_to(
	    store, arena, kind, user, store->rules.limits[kind], wait);
}

STORE_CALL
limit_take_up_to(struct store *store, struct arena *arena, enum limit kind,
    uint64_t user, int64_t max, int64_t *wait)
{
	return take_key(
	    store, arena, kind, limit_member_key(arena, kind, user), max, wait);
}

static struct text
bytes_key(struct arena *arena, uint64_t user)
{
	return key_limit_of_member(arena, user, TEXT("bytes"));
}

void
limit_ask_bytes(struct pipeline *pipeline, uint64_t user)
{
	pipeline_add(pipeline, TEXT("HGET"), bytes_key(pipeline->arena, user),
	    TEXT("bytes"));
}

STORE_CALL
limit_read_bytes(
    struct store *store, struct arena *arena, uint64_t user, int64_t *used)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	limit_ask_bytes(&pipeline, user);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	*used = reply_count(&pipeline.replies[0]);
	return STORE_OK;
}

/* The day starts again if the key has no valid expiry, as in check_count: the first bytes of one
 * may have been counted just after it ended. */
STORE_CALL
limit_check_bytes(struct store *store, struct arena *arena, uint64_t user,
    int64_t *used, size_t bytes, int64_t *wait)
{
	struct text key = bytes_key(arena, user);
	int64_t max = store->rules.day_bytes;
	const struct reply *left;

	if (max == 0 || *used + (int64_t)bytes <= max)
		return STORE_OK;
	left = store_read(store, arena, TEXT("TTL"), key);
	if (left == NULL)
		return STORE_DOWN;
	*wait = reply_number(left);
	if (*wait > 0 && *wait <= DAY)
		return STORE_LIMITED;
	*used = 0;
	return store_write(store, arena, TEXT("DEL"), key);
}

struct pipeline *
limit_send_bytes(struct store *store, struct arena *arena, uint64_t user,
    int64_t used, size_t bytes)
{
	struct pipeline *pipeline = arena_new(arena, struct pipeline, 1);
	struct text key = bytes_key(arena, user);

	*pipeline = pipeline_begin(store->redis, arena);
	pipeline_add(pipeline, TEXT("HINCRBY"), key, TEXT("bytes"),
	    text_number(arena, (int64_t)bytes));
	if (used == 0)
		pipeline_add(pipeline, TEXT("EXPIRE"), key,
		    text_number(arena, DAY), TEXT("NX"));
	redis_send(pipeline);
	return pipeline;
}

void
limit_wait(struct pipeline *sent)
{
	(void)!redis_wait(sent);
}

STORE_CALL
limit_take_name(struct store *store, struct arena *arena, enum limit kind,
    struct text name, int64_t *wait)
{
	struct text digest = crypto_digest_hex(arena, store->secret, name);

	return take_other(store, arena, kind,
	    text_join(arena, KEY_LIMIT_NAME, digest), LIMIT_NAME_FACTOR, wait);
}

STORE_CALL
limit_take_device(struct store *store, struct arena *arena, enum limit kind,
    struct text device, int64_t *wait)
{
	return take_other(store, arena, kind,
	    text_join(arena, KEY_LIMIT_DEVICE, device), 1, wait);
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

/* A reader's network, and for IPv6 the wider one around it. */
struct networks {
	struct text own, wide; /* the latter may be empty */
};

static struct networks
networks_of(struct arena *arena, struct text address)
{
	struct in6_addr six;

	if (inet_pton(AF_INET6, text_string(arena, address), &six) != 1 ||
	    IN6_IS_ADDR_V4MAPPED(&six))
		return (struct networks){ .own = address };
	return (struct networks){ network(arena, &six, 64),
		network(arena, &six, 48) };
}

struct text
limit_network(struct arena *arena, struct text address)
{
	return networks_of(arena, address).own;
}

/* A use that is refused to a network does not count for the wider one. */
STORE_CALL
limit_take_network(struct store *store, struct arena *arena, enum limit kind,
    struct text address, int64_t *wait)
{
	struct networks networks = networks_of(arena, address);
	enum store_result result =
	    take_other(store, arena, kind, networks.own, 1, wait);

	return result != STORE_OK || networks.wide.size == 0
	    ? result
	    : take_other(
		  store, arena, kind, networks.wide, LIMIT_WIDE_FACTOR, wait);
}

/* Undoes a use; the window may have ended meanwhile, and the counter expired. */
static enum store_result
refund_key(
    struct store *store, struct arena *arena, enum limit kind, struct text key)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	if (!limit_is_set(store, kind))
		return STORE_OK;
	pipeline_add(&pipeline, TEXT("DECR"), key);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	if (reply_number(&pipeline.replies[0]) >= 0)
		return STORE_OK;
	pipeline = pipeline_begin(store->redis, arena);
	pipeline_add(&pipeline, TEXT("DEL"), key);
	return store_run(&pipeline);
}

static enum store_result
refund(
    struct store *store, struct arena *arena, enum limit kind, struct text who)
{
	return refund_key(
	    store, arena, kind, key_limit(arena, words[kind], who));
}

STORE_CALL
limit_refund_network(struct store *store, struct arena *arena, enum limit kind,
    struct text address)
{
	struct networks networks = networks_of(arena, address);
	enum store_result result = refund(store, arena, kind, networks.own);

	return result != STORE_OK || networks.wide.size == 0
	    ? result
	    : refund(store, arena, kind, networks.wide);
}

STORE_CALL
limit_refund_member(
    struct store *store, struct arena *arena, enum limit kind, uint64_t user)
{
	return refund_key(
	    store, arena, kind, limit_member_key(arena, kind, user));
}

/* Redis stores a digest of the name, as of limit_take_name. */
static struct text
name_from(const struct store *store, struct arena *arena, struct text name,
    struct text address)
{
	return text_format(arena, "%.*s%.*s:%.*s", TEXT_ARGS(KEY_LIMIT_NAME),
	    TEXT_ARGS(crypto_digest_hex(arena, store->secret, name)),
	    TEXT_ARGS(limit_network(arena, address)));
}

STORE_CALL
limit_take_name_from(struct store *store, struct arena *arena, enum limit kind,
    struct text name, struct text address, int64_t *wait)
{
	return take_other(store, arena, kind,
	    name_from(store, arena, name, address), 1, wait);
}

STORE_CALL
limit_refund_name_from(struct store *store, struct arena *arena,
    enum limit kind, struct text name, struct text address)
{
	return refund(
	    store, arena, kind, name_from(store, arena, name, address));
}

STORE_CALL
limit_refund_device(struct store *store, struct arena *arena, enum limit kind,
    struct text device)
{
	return refund(
	    store, arena, kind, text_join(arena, KEY_LIMIT_DEVICE, device));
}
