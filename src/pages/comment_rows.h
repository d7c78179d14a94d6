/*
 * Comments in lists, outside of their threads.
 */
#pragma once

#include "pages/comment_body.h"
#include "pages/page.h"
#include "views/thread.h"

struct comment_rows {
	const struct comments_page *comments;
	struct comment_body *bodies; /* one a comment */
	size_t first, end;	     /* those to show */
	/* The number at which the next part of the page begins, from 1; 0: there is none. */
	size_t next;
};

/*
 * Reads the texts of comments that comments_find found. Those that are gone are left out, and those
 * that the filter hides, which are counted. False in *is_there when the page has no comment with
 * number from, with which it is to begin; it ends where its texts take RULE_PAGE_BYTES.
 */
STORE_CALL comment_rows_read(struct page *page, struct comments_page *comments,
    const struct hidden_filter *filter, uint64_t from,
    struct comment_rows *rows, bool *is_there);

/* Adds all that the row of a comment is made from to a key (pages/pieces.h), and says whether such
 * rows may be cached: not those of visitors and of new members, which say where to come back to or
 * how long to wait. */
void comment_rows_add_key(struct page *page, const struct comment_rows *rows,
    size_t i, struct buffer *key);
bool comment_rows_are_cached(const struct page *page);

/* Renders one, closed at its end; with buttons to save it after page_read_saved. Suspends the
 * fiber. */
struct thread_item comment_rows_render(
    struct page *page, const struct comment_rows *rows, size_t i);

/* Those to show, in pieces. */
struct mustache_list comment_rows_pieces(
    struct page *page, const struct comment_rows *rows);

/* Whether any of those to show was not removed, and has buttons then. */
bool comment_rows_have_buttons(
    const struct page *page, const struct comment_rows *rows);
