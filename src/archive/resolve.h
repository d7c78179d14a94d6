/*
 * What the records of a dump are about and what they name: in the site.
 */
#pragma once

#include "archive/batch.h"

/*
 * Looks up the members and groups that the records name, and refuses records in whose
 * place the site has something else; that name what does not exist, or has been refused;
 * count a member's vote twice; lead groups in a circle; or have no room: of two notices
 * of a member with one number the second. Notes in the plan what is refused and what
 * is not. A member, group or act that is there is noted as its outcome.
 */
STORE_CALL resolve_batch(struct batch *batch);
