/*
 * Voiding of a member's votes on posts that are open for voting: a voided vote does not
 * count and cannot be cast again, until it is counted again. Each vote is changed by one
 * function, and is one action in the log.
 */
#pragma once

#include "store/post.h"

/*
 * Voids or counts all of a member's votes; *changed is their number. Visits all articles
 * and comments that were posted within the voting window, some hundred in a round trip,
 * and all threads that took comments then. With STORE_DOWN some may be changed; a repeated
 * call resumes.
 */
STORE_CALL vote_void_all(struct store *store, struct arena *arena,
    const struct member *member, enum voiding wanted, struct mod_action action,
    uint64_t *changed);

/* Voids or counts one vote, as post_void; sets the action's kind, post and member. */
STORE_CALL vote_void_one(struct store *store, struct arena *arena,
    struct post_id id, const struct member *member, enum voiding wanted,
    struct mod_action action);
