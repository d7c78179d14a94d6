/*
 * Who and what the records of a dump name.
 */
#pragma once

#include "archive/import.h"

/*
 * Looks up the members and groups that the records name, and refuses records that
 * name what does not exist, count a member's vote twice, or have no room: of two notices
 * of a member with one number the second.
 */
STORE_CALL resolve_batch(struct batch *batch);
