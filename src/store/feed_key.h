/*
 * The secret by which a member's private feeds are read: "17.SECRET", of the member 17. It
 * opens feeds alone, no page and no form, and is not a session's. Redis has its digest, in the
 * member's hash.
 */
#pragma once

#include "store/user.h"

/* Makes a secret, in place of the one before. */
STORE_CALL feed_key_renew(
    struct store *store, struct arena *arena, uint64_t user, struct text *key);

/* Makes the member's secret worthless. */
STORE_CALL feed_key_end(
    struct store *store, struct arena *arena, uint64_t user);

/* Finds the member of a secret, and Redis's clock. STORE_ABSENT when it is nobody's;
 * STORE_SUSPENDED. */
STORE_CALL feed_key_find(struct store *store, struct arena *arena,
    struct text key, struct user *user, int64_t *now);
