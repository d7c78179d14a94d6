/*
 * Whether karma is the sum over the posts: the part of the check that needs many of
 * them at once.
 *
 * A sum over posts that were read one after the other differs from the karma as soon as
 * a vote comes in between. So what differs is looked at again: the sum over the author's
 * posts is made inside Redis, some hundred posts a call, and a vote on one that is in it
 * changes both. So it is exact at every moment, and no call takes long, however much
 * an author has posted. One check at a time can do so on a master.
 */
#pragma once

#include "archive/keyscan.h"

/* What a post adds to the karma of its author in its bucket. */
struct share {
	uint64_t bucket, author;
	struct post_id post;
	int64_t points;
};

/* A karma that differs from the posts. */
struct suspect {
	uint64_t bucket, author;
	int64_t kept, sum;
	bool is_whole; /* the sum is of all posts */
};

struct suspects {
	struct suspect *items;
	size_t count;
};

/*
 * Compares the shares with the karma kept: *found is what differs, in the arena,
 * and *karmas how many there are, each of one member in one bucket. Sorts the
 * shares; known has the posts that they come from.
 */
STORE_CALL karma_check(struct store *store, struct arena *arena,
    const struct keyscan *known, struct share *shares, size_t count,
    struct suspects *found, uint64_t *karmas);
