/*
 * Closing an account: ends log-in, sessions, invitations and inbox. Votes stay, which have
 * no name. The name and the texts stay or are erased, as the member chooses.
 *
 * Erasing texts follows from the schemas: whatever a schema does not keep is erased
 * (schema_keeps), so a new field cannot be forgotten.
 */
#pragma once

#include "store/user.h"

/* What is erased, besides the password, the sessions, the invitations and the inbox. */
enum close_account_erase {
	CLOSE_ACCOUNT_ERASE_NOTHING,
	CLOSE_ACCOUNT_ERASE_NAME =
	    1, /* it becomes "closed-ID", or if somebody is called so
			   * "closed-ID-2", wherever it stands */
	CLOSE_ACCOUNT_ERASE_TEXTS =
	    2 /* every article and comment says "(deleted)", and is
			   * withdrawn */
};

/*
 * Goes through all that names the member, articles, the log, groups, and who invited whom,
 * which takes a round trip for some hundred of them, and closes the account. When it
 * ends early, STORE_DOWN, leaving again goes on: the member still can, or if the account
 * is closed already, whoever runs the site. STORE_ABSENT.
 */
STORE_CALL close_account(struct store *store, struct arena *arena,
    const struct user *user, unsigned goes);
