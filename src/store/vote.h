/*
 * A member's vote: first its entry in the member's history (store/vote_history.h), then the vote
 * itself (post_send_vote in store/post.h). An acknowledged vote has its entry.
 */
#pragma once

#include "store/post.h"

/* Casts a vote at a moment; outcomes as at post_send_vote. On one Redis both are one round trip;
 * in a cluster, where they are on two masters, two. A vote that is refused leaves the history as
 * it was. */
STORE_CALL vote_cast(struct store *store, struct arena *arena,
    struct post_id id, uint64_t user, enum voter_kind voter, enum vote wanted,
    int64_t now);
