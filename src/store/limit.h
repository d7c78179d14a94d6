/*
 * How often somebody may do something: so many times an hour at once, and then
 * one at a time, evenly over the hour. Whoever did too much is delayed, and
 * never locked out.
 */
#ifndef STORE_LIMIT_H
#define STORE_LIMIT_H

#include "store/store.h"

/*
 * Counts one more of kind for who: a member's id, an address, a name. When that
 * is one too many it is STORE_LIMITED, not counted, and *wait the seconds after
 * which one will be taken.
 */
STORE_CALL limit_take(struct store *store, struct arena *arena, enum limit kind,
    struct text who, int64_t *wait);

/*
 * An address as limits count it: IPv6 by its first 64 bits, which one reader
 * has for itself.
 */
struct text limit_address(struct arena *arena, struct text address);

#endif
