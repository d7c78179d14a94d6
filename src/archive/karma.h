/*
 * Whether karma is the sum over the posts: the part of the check that needs many of
 * them at once.
 *
 * A sum over posts that were read one after the other differs from the karma as soon as
 * a vote comes in between. So what differs is looked at again, all of the author's posts
 * in one function call; that keeps Redis busy for about a microsecond a post, and only
 * for those authors.
 */
#pragma once

#include "archive/inventory.h"

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
    const struct inventory *known, struct share *shares, size_t count,
    struct suspects *found, uint64_t *karmas);
