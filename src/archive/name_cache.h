/*
 * The names of members by their ids, and the ids by the names, for a load.
 *
 * A name changes only as an account is closed, and then still means the same member to
 * the load. So answers are cached: of some 65,000 members each way, in 12 MB at most,
 * however many the site has.
 */
#pragma once

#include "store/schema.h"
#include "store/store.h"

struct name_cache;

/* Lives in the arena, but for what name_cache_free frees. */
struct name_cache *name_cache_new(struct store *store, struct arena *arena);
void name_cache_free(struct name_cache *cache);

/* Fills in the id of each name, in any case; 0 where nobody has it. */
STORE_CALL name_cache_find_ids(struct name_cache *cache, struct arena *arena,
    struct member *const *members, size_t count);

/* The same, and the names as they are registered; a name that nobody has stays. */
STORE_CALL name_cache_find(struct name_cache *cache, struct arena *arena,
    struct member *const *members, size_t count);
