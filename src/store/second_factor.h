/*
 * Second factors: what members give beside the password when they log in, if they have turned
 * it on. That is a time-based code (base/totp.h), or a recovery code (store/recovery.h) in its
 * place.
 *
 * Functions in Redis use it up with what it is given for: a code, of whichever kind, is valid
 * once, also when two workers are sent it at once. Once it is on, no session starts without one
 * (session_start).
 */
#pragma once

#include "store/user.h"

enum second_factor_kind {
	SECOND_FACTOR_NONE,	  /* nothing is given */
	SECOND_FACTOR_OF_SESSION, /* one was, when the member's session began */
	SECOND_FACTOR_TOTP,	  /* a secret, and the step of a code */
	SECOND_FACTOR_RECOVERY_CODE, /* a digest */
	SECOND_FACTOR_KINDS
};

struct second_factor {
	enum second_factor_kind kind;
	struct text value;
};

/* The word of a kind in Redis's functions. */
extern const struct text second_factor_words[SECOND_FACTOR_KINDS];

bool second_factor_is_on(const struct user *user);

/* What a member typed, as rule_given_code leaves it, at a moment. It may be wrong: then
 * Redis's function refuses it, as it does one that was used. */
struct second_factor second_factor_of(const struct store *store,
    struct arena *arena, const struct user *user, struct text code,
    int64_t now);

/*
 * Turns it on for a member with that record: a new secret, and the step of a code of it.
 * recovery_codes are new ones, which replace earlier ones in the same call. STORE_TAKEN when it
 * is on, or the password was changed meanwhile.
 */
struct recovery_codes;
STORE_CALL second_factor_turn_on(struct store *store, struct arena *arena,
    const struct user *user, struct text secret, int64_t step,
    const struct recovery_codes *recovery_codes);

/* Turns it off by itself, which is used up. STORE_FACTOR when it is wrong; STORE_OK when it
 * was off already. */
STORE_CALL second_factor_turn_off(struct store *store, struct arena *arena,
    uint64_t user, const struct second_factor *factor);
