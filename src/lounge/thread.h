/*
 * A page of an article's comments, as cards, one inside the other.
 *
 * What is folded is remembered in the address: "fold=3.17" is in no cookie and no
 * script, and a link to a page has it as its reader left it.
 */
#pragma once

#include "cards/thread.h"
#include "lists/thread.h"
#include "pages/page.h"

enum { FOLDS_MAX = 20 };

struct thread_request {
	const struct article *article; /* as article_get read it */
	int64_t now;
	uint64_t root;	  /* of the page of one comment; 0: all */
	struct text base; /* the page's path */
	enum thread_order order;
	uint64_t page;
	uint64_t folds[FOLDS_MAX]; /* in order */
	size_t fold_count;
	uint64_t seen; /* the number of the last comment that the reader saw;
			  those after it are new; 0: all are, and none is marked */
};

/* order, page and fold of the query; false when one is not in its form. */
bool thread_read_query(const struct page *page, struct thread_request *request);

/*
 * Reads the page's comments and fills the model. HTTP_NOT_FOUND when the root is not
 * there, and when there is no such page, which page_past_end has told.
 */
enum http_status thread_show(struct page *page,
    const struct thread_request *request, struct thread_model *model);

/* One comment, as it is shown above the form for an answer; closed at its end. */
struct mustache_html thread_single(struct page *page,
    const struct article *article, int64_t now, const struct comment *comment);
