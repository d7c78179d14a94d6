/*
 * The link by which a member becomes the owner of a site that has none, for the
 * operator: printed on standard output, and in no log of Tally's own.
 */
#pragma once

#include "server/config.h"
#include "store/store.h"

/*
 * Makes and prints a link. Its base is TALLY_ORIGIN or, without one, http://localhost,
 * where nginx's file for the service serves the site, or for `tally up` that with
 * TALLY_PORT. STORE_TAKEN, and prints nothing, when the site has an owner.
 */
STORE_CALL owner_link_print(
    struct store *store, struct arena *arena, const struct config *config);
