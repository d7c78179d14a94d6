/*
 * Recovery of accounts whose password is forgotten: by a recovery code, or by a link that
 * an owner or the operator has made (store/one_time_link.h).
 *
 * A member has ten recovery codes at most, of 80 random bits. Redis stores digests, keyed with
 * the site's secret. Each code is valid once: for a new password, or in place of the second
 * factor (store/second_factor.h).
 */
#pragma once

#include "store/one_time_link.h"
#include "store/user.h"

enum { RECOVERY_CODES = 10, RECOVERY_CODE_CHARACTERS = 16 };

struct recovery_codes {
	struct text codes[RECOVERY_CODES]; /* "ABCD-EFGH-IJKL-MNOP" */
	struct text digests[RECOVERY_CODES];
};

/* New codes of a member, which are valid once Redis has them. */
struct recovery_codes recovery_codes_new(
    const struct store *store, struct arena *arena, uint64_t user);

/* Stores them in place of earlier ones. */
STORE_CALL recovery_codes_store(struct store *store, struct arena *arena,
    uint64_t user, const struct recovery_codes *codes);

/* How many the member has left. */
STORE_CALL recovery_codes_count(
    struct store *store, struct arena *arena, uint64_t user, int64_t *count);

/* Adds a command that checks codes, link and second factor for `tally check`: the reply is a
 * list of sentences that say what is wrong. refresh_send_inbox (store/refresh.h) repairs it. */
void recovery_check(struct pipeline *pipeline, uint64_t user);

/* The digest of what somebody typed, as rule_given_code leaves it. */
struct text recovery_code_digest(const struct store *store, struct arena *arena,
    uint64_t user, struct text code);

/* STORE_OK when all of these are digests of codes that the member has, otherwise
 * STORE_ABSENT. Uses none up. */
STORE_CALL recovery_codes_find(struct store *store, struct arena *arena,
    uint64_t user, const struct text *digests, size_t count);

/* What a password is recovered by. */
struct recovery {
	enum { RECOVERY_BY_CODE, RECOVERY_BY_LINK } kind;
	struct text digest;
};

/*
 * Sets the hash of a new password, uses the code or the link up, and ends all of the member's
 * sessions and the link. STORE_ABSENT when there is no such code or link, or the account is
 * closed; STORE_SUSPENDED while the member is. The second factor stays as it is, unless the
 * link turns it off.
 */
STORE_CALL recovery_set_password(struct store *store, struct arena *arena,
    uint64_t user, const struct recovery *recovery, struct text hash);
