/*
 * Threads: an article's comments in the order in which they are read.
 *
 * The order is computed from the thread's index (store/keys.h) alone: one read of Redis,
 * 16 bytes a comment, and some 40 nanoseconds each. Pages are cached under the thread's own
 * count of changes, so a vote on a comment invalidates the pages of its thread alone.
 *
 * A removed comment is left out unless it has replies that were not removed: then it is
 * shown as a stub.
 */
#pragma once

#include "lists/read_cache.h"
#include "store/comment.h"

enum thread_order {
	THREAD_BEST,  /* by thread_confidence */
	THREAD_NEW,   /* the newest first */
	THREAD_OLDEST /* the oldest first */
};

/* "best", "new" or "oldest", and nothing else. */
bool thread_order_parse(struct text word, enum thread_order *order);
extern const struct text thread_order_words[];

/*
 * Wilson's score interval for the share of upvotes, its lower bound at z = 1.2816 (80 %
 * two-sided): from 0 to 1, and higher the more votes say the same. With n votes and the
 * share p:
 *
 *	(p + z²/2n - z sqrt((p(1 - p) + z²/4n) / n)) / (1 + z²/n)
 *
 * Source: E. B. Wilson, "Probable inference, the law of succession, and statistical
 * inference", Journal of the American Statistical Association 22 (1927), p. 209-212.
 */
double thread_confidence(int64_t up, int64_t down);

/* A comment's record in the index, and its place in the thread. Narrow, since a cached page has 200
 * of them, and so has each request that waits for its comments. */
struct thread_node {
	int64_t posted;
	int64_t closes;		 /* 0: see its hash */
	uint32_t number, parent; /* parent 0: the article */
	int32_t up, down;
	uint32_t edition;	 /* changes, except those of its counts */
	uint32_t depth;		 /* 0 for replies to the article */
	uint32_t below;		 /* comments shown below it, on any page */
	bool removed, withdrawn; /* the former in either case */
};

/* The node of one record. A parent with a larger number, as in a damaged index, becomes 0: so there
 * are no cycles. */
struct thread_node thread_node_of(
    const struct comment_record *record, uint64_t number);

/*
 * THREAD_PAGE comments make a page. A comment is on one page with all replies below it,
 * unless these are more than a page.
 */
enum { THREAD_PAGE = 200, THREAD_ABOVE = 20 };

struct thread {
	const struct thread_node *nodes; /* of the page, in order */
	size_t count;
	uint64_t page;	 /* its number, from 1 */
	uint64_t pages;	 /* 1 when there is nothing */
	uint64_t before; /* comments on the pages before, */
	uint64_t follow; /* and on those after this one */
	uint64_t last;	 /* the number of the newest of all */
	/* The ancestors of the root, the outermost first; THREAD_ABOVE at most, and the
	 * number of further ones. Stored right before the nodes. */
	const struct thread_node *above;
	size_t above_count, above_more;
};

struct thread_query {
	uint64_t article;
	uint64_t root; /* the comment to begin with; 0: all */
	enum thread_order order;
	uint64_t page; /* from 1 */
	/* A comment whose page is read instead, or the first if none has it; 0: no comment. */
	uint64_t find;
	struct read_cache *cache;
	struct stamp stamp; /* of the thread, as article_get read it */
};

/* Reads a page; one past the end is empty. STORE_ABSENT when there is no such root. */
STORE_CALL thread_read(struct store *store, struct arena *arena,
    const struct thread_query *query, struct thread *thread);
