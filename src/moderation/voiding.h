/*
 * Voiding: a member's votes on all articles that take votes, taken back for good, or
 * counted again. Each article is one function, and one act in the log.
 */
#pragma once

#include "store/post.h"

/*
 * *changed is how many votes there were to change. Looks at as many articles as were
 * posted within the window, some hundred in a round trip. STORE_DOWN may have changed
 * some; doing it again goes on.
 */
STORE_CALL voiding_all(struct store *store, struct arena *arena,
    const struct member *member, enum voiding wanted, struct act act,
    uint64_t *changed);

/* The member's vote on one article: as post_void, with the act's kind and article. */
STORE_CALL voiding_one(struct store *store, struct arena *arena,
    uint64_t article, const struct member *member, enum voiding wanted,
    struct act act);
