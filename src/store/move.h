/*
 * The move of data from one layout (store/keys.h) to the next, while members use the site.
 *
 * A release opens data of its own layout and of the one before. Its programs and functions read
 * both. The first start of a site begins the move: from then on the former release can no longer
 * be started with the site. A move has two phases:
 *
 *  expand    While workers of the former release run, the functions write both layouts. A
 *            mover waits until these workers are gone (store/lease.h).
 *  contract  It has the functions write the new layout alone (library_contract), refreshes
 *            (store/refresh.h) all articles with their comments, bucket by bucket and in order,
 *            all members and all groups, and at last removes the mark of the former layout.
 *
 * How far it is stands in the site's hash, so a mover that was killed goes on there: at most
 * WALK_ARTICLES articles, members or groups, or one thread, are refreshed again, which changes
 * nothing.
 */
#pragma once

#include "store/store.h"

/* Begins the move if the site has the layout before; *began says so. */
STORE_CALL move_begin(struct store *store, struct arena *arena, bool *began);

/* How far a move is: so many of all articles, members and groups. */
struct move {
	int64_t from; /* the layout; 0: there is no move, or it is complete */
	uint64_t moved, total;
};
STORE_CALL move_get(
    struct store *store, struct arena *arena, struct move *move);
/* The same in a pipeline of other commands: adds the questions, and reads their replies. */
void move_ask(struct pipeline *pipeline, const struct buckets *buckets);
struct move move_read(
    const struct reply *replies, const struct buckets *buckets);
/* 0 to 100. */
int move_percent(const struct move *move);

/* A mover belongs to a store, which outlives it. */
struct mover *mover_new(struct store *store);
void mover_free(struct mover *mover);

/*
 * Does the next step, of a few milliseconds of Redis. STORE_ABSENT when there is nothing left
 * to do: the move is complete. STORE_CLOSED while workers of the former release run, and after
 * STORE_DOWN: the step can be repeated. The store's user may load functions.
 */
STORE_CALL mover_step(struct mover *mover);
