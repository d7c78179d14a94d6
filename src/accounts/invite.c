#include "accounts/invite.h"

#include <stdlib.h>

#include "base/arena.h"
#include "redis/redis.h"
#include "secrets/crypto.h"
#include "store/call.h"

enum { LIFETIME = 7 * 86400, SECRET_BYTES = 16 };

/* "ID.SECRET", of which Redis has the secret under the member. */
static bool
split_code(struct text code, uint64_t *user, struct text *secret)
{
	struct text id;

	if (!text_cut(&code, '.', &id) || !text_to_u64(id, user))
		return false;
	*secret = code;
	return *user != 0 && code.size == (size_t)SECRET_BYTES * 2;
}

STORE_CALL
invite_create(struct store *store, struct arena *arena, uint64_t user)
{
	struct call call =
	    call_begin(arena, CALL_WRITES, "invite_1", key_user(arena, user));

	call_add(&call, crypto_random_hex(arena, SECRET_BYTES));
	call_add_number(&call, LIFETIME);
	call_add_number(&call, INVITES_MAX);
	return call_run(&call, store, NULL);
}

static int
compare_expires(const void *a, const void *b)
{
	const struct invite *first = a, *second = b;

	return (first->expires > second->expires) -
	    (first->expires < second->expires);
}

STORE_CALL
invite_list(struct store *store, struct arena *arena, uint64_t user,
    struct invite *invites, size_t *count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	const struct reply *all;
	int64_t now;

	*count = 0;
	pipeline_add(&pipeline, TEXT("HGETALL"), key_invites(arena, user));
	pipeline_add_time(&pipeline, key_invites(arena, user));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	all = &pipeline.replies[0];
	now = reply_seconds(&pipeline.replies[1]);
	for (size_t i = 0; i + 1 < all->count && *count < INVITES_MAX; i += 2) {
		struct invite *invite = &invites[*count];

		invite->code =
		    text_format(arena, "%llu.%.*s", (unsigned long long)user,
			TEXT_ARGS(reply_text(reply_item(all, i))));
		invite->expires = reply_number(reply_item(all, i + 1));
		*count += invite->expires > now;
	}
	qsort(invites, *count, sizeof(*invites), compare_expires);
	return STORE_OK;
}

STORE_CALL
invite_find(struct store *store, struct arena *arena, struct text code,
    struct invite *invite, uint64_t *user)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text secret;

	if (!split_code(code, user, &secret))
		return STORE_ABSENT;
	pipeline_add(
	    &pipeline, TEXT("HGET"), key_invites(arena, *user), secret);
	pipeline_add_time(&pipeline, key_invites(arena, *user));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	*invite = (struct invite){ code, reply_number(&pipeline.replies[0]) };
	return invite->expires > reply_seconds(&pipeline.replies[1])
	    ? STORE_OK
	    : STORE_ABSENT;
}

STORE_CALL
invite_take(
    struct store *store, struct arena *arena, const struct invite *invite)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text secret;
	uint64_t user;

	if (!split_code(invite->code, &user, &secret))
		return STORE_ABSENT;
	pipeline_protect(
	    &pipeline, TEXT("HDEL"), key_invites(arena, user), secret);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	return reply_number(&pipeline.replies[0]) == 1 ? STORE_OK
						       : STORE_ABSENT;
}

STORE_CALL
invite_give_back(
    struct store *store, struct arena *arena, const struct invite *invite)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text secret;
	uint64_t user;

	if (!split_code(invite->code, &user, &secret))
		return STORE_ABSENT;
	pipeline_protect(&pipeline, TEXT("HSET"), key_invites(arena, user),
	    secret, text_number(arena, invite->expires));
	pipeline_add(&pipeline, TEXT("EXPIRE"), key_invites(arena, user),
	    text_number(arena, LIFETIME));
	return redis_run(&pipeline) ? STORE_OK : STORE_DOWN;
}

STORE_CALL
invite_note(
    struct store *store, struct arena *arena, uint64_t user, struct text name)
{
	struct call call =
	    call_begin(arena, CALL_WRITES, "invited_1", key_user(arena, user));

	call_add(&call, name);
	return call_run(&call, store, NULL);
}
