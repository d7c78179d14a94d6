/*
 * The front order: the promise to articles that became interesting.
 *
 * The first pinned_places places are filled with the newest articles that
 * became interesting within pinned_seconds, pinned_articles of them at most,
 * and with the best others by score, all sorted by score; everything else
 * follows by score. With 5 places for 2 promised articles, P and Q, and A to H
 * by score:
 *
 *	by score:  A B C P D E F Q G H
 *	front:     A B C P Q | D E F G H
 *
 * Q was lifted into the promised places, and D, the last other that had one by
 * score, went down. What is read for a page does not grow with its number: after
 * the promised places an article's place differs from its rank by score by the
 * number of lifted articles that stand below it by score, which follows from
 * scores alone. And the first pinned_places - pinned_articles places are those
 * of the plain order, so most pages need not read the promise at all.
 */
#pragma once

#include "lists/merge.h"

/* What reading the order takes. */
struct front {
	struct store *store;
	struct arena *arena;
	const struct versions *versions; /* read before */
	struct read_cache *cache;
	bool is_partial; /* set where a merge's is */
};

/* As merge_read, in the front order. */
STORE_CALL front_read(struct front *front, uint64_t start, uint64_t count,
    struct entry *entries, size_t *got);
