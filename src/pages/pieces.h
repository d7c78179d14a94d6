/*
 * Parts of members' pages that many of them share: some rows of a list, some comments of a thread.
 * A worker caches them, rendered and compressed, under all that they are made from; with a vote of
 * one's own, one of them differs.
 */
#pragma once

#include "pages/page.h"

/* How many rows or comments a piece has: more are compressed better, fewer are shared by more. */
enum { PIECE_ROWS = 8, PIECE_COMMENTS = 16 };

/* Rows, and how they are rendered. The key of a piece in the cache is what all rows are made from,
 * and then what each row is made from beside that: numbers as varints, texts behind their sizes. */
struct piece_rows {
	struct text common;
	void (*add_key)(struct page *page, const void *source, size_t i,
	    struct buffer *key);
	/* From first on, before last; empty: that failed. */
	struct text (*render)(
	    struct page *page, const void *source, size_t first, size_t last);
	const void *source;
	bool is_cached;
	size_t size; /* of a piece */
};

/* The rows from first on, before last, as a list of struct mustache_html. The page's pieces are
 * asked for in the order in which the page shows them. */
struct mustache_list pieces_of(struct page *page, const struct piece_rows *rows,
    size_t first, size_t last);
