/*
 * One-time links for the operator: printed on standard output, and in no log of Tally's own.
 *
 * A link's base is TALLY_ORIGIN or, without one, http://localhost, where nginx's file for the
 * service serves the site, or for `tally up` that with TALLY_PORT.
 */
#pragma once

#include "server/config.h"
#include "store/account_status.h"
#include "store/store.h"

/* Makes and prints a link by which a member becomes the owner of a site that has none.
 * STORE_TAKEN, and prints nothing, when the site has an owner. */
STORE_CALL link_print_owner(
    struct store *store, struct arena *arena, const struct config *config);

/* Makes and prints a link to recover a member's account: as account_make_link. */
STORE_CALL link_print_recovery(struct store *store, struct arena *arena,
    const struct config *config, const struct user *user,
    enum one_time_link_factor factor);
