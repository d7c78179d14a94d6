#include "store/grant.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "redis/redis.h"

/* A command's name in the ACL, and one such command. */
/* clang-format off */
#define GRANTS(GRANT) \
	GRANT("ping", "PING") \
	GRANT("wait", "WAIT 0 0") \
	GRANT("asking", "ASKING") \
	GRANT("cluster|slots", "CLUSTER SLOTS") \
	GRANT("time", "TIME") \
	GRANT("info|memory", "INFO memory") \
	GRANT("fcall", "FCALL function 1 key") \
	GRANT("fcall_ro", "FCALL_RO function 1 key") \
	GRANT("exists", "EXISTS key") \
	GRANT("del", "DEL key") \
	GRANT("expire", "EXPIRE key 1") \
	GRANT("expireat", "EXPIREAT key 1") \
	GRANT("pexpireat", "PEXPIREAT key 1") \
	GRANT("ttl", "TTL key") \
	GRANT("get", "GET key") \
	GRANT("set", "SET key value") \
	GRANT("incr", "INCR key") \
	GRANT("decr", "DECR key") \
	GRANT("hget", "HGET key field") \
	GRANT("hmget", "HMGET key field") \
	GRANT("hgetall", "HGETALL key") \
	GRANT("hset", "HSET key field value") \
	GRANT("hdel", "HDEL key field") \
	GRANT("hexists", "HEXISTS key field") \
	GRANT("hincrby", "HINCRBY key field 1") \
	GRANT("hvals", "HVALS key") \
	GRANT("sadd", "SADD key member") \
	GRANT("srem", "SREM key member") \
	GRANT("scard", "SCARD key") \
	GRANT("smembers", "SMEMBERS key") \
	GRANT("smismember", "SMISMEMBER key member") \
	GRANT("zadd", "ZADD key 1 member") \
	GRANT("zrem", "ZREM key member") \
	GRANT("zcard", "ZCARD key") \
	GRANT("zcount", "ZCOUNT key 0 1") \
	GRANT("zscore", "ZSCORE key member") \
	GRANT("zmscore", "ZMSCORE key member") \
	GRANT("zrank", "ZRANK key member") \
	GRANT("zrange", "ZRANGE key 0 1") \
	GRANT("zrevrange", "ZREVRANGE key 0 1") \
	GRANT("zrevrangebyscore", "ZREVRANGEBYSCORE key 1 0") \
	GRANT("zremrangebyrank", "ZREMRANGEBYRANK key 0 1") \
	GRANT("bitfield", "BITFIELD key GET u8 0") \
	GRANT("getrange", "GETRANGE key 0 1") \
	GRANT("setrange", "SETRANGE key 0 value") \
	GRANT("strlen", "STRLEN key") \
	GRANT("xadd", "XADD key * field value") \
	GRANT("xlen", "XLEN key") \
	GRANT("xrange", "XRANGE key - + COUNT 1") \
	GRANT("xrevrange", "XREVRANGE key + - COUNT 1") \
	GRANT("xgroup|create", "XGROUP CREATE key group 0") \
	GRANT("xreadgroup", "XREADGROUP GROUP group me STREAMS key >") \
	GRANT("xautoclaim", "XAUTOCLAIM key group me 0 0-0") \
	GRANT("xdel", "XDEL key 1-1") \
	GRANT("xack", "XACK key group 1-1") \
	GRANT("hlen", "HLEN key") \
	GRANT("hkeys", "HKEYS key")
/* clang-format on */

static const struct grant {
	struct text right, command;
} grants[] = {
#define GRANT_ROW(right, command) { TEXT_INIT(right), TEXT_INIT(command) },
	GRANTS(GRANT_ROW)
};

enum {
	GRANT_COUNT = sizeof(grants) / sizeof(grants[0]),
	WORDS_MAX = 16 /* "ACL DRYRUN user" and a command */
};

#define ALL_KEYS "~*"

struct text
grant_rule(void)
{
#define GRANT_WORD(right, command) " +" right
	return TEXT(ALL_KEYS " resetchannels -@all" GRANTS(GRANT_WORD));
}

static void
ask(struct pipeline *pipeline, struct text user, struct text command)
{
	struct text words[WORDS_MAX] = { TEXT("ACL"), TEXT("DRYRUN"), user };
	size_t count = 3;

	while (count < WORDS_MAX && text_next_word(&command, &words[count]))
		count++;
	pipeline_add_words(pipeline, UNREPLICATED, PIPELINE_KEY, words, count);
}

/* What a user lacks: rights of commands, and of keys. */
struct lack {
	struct redis *redis;
	struct arena *arena;
	struct text user;
	struct buffer rights;
	bool keys;
};

/* What Redis said of a command: it refuses it, or any key. */
static void
note(struct lack *lack, const struct grant *grant, struct text answer)
{
	if (text_equal(answer, TEXT("OK")))
		return;
	if (text_find(answer, 0, TEXT(" to run ")) != SIZE_MAX) {
		buffer_add(&lack->rights, TEXT(" +"));
		buffer_add(&lack->rights, grant->right);
	} else if (!lack->keys) {
		lack->keys = true;
		buffer_add(&lack->rights, TEXT(" " ALL_KEYS));
	}
}

/* Goes on to the next master until one refuses something. */
static bool
visit(void *data, size_t master)
{
	struct lack *lack = data;
	struct pipeline pipeline =
	    pipeline_begin_at(lack->redis, lack->arena, master);

	for (size_t i = 0; i < GRANT_COUNT; i++)
		ask(&pipeline, lack->user, grants[i].command);
	if (!redis_run(&pipeline))
		return true;
	for (size_t i = 0; i < GRANT_COUNT; i++)
		note(lack, &grants[i], reply_text(&pipeline.replies[i]));
	return lack->rights.size == 0;
}

STORE_CALL
grant_check(struct store *store, struct arena *arena, struct text user,
    struct text *why)
{
	struct lack lack = { .redis = store->redis,
		.arena = arena,
		.user = user.size > 0 ? user : TEXT("default"),
		.rights = buffer_in(arena, 128) };

	(void)!redis_visit_masters(store->redis, visit, &lack);
	if (lack.rights.size == 0)
		return STORE_OK;
	*why = text_format(arena,
	    "Redis does not grant its user %.*s all that the workers and the "
	    "functions send, and some of that would be half done: as an "
	    "administrator, on every node, run ACL SETUSER %.*s%.*s, and where "
	    "users are defined in a file, redis-users with its folder and then "
	    "ACL LOAD",
	    TEXT_ARGS(lack.user), TEXT_ARGS(lack.user),
	    TEXT_ARGS(buffer_text(&lack.rights)));
	return STORE_MISMATCH;
}
