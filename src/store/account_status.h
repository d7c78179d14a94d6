/*
 * How a member stands: let in or suspended, trusted, and in which role.
 *
 * Each of these is an act (store/mod_action.h), and noted before it is done; the act's member
 * is set here. STORE_ABSENT when there is no such member.
 */
#pragma once

#include "store/mod_action.h"
#include "store/user.h"

/* Keeps the member out until a moment, which may be USER_SUSPENDED_FOREVER, and ends all the
 * member's sessions and open invitations. */
STORE_CALL account_suspend(struct store *store, struct arena *arena,
    const struct user *user, int64_t until, struct mod_action act);

/* Lets the member in again. */
STORE_CALL account_readmit(struct store *store, struct arena *arena,
    const struct user *user, struct mod_action act);

/* From now on the member votes as others do. */
STORE_CALL account_vouch(struct store *store, struct arena *arena,
    const struct user *user, struct mod_action act);

STORE_CALL account_appoint(struct store *store, struct arena *arena,
    const struct user *user, enum role role, struct mod_action act);
