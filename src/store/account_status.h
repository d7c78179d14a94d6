/*
 * Account status: suspended or not, trusted or not, and the role.
 *
 * Each change is a moderator's action (store/mod_action.h) and is logged before it is
 * made; the action's kind and member are set here. STORE_ABSENT when there is no such
 * member.
 */
#pragma once

#include "store/mod_action.h"
#include "store/one_time_link.h"
#include "store/user.h"

/* Suspends the member until a moment in Unix seconds, or USER_SUSPENDED_FOREVER, and ends
 * all of the member's sessions and open invitations. */
STORE_CALL account_suspend(struct store *store, struct arena *arena,
    const struct user *user, int64_t until, struct mod_action action);

/* Ends a suspension. */
STORE_CALL account_readmit(struct store *store, struct arena *arena,
    const struct user *user, struct mod_action action);

/* Marks the member as trusted: a new member who has to wait before voting no longer
 * does. */
STORE_CALL account_vouch(struct store *store, struct arena *arena,
    const struct user *user, struct mod_action action);

/* Removes what the member says of themselves. */
STORE_CALL account_empty_about(struct store *store, struct arena *arena,
    const struct user *user, struct mod_action action);

/* Gives the member a role. */
STORE_CALL account_appoint(struct store *store, struct arena *arena,
    const struct user *user, enum role role, struct mod_action action);

/* Makes a link to recover the member's account (store/one_time_link.h), which is logged before
 * *code is returned. STORE_ABSENT when the account is closed, STORE_SUSPENDED while the
 * member is. */
STORE_CALL account_make_link(struct store *store, struct arena *arena,
    const struct user *user, enum one_time_link_factor factor,
    struct mod_action action, struct text *code);

/*
 * Makes the member the owner by a link, which is used up. STORE_TAKEN when the site has an
 * owner, also with concurrent calls; STORE_ABSENT when there is no such link. The same
 * member can repeat a call that was interrupted, for a minute.
 */
STORE_CALL account_become_owner(struct store *store, struct arena *arena,
    const struct user *user, const struct one_time_link *link,
    struct mod_action action);
