#include "store/invite.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/crypto.h"
#include "redis/redis.h"
#include "store/function_call.h"

enum {
	LIFETIME = 7 * 86400,
	SECRET_BYTES = 16,
	TOKEN_BYTES = 8,
	RESERVED_SECONDS = 60 /* for the creation of a member */
};

/* Splits "ID.SECRET"; the secret is a field of the member's invitations. */
static bool
split_code(struct text code, uint64_t *user, struct text *secret)
{
	struct text id;

	if (!text_cut(&code, '.', &id) || !text_to_u64(id, user))
		return false;
	*secret = code;
	return *user != 0 && code.size == (size_t)SECRET_BYTES * 2;
}

/* Parses "EXPIRES", or "EXPIRES TOKEN UNTIL" for an invitation that is reserved by a
 * registration: 0 until UNTIL. */
static int64_t
parse_expiry(struct text value, int64_t now)
{
	struct text expires = TEXT(""), token;

	text_cut(&value, ' ', &expires);
	if (text_cut(&value, ' ', &token) && reply_number_of(value) > now)
		return 0;
	return reply_number_of(expires);
}

STORE_CALL
invite_create(struct store *store, struct arena *arena, uint64_t user)
{
	return call_write(store, arena, "invite_1", key_user(arena, user),
	    crypto_random_hex(arena, SECRET_BYTES),
	    text_number(arena, LIFETIME), text_number(arena, INVITES_MAX));
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
		invite->expires =
		    parse_expiry(reply_text(reply_item(all, i + 1)), now);
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
	int64_t now;

	if (!split_code(code, user, &secret))
		return STORE_ABSENT;
	pipeline_add(
	    &pipeline, TEXT("HGET"), key_invites(arena, *user), secret);
	pipeline_add_time(&pipeline, key_invites(arena, *user));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	now = reply_seconds(&pipeline.replies[1]);
	*invite = (struct invite){ code,
		parse_expiry(reply_text(&pipeline.replies[0]), now) };
	return invite->expires > now ? STORE_OK : STORE_ABSENT;
}

STORE_CALL
invite_note(
    struct store *store, struct arena *arena, uint64_t user, struct text name)
{
	return call_write(
	    store, arena, "invited_1", key_user(arena, user), name);
}

/* The two steps after the member's creation may fail. An invitation that is not deleted
 * becomes valid again when the reservation ends; and the host's list lacks the new member,
 * whose invited_by has the host. */
STORE_CALL
invite_register(struct store *store, struct arena *arena,
    const struct invite *invite, const struct user *host, struct user *user)
{
	struct text token = crypto_random_hex(arena, TOKEN_BYTES), secret, key;
	enum store_result result;
	uint64_t inviter;

	if (!split_code(invite->code, &inviter, &secret))
		return STORE_ABSENT;
	key = key_user(arena, inviter);
	result = call_write(store, arena, "take_invite_1", key, secret, token,
	    text_number(arena, RESERVED_SECONDS));
	if (result != STORE_OK)
		return result;
	user->invited_by = host->name;
	result = user_create(store, arena, user);
	if (result != STORE_OK) {
		(void)!call_write(
		    store, arena, "return_invite_1", key, secret, token);
		return result;
	}
	(void)!store_write(
	    store, arena, TEXT("HDEL"), key_invites(arena, inviter), secret);
	(void)!invite_note(store, arena, host->id, user->name);
	return result;
}
