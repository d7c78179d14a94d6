/*
 * Voiding of a member's votes on posts that are open for voting: a voided vote does not
 * count and cannot be cast again, until it is counted again. Each vote is changed by one
 * function.
 */
#pragma once

#include "store/post.h"

/* Voids or counts one vote, as post_void, which is an action in the log; sets the action's kind,
 * post and member. */
STORE_CALL vote_void_one(struct store *store, struct arena *arena,
    struct post_id id, const struct member *member, enum voiding wanted,
    struct mod_action action);

/* The same for an act on many votes (store/containment.h), as post_void_for. */
STORE_CALL vote_change_for(struct store *store, struct arena *arena,
    struct post_id id, const struct vote_act *act);

/* Where a sweep over the articles of a bucket is: at a moment of posting, of which so many were
 * visited. At first 0. */
struct vote_cursor {
	int64_t score, passed;
};

/*
 * Does so for a member's votes on the next few articles of a bucket and on their comments, of all
 * that may have been posted since a moment; moves the cursor on, until *ended. With STORE_DOWN some
 * may be changed; a repeated call changes the rest.
 */
STORE_CALL vote_sweep_step(struct store *store, struct arena *arena,
    const struct vote_act *act, int64_t since, uint64_t bucket,
    struct vote_cursor *cursor, bool *ended);
