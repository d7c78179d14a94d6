/*
 * The lease of a layout (store/keys.h): while a program reads data directly, they are not moved
 * to a layout that it cannot read (store/move.h).
 *
 * Workers and relays renew the lease of their layout, a key that expires, every few seconds;
 * programs of a release share it. A mover begins only once that of the former layout has
 * expired; from then on it is not given any more, and a program that asks for it stops reading.
 * While a newer release waits, a program that cannot renew its lease stops reading before the
 * lease ends. Otherwise it goes on, since a site without the master of its hash is readable in
 * part: so a release must not be started while machines of the former one are cut off from that
 * master alone.
 */
#pragma once

#include "store/store.h"

/* A process's, shared by its fibers; begins as zeros. */
struct lease {
	/* By the clock: when it was asked for last with success, and when that last
	 * failed; 0: never. */
	int64_t renewed_at, failed_at;
	enum store_result result; /* of the last try */
	bool is_renewing;
	bool is_contested; /* a newer release waits */
};

/*
 * Call before reading. STORE_MISMATCH, logged, when the data have been moved on to another
 * layout; STORE_DOWN when they may have been. Asks Redis every few seconds.
 */
STORE_CALL lease_hold(
    struct store *store, struct arena *arena, struct lease *lease);

/* Asks for the lease of a layout. Sets *is_contested to whether a newer release waits for its
 * end. STORE_MISMATCH as above. */
STORE_CALL lease_renew(struct store *store, struct arena *arena,
    struct text layout, bool *is_contested);
