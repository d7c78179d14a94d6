/*
 * Containments in the archive (store/containment.h). A dump has their entries in the log, with the
 * counts, and what they have changed is in the posts, the votes and the members; what is needed to
 * take them back is kept for a day only, and is not dumped.
 */
#pragma once

#include "store/store.h"

struct check;

/* After the actions, which the scan has found. */
STORE_CALL containments_check(struct check *check);
