#include "store/second_factor.h"

#include "base/arena.h"
#include "base/totp.h"
#include "store/inbox.h"
#include "store/recovery.h"

const struct text second_factor_words[SECOND_FACTOR_KINDS] = {
	[SECOND_FACTOR_NONE] = TEXT_INIT(""),
	[SECOND_FACTOR_OF_SESSION] = TEXT_INIT("session"),
	[SECOND_FACTOR_TOTP] = TEXT_INIT("totp"),
	[SECOND_FACTOR_RECOVERY_CODE] = TEXT_INIT("code"),
};

bool
second_factor_is_on(const struct user *user)
{
	return user->factor_on != 0;
}

struct second_factor
second_factor_of(const struct store *store, struct arena *arena,
    const struct user *user, struct text code, int64_t now)
{
	int64_t step;

	if (totp_find_step(arena, user->factor, code, now, &step))
		return (struct second_factor){ SECOND_FACTOR_TOTP,
			text_format(arena, "%.*s %lld", TEXT_ARGS(user->factor),
			    (long long)step) };
	return (struct second_factor){ SECOND_FACTOR_RECOVERY_CODE,
		recovery_code_digest(store, arena, user->id, code) };
}

STORE_CALL
second_factor_turn_on(struct store *store, struct arena *arena,
    const struct user *user, struct text secret, int64_t step,
    const struct recovery_codes *recovery_codes)
{
	struct call call = call_begin(
	    arena, CALL_WRITES, "factor_on_1", key_user(arena, user->id));

	call_add(&call, user->password_hash, secret);
	call_add_number(&call, step);
	call_add_words(&call, recovery_codes->digests, RECOVERY_CODES);
	return call_run(&call, store, NULL);
}

STORE_CALL
second_factor_turn_off(struct store *store, struct arena *arena, uint64_t user,
    const struct second_factor *factor)
{
	return call_write(store, arena, "factor_off_1", key_user(arena, user),
	    second_factor_words[factor->kind], factor->value,
	    text_number(arena, INBOX_MAX));
}
