/*
 * Posts by their ids, articles and comments mixed, as a search found them: whole, with the
 * viewer's votes, and fresh from Redis.
 */
#pragma once

#include "store/comment.h"

/* Whether it is there to be shown; what is removed is, too, but not read out. */
enum hit_state { HIT_LOST, HIT_REMOVED, HIT_SHOWN };

struct hit {
	enum hit_state state;
	/* Its post.id.comment is 0 for a hit that is an article, which is then whole. */
	struct comment comment;
	struct article article; /* the hit, or the comment's; brief then */
};

/* The post that was found. */
const struct post *hit_post(const struct hit *hit);
bool hit_is_comment(const struct hit *hit);

/*
 * Reads count posts, in their order; those that were removed, or whose article was, and those
 * that do not exist are left out. hits has room for count, *got are there. vote_score is what a
 * vote is worth (versions.scale). A viewer of 0 has no votes. Lost masters: as
 * store_run_partial. hits_read_each leaves nothing out: hits[i] is that of ids[i], and its state
 * says what there is.
 */
STORE_CALL hits_read(struct store *store, struct arena *arena,
    const struct post_id *ids, size_t count, uint64_t viewer,
    int64_t vote_score, struct hit *hits, size_t *got, bool *is_partial);
STORE_CALL hits_read_each(struct store *store, struct arena *arena,
    const struct post_id *ids, size_t count, uint64_t viewer,
    int64_t vote_score, struct hit *hits, bool *is_partial);
