/*
 * Threads: an article's comments in the order in which they are read.
 *
 * The order is made from the thread's index (store/keys.h) alone: one read of Redis,
 * 16 bytes a comment, and some 40 nanoseconds each. A page that was made is kept under
 * the thread's own count of changes, so a vote on a comment makes nothing be read anew
 * but the pages of its thread.
 *
 * A comment that was removed is left out unless it has answers that were not: then it
 * stands there as a stub.
 */
#pragma once

#include "lists/read_cache.h"

enum thread_order {
	THREAD_BEST,  /* by thread_confidence */
	THREAD_NEW,   /* the newest first */
	THREAD_OLDEST /* as they were written */
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

/* A comment, as far as the index says. */
struct thread_node {
	uint64_t number, parent; /* parent 0: the article */
	int64_t posted, up, down;
	int64_t closes;	  /* 0: its hash says it */
	uint64_t edition; /* how often it was changed but for its counts */
	uint64_t depth;	  /* 0 for what answers the article */
	uint64_t below;	  /* how many are shown below it, on any page */
	bool removed, withdrawn; /* the former in either case */
};

/*
 * THREAD_PAGE comments make a page. What answers one comment is on one page together
 * with all that answers it in turn, unless that is more than a page.
 */
enum { THREAD_PAGE = 200, THREAD_ABOVE = 20 };

struct thread {
	struct thread_node *nodes; /* of the page, in order */
	size_t count;
	uint64_t pages;	 /* 1 when there is nothing */
	uint64_t before; /* how many comments are on the pages before, */
	uint64_t follow; /* and on those after this one */
	uint64_t last;	 /* the number of the newest of all */
	/* With a root: what it answers, and what that answers, the outermost first;
	 * at most THREAD_ABOVE of them, and how many more there are. */
	struct thread_node *above;
	size_t above_count, above_more;
};

struct thread_query {
	uint64_t article;
	uint64_t root; /* this comment and what is below it; 0: all */
	enum thread_order order;
	uint64_t page; /* from 1 */
	struct read_cache *cache;
	struct stamp stamp; /* of the thread, as article_get read it */
};

/* A page; one past the end is empty. STORE_ABSENT when there is no such root. */
STORE_CALL thread_read(struct store *store, struct arena *arena,
    const struct thread_query *query, struct thread *thread);
