/*
 * Orders by what an article is worth, which follows from when it was posted and its points, and
 * rises with both or, for a given score, has a known maximum. No such order is stored. It is
 * found from the lists by time and by score with Fagin's threshold algorithm (Fagin, Lotem and
 * Naor, Optimal aggregation algorithms for middleware, 2003):
 *
 *	by time    9:58  9:51  9:40 |			read from the top, a block of each
 *	by score   8412  8077  7990 |			at a time; what only one of them has
 *							had is looked up in the other
 *
 * An article that was not read was posted at 9:40 or before, and its score is 7990 or less. When
 * none of that kind can be worth more than the last of those that are wanted, the order is known
 * as far as that. Reading ends after THRESHOLD_MAX entries of each list: then the order is only
 * that of the articles that were read, and is approximate.
 */
#pragma once

#include "lists/article_rows.h"
#include "lists/query.h"

enum {
	THRESHOLD_FIRST =
	    100, /* entries of the first block; each next one has twice as many */
	THRESHOLD_MAX = 5000
};

struct worth {
	/* What an article is worth. */
	double (*of)(const struct worth *worth, int64_t posted, int64_t points);
	/* The most that one may be worth that was posted at that moment or before, and has that
	 * score or less. */
	double (*most)(
	    const struct worth *worth, int64_t posted, int64_t score);
	int64_t vote_score; /* of the scale that is read */
	int64_t now, gravity;
};

/* Reads the entries at start to start + count of the query's articles into an empty order, which
 * has room for them: by worth, then by time, then by id, high to low. The entries' scores are
 * articles' scores. STORE_LIMITED when many have to be read (lists/merge.h). */
STORE_CALL threshold_read(const struct article_rows *rows,
    const struct list_query *query, const struct worth *worth, uint64_t start,
    uint64_t count, struct order *order);
