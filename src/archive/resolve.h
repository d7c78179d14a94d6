/*
 * Who and what the records of a dump name.
 */
#pragma once

#include "archive/import.h"

/*
 * Looks up the members and groups that the records name, and refuses records that
 * name what does not exist or count a member's vote twice.
 */
STORE_CALL resolve_batch(struct batch *batch);
