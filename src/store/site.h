/*
 * The site as a whole: what was decided when it was created.
 */
#pragma once

#include "store/store.h"

/* Whether every master refuses to write what no replica could have; STORE_MISMATCH,
 * with what is to be done in why, when one does not. After the functions. */
STORE_CALL site_check_replicas(
    struct store *store, struct arena *arena, struct text *why);

/* Whether there is a site in this Redis. Needs no functions, and creates nothing. */
STORE_CALL site_exists(struct store *store, struct arena *arena, bool *exists);

/*
 * Creates the site with the rules' buckets and vote_score (where they are 0: 1, 16 on
 * a cluster, and 432), or reads what it was created with. Sets those two and the secret in the
 * store. STORE_MISMATCH, with a sentence in why, when the site was created with other
 * values than asked for, or its key is damaged.
 */
STORE_CALL site_open(
    struct store *store, struct arena *arena, struct text *why);

/* Whether Redis answers, and its clock in Unix seconds. */
STORE_CALL site_time(struct store *store, struct arena *arena, int64_t *now);

/* Whether Redis has refused something within the last second because it is full: for
 * whoever is to explain a STORE_DOWN. */
bool site_is_full(const struct store *store);

/* Whether a part of the site is out of reach, and the rest is not. */
bool site_is_partial(const struct store *store);
