/*
 * The site as a whole: what was decided when it was created, and the functions
 * that run inside Redis.
 */
#ifndef STORE_SITE_H
#define STORE_SITE_H

#include "store/store.h"

/*
 * Puts this program's functions in place of those that are there, at once,
 * unless those are of a newer version. A library has the functions of the
 * version before it as well, so that workers of both can run.
 */
STORE_CALL site_load_functions(struct store *store, struct arena *arena);

/*
 * Creates the site with the rules' buckets and vote_score (where they are 0: 1
 * and 432), or reads what it was created with. Fills in the store's secret, and
 * of its rules those two. STORE_TAKEN, with why as a sentence, when the site
 * was created with other values than asked for, or its key is damaged.
 */
STORE_CALL site_open(
    struct store *store, struct arena *arena, struct text *why);

/*
 * What the workers may do in Redis, as its ACL says it: read and write the
 * site's keys, and call functions that others have loaded.
 */
struct text site_rights(struct arena *arena);

/* Whether Redis answers, and its clock in Unix seconds. */
STORE_CALL site_time(struct store *store, struct arena *arena, int64_t *now);

#endif
