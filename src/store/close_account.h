/*
 * Closing an account: ends log-in, sessions, invitations and inbox. Votes stay, which have
 * no name. The name and the texts stay or are erased, as the member chooses.
 *
 * Erasing texts follows from the schemas: whatever a schema does not keep is erased
 * (schema_keeps), so a new field cannot be forgotten.
 */
#pragma once

#include "store/user.h"

/* What is erased, besides the password, the sessions, the secret of feeds, the
 * invitations and the inbox. */
enum close_account_erase {
	CLOSE_ACCOUNT_ERASE_NOTHING,
	/* The name becomes "closed-ID" everywhere, or "closed-ID-2" if that is taken. */
	CLOSE_ACCOUNT_ERASE_NAME = 1,
	/* Articles and comments say "(deleted)", and are withdrawn. */
	CLOSE_ACCOUNT_ERASE_TEXTS = 2
};

/*
 * Rewrites everything that names the member (posts, the log, groups, invitations), a few
 * hundred of them in a round trip, and closes the account. When it fails halfway
 * (STORE_DOWN), a repeated call finishes the work: the member can still ask for it, or, once
 * the account is closed, the site's operator. STORE_ABSENT. erased is a set of
 * enum close_account_erase.
 */
STORE_CALL close_account(struct store *store, struct arena *arena,
    const struct user *user, unsigned erased);
