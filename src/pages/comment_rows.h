/*
 * Renders comments in lists, outside of their threads.
 */
#pragma once

#include "lists/comments.h"
#include "pages/page.h"
#include "views/thread.h"

struct comment_rows {
	struct thread_item *items; /* one a comment, set from first to end */
	size_t first, end;
	size_t next; /* the number at which the next part of the page begins,
			from 1; 0: there is none */
	bool has_buttons; /* the viewer may vote on any of them, or save it */
};

/*
 * Renders the comments of a page from number from on, until they take RULE_PAGE_BYTES, with
 * buttons to save them after page_read_saved. Suspends the fiber between two of them. False
 * when the page has fewer; for a HEAD request nothing is rendered.
 */
bool comment_rows_read(struct page *page, const struct comments_page *comments,
    uint64_t from, struct comment_rows *rows);
