/*
 * What a site has under the names and numbers of a load: the same, or something else.
 */
#pragma once

#include "archive/batch.h"

/*
 * Compares the records, of which the authors of posts are known or refused, with what is there under their names and numbers, and refuses
 * those that are not the same. What never changes is compared: of a member or a group
 * the moment of creation; of a post its author, when it was posted and what it answers,
 * and of an article also its link, and its words unless they were edited; of an act
 * what was done when, by whom and to whom. A member, group or act that is the same has
 * IMPORT_THERE as its outcome. Refuses a new group that would lead back to itself.
 */
STORE_CALL existing_compare(struct batch *batch);
