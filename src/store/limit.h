/*
 * Rate limits: as many as the limit for an hour may come at once, after that one
 * at a time, evenly over the hour. Whoever did too much is delayed, and never
 * locked out.
 */
#pragma once

#include "store/store.h"

/*
 * Counts one more of kind for who: a member's id, an address or a name.
 * STORE_LIMITED when that is too many: it is not counted, and *wait is the number
 * of seconds until one is allowed.
 */
STORE_CALL limit_take(struct store *store, struct arena *arena, enum limit kind,
    struct text who, int64_t *wait);

/*
 * An address as limits count it: IPv6 by its first 64 bits, which a subscriber
 * has to itself.
 */
struct text limit_address(struct arena *arena, struct text address);
