/*
 * Voiding: a member's votes on all posts that take votes, taken back for good, or
 * counted again. Each post is one function, and one act in the log.
 */
#pragma once

#include "store/post.h"

/*
 * *changed is how many votes there were to change. Looks at as many articles and comments
 * as were posted within the window, some hundred in a round trip, and for these at the
 * threads of all articles that took comments then. STORE_DOWN may have changed some;
 * doing it again goes on.
 */
STORE_CALL vote_void_all(struct store *store, struct arena *arena,
    const struct member *member, enum voiding wanted, struct mod_action act,
    uint64_t *changed);

/* The member's vote on one post: as post_void, with the act's kind, post and member. */
STORE_CALL vote_void_one(struct store *store, struct arena *arena,
    struct post_id id, const struct member *member, enum voiding wanted,
    struct mod_action act);
