/*
 * A page of a thread, dealt: each comment becomes a card, which stands in that of what it
 * answers.
 *
 * A card is kept once it is rendered, under all that it is made from: whoever asks for
 * the same page next is given the same 200 cards, with their own votes.
 */
#pragma once

#include "pages/comment_body.h"
#include "views/thread.h"

/* Which page of which thread, for one reader. */
enum { FOLDS_MAX = 20 };

struct thread_request {
	const struct article *article; /* as article_get read it */
	int64_t now;
	uint64_t root;	  /* of the page of one comment; 0: all */
	struct text base; /* the page's path */
	enum thread_order order;
	uint64_t page;
	uint64_t from; /* the first of the page's comments to show, from 1 */
	uint64_t folds[FOLDS_MAX]; /* in order */
	size_t fold_count;
	uint64_t seen; /* the number of the last comment that the reader saw;
			  those after it are new; 0: all are, and none is marked */
};

/* Where a card stands: in that of what it answers, if that is on the page, up to a level
 * from which on they stand below each other. */
struct nest {
	size_t parent; /* its number on the page; NOWHERE */
	size_t level;
	bool is_flat;
};

#define NOWHERE SIZE_MAX

/* A page on its way to cards. */
struct thread_deal {
	struct page *page;
	const struct thread_request *request;
	struct reader reader;
	const struct thread_node
	    *nodes; /* above the root, and then the page's */
	const struct comment_body *bodies;
	const struct nest *nests; /* of each */
	size_t count, above;
	bool takes_comments;
};

/* Where each of the nodes stands. */
const struct nest *deal_nests(
    struct arena *arena, const struct thread_node *nodes, size_t count);

/* As struct thread_item. */
struct mustache_list deal_items(const struct thread_deal *deal);

/* "5 replies". */
struct text deal_counted(
    struct arena *arena, uint64_t count, const char *words);

/* The page's address in an order. */
struct text deal_address(struct arena *arena,
    const struct thread_request *request, enum thread_order order);
