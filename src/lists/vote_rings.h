/*
 * The rings of members who vote together (lists/vote_rings_find.h), as the moderators' page
 * shows them.
 *
 * Finding them takes up to a second on a large site. So one request at a time finds them, in
 * the background and in parts, while others are served; and the result is cached for a
 * minute, unless moderators act meanwhile.
 */
#pragma once

#include "lists/vote_rings_find.h"

struct background;
struct vote_rings_cache;

enum { VOTE_RINGS_TTL = 60 }; /* seconds */

/*
 * Reads the upvotes, finds the rings in the background, or at once if that is NULL, and
 * reads their names and titles. All is in the arena. STORE_LIMITED when too much waits for
 * the background.
 */
STORE_CALL vote_rings_read(struct store *store, struct arena *arena,
    struct background *background, struct vote_rings *rings);

struct vote_rings_cache *vote_rings_cache_new(void);
void vote_rings_cache_free(struct vote_rings_cache *cache);

/* A result, which is not changed until vote_rings_release. */
struct vote_rings_figures {
	struct vote_rings rings;
	int64_t at; /* when it was read, Unix seconds */
	/* Below: vote_rings.c's own. */
	uint64_t actions;
	size_t users;
	struct arena arena;
};

/*
 * Gets the cached figures, or finds them now, without caching when cache is NULL.
 * While another request is finding them: sets *is_awaited, with the previous figures, or
 * NULL if there are none. STORE_LIMITED as vote_rings_read.
 */
STORE_CALL vote_rings_get(struct vote_rings_cache *cache, struct store *store,
    struct arena *arena, struct background *background,
    struct vote_rings_figures **figures, bool *is_awaited);

/* figures may be NULL. */
void vote_rings_release(struct vote_rings_figures *figures);
