/*
 * What is always true of a site's data: design section 2, numbers 1 to 6, and
 * when keys expire.
 *
 * Redis alone is asked, with plain reads, and nothing of the store takes part:
 * what the store gets wrong it would get wrong here as well.
 */
#ifndef SUPPORT_INVARIANTS_H
#define SUPPORT_INVARIANTS_H

#include "world.h"

/*
 * Fails the test, naming the article, at the first break. Returns how many
 * articles there are. Users' ids must be below INVARIANTS_USERS.
 */
size_t invariants_check(struct world *world);

enum { INVARIANTS_USERS = 4096 };

#endif
