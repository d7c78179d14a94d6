/*
 * The rings as a worker knows them. Finding them takes a second on a large site: so they are
 * found by one request at a time, which waits for it while others are answered, in the
 * background and in parts; and what it found is shown for a minute, unless moderators did
 * anything meanwhile.
 */
#pragma once

#include "lists/vote_rings.h"

struct background;
struct vote_rings_cache;

enum { VOTE_RINGS_TTL = 60 }; /* seconds */

struct vote_rings_cache *vote_rings_cache_new(void);
void vote_rings_cache_free(struct vote_rings_cache *known);

/* What was found, which stays as it is until vote_rings_release. */
struct vote_rings_figures {
	struct vote_rings rings;
	int64_t at; /* when it was read, Unix seconds */
	/* Below: rings_known.c's own. */
	uint64_t acts;
	size_t users;
	struct arena arena;
};

/*
 * The figures as they are known, or found now, without being kept when known is NULL.
 * While another request is finding them: *is_awaited, with the figures as they were
 * before, or NULL if there were none. STORE_LIMITED when too much waits for the background.
 */
STORE_CALL vote_rings_get(struct vote_rings_cache *known, struct store *store,
    struct arena *arena, struct background *background,
    struct vote_rings_figures **figures, bool *is_awaited);

/* figures may be NULL. */
void vote_rings_release(struct vote_rings_figures *figures);
