#include "store/session.h"

#include "base/crypto.h"
#include "store/keys.h"
#include "store/reply.h"

enum { SECRET_BYTES = 32, AGENT_MOST = 200 };

/* "ID.SECRET": the member is known before Redis is asked. */
static bool
split_cookie(struct text cookie, uint64_t *user, struct text *secret)
{
	struct text id;

	if (!text_cut(&cookie, '.', &id) || !text_to_u64(id, user))
		return false;
	*secret = cookie;
	return *user != 0 && cookie.size == (size_t)SECRET_BYTES * 2;
}

STORE_CALL
session_start(struct store *store, struct arena *arena, uint64_t user,
    struct text agent, struct text *cookie)
{
	struct pipeline pipeline = redis_pipeline(store->redis, arena);
	struct text key = key_sessions(arena, user);
	struct text secret = crypto_random_hex(arena, SECRET_BYTES);
	long long now;

	redis_add(&pipeline, TEXT("TIME"));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	now = (long long)reply_seconds(&pipeline.replies[0]);
	agent = text_slice(agent, 0, AGENT_MOST);

	pipeline = redis_pipeline(store->redis, arena);
	redis_add(&pipeline, TEXT("HSET"), key,
	    crypto_sha256_hex(arena, secret),
	    text_format(arena, "%lld %lld %.*s", now, now, TEXT_ARGS(agent)));
	/* The youngest session keeps the key, each one ends by its own age. */
	redis_add(&pipeline, TEXT("EXPIRE"), key,
	    text_number(arena, store->rules.session_seconds));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	*cookie = text_format(
	    arena, "%llu.%.*s", (unsigned long long)user, TEXT_ARGS(secret));
	return STORE_OK;
}

/* created, from "created seen agent". */
static int64_t
session_created(struct text session)
{
	struct text created = { NULL, 0 };
	int64_t moment = 0;

	text_cut(&session, ' ', &created);
	text_to_i64(created, &moment);
	return moment;
}

STORE_CALL
session_find(struct store *store, struct arena *arena, struct text cookie,
    struct user *user, struct text *token)
{
	struct pipeline pipeline = redis_pipeline(store->redis, arena);
	struct text secret, digest, session;
	const struct reply *replies, *who;
	uint64_t id;

	if (!split_cookie(cookie, &id, &secret))
		return STORE_ABSENT;
	digest = crypto_sha256_hex(arena, secret);
	*token = session_token(store, arena, digest);
	redis_add(&pipeline, TEXT("HGET"), key_sessions(arena, id), digest);
	redis_add(&pipeline, TEXT("HMGET"), key_user(arena, id), TEXT("name"),
	    TEXT("role"));
	redis_add(&pipeline, TEXT("TIME"));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	replies = pipeline.replies;
	who = &replies[1];
	session = reply_text(&replies[0]);
	*user =
	    (struct user){ .id = id, .name = reply_text(reply_item(who, 0)) };
	role_parse(reply_text(reply_item(who, 1)), &user->role);
	if (session.size == 0 || user->name.size == 0 ||
	    session_created(session) + store->rules.session_seconds <=
		reply_seconds(&replies[2]))
		return STORE_ABSENT;
	return STORE_OK;
}

STORE_CALL
session_end(struct store *store, struct arena *arena, struct text cookie)
{
	struct pipeline pipeline = redis_pipeline(store->redis, arena);
	struct text secret;
	uint64_t id;

	if (!split_cookie(cookie, &id, &secret))
		return STORE_OK;
	redis_add(&pipeline, TEXT("HDEL"), key_sessions(arena, id),
	    crypto_sha256_hex(arena, secret));
	return redis_run(&pipeline) ? STORE_OK : STORE_DOWN;
}

struct text
session_token(
    const struct store *store, struct arena *arena, struct text secret)
{
	return crypto_hmac_hex(arena, store->secret, secret);
}
