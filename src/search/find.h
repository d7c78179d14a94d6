/*
 * Searches the index: which posts match, in one of three orders, within a bound of processor
 * time.
 *
 * Newest: rows backwards. Points: the newest POINTS_WALK hits by the points in memory; if there
 * are more, those of the highest levels as well, until no lower one can be on the page. Relevance:
 * the score of search/sql.h with points and age,
 *
 *	score + 0.3 log2(1 + points) + 0.5 row / rows
 *
 * of all hits, if there are no more than RANK_WALK; otherwise of the newest ones, of those that
 * have all words in the title, and of the best by points, as far as there is time once those that
 * are counted were ranked. A query without words has no relevance, and is answered by newest.
 *
 * FTS5's own "ORDER BY rank" would read every hit: 1 s for a common word in three million posts.
 */
#pragma once

#include "search/index.h"

enum find_outcome {
	FIND_EXACT, /* count is exact */
	FIND_MORE,  /* there are more than count */
	FIND_LATE   /* time was up: these are the newest of those found */
};

enum { FIND_COUNT_MAX = 1000, FIND_OFFSET_MAX = 500, FIND_HITS_MAX = 50 };

struct find_request {
	const struct query *query;
	const struct query_names *names;
	enum query_order order;
	size_t offset, limit; /* more than the maxima are taken for them */
	int64_t microseconds; /* of processor time; 0: no bound */
};

struct find_hits {
	enum find_outcome outcome;
	size_t count; /* at most FIND_COUNT_MAX */
	struct post_id ids[FIND_HITS_MAX];
	size_t size;
};

/* A query that does not ask (query_asks) finds nothing. */
INDEX_CALL find_posts(struct index *index, struct arena *arena,
    const struct find_request *request, struct find_hits *hits);
