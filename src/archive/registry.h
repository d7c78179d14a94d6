/*
 * What the check looks at beside posts: counters, names, moderators, groups and the claims
 * of links.
 */
#pragma once

#include "archive/look.h"

/*
 * Reports each break. What lies in several slots changes one after the other: what looks
 * broken is looked at again before it counts. A member without a name who never did
 * anything, and a group that is listed nowhere and has no articles, were cut short as they
 * were made, by a kill: they do no harm, and are only counted.
 */
STORE_CALL registry_check(struct look *look);
