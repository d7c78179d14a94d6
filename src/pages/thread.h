/*
 * Renders one page of a thread as nested comments.
 *
 * The folded comments are in the address, "fold=3.17", and in no cookie or script: a link
 * to a page shows it as its reader left it.
 */
#pragma once

#include "lists/thread.h"
#include "pages/path.h"
#include "store/comment.h"
#include "views/thread.h"

enum { FOLDS_MAX = 20 };

/* Which page of which thread, for one reader. */
struct thread_request {
	const struct article *article; /* as article_get read it */
	int64_t now;
	uint64_t root;	  /* of the page of one comment; 0: all */
	struct text base; /* the page's path */
	enum thread_order order;
	uint64_t page;
	uint64_t find; /* a comment whose page is shown instead; 0: none */
	uint64_t from; /* the first of the page's comments to show, from 1 */
	uint64_t folds[FOLDS_MAX]; /* in order */
	size_t fold_count;
	/* The last comment that the reader saw: those after it are marked as new; 0: none is. */
	uint64_t seen;
};

/* Whether a reader who is not signed in is shown this page (pages/visitors.h): the first
 * one of a thread always, while its article takes votes. */
enum http_status thread_admit(
    struct page *page, const struct found_post *found);

/* Parses order, page, from, fold and comment of the query; false when one is malformed. */
bool thread_read_query(const struct page *page, struct thread_request *request);

/*
 * Reads the page's comments and fills the model. Redirects to the page of the comment to find if
 * the first part of the thread's page ends before it. HTTP_NOT_FOUND when the root does not exist,
 * and when the thread has no such page (with page_past_end).
 */
enum http_status thread_show(struct page *page,
    const struct thread_request *request, struct thread_model *model);

/* One comment, as it is shown above the form to answer it; closed at its end. */
struct mustache_html thread_single(struct page *page,
    const struct article *article, int64_t now, const struct comment *comment);
