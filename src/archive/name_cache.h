/*
 * Who is who: the names of many members by their ids, and the ids by the names,
 * for a load.
 *
 * A name changes only as an account is closed, and whoever it was then is still the one
 * that the load names; so what was asked once is remembered: of some 65,000
 * members each way, in 12 MB at most, however many the site has.
 */
#pragma once

#include "store/store.h"

struct names;

/* Lives in the arena, but for what names_free gives back. */
struct names *names_new(struct store *store, struct arena *arena);
void names_free(struct names *names);

/* The name of each id as it was registered; empty where nobody has it. */
STORE_CALL names_of(struct names *names, struct arena *arena,
    const uint64_t *ids, size_t count, struct text *found);

/* The id of each name, in any case; 0 where nobody has it. */
STORE_CALL names_find(struct names *names, struct arena *arena,
    const struct text *wanted, size_t count, uint64_t *ids);
