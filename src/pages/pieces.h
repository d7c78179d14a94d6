/*
 * Parts of members' pages that many of them share: some rows of a list, some comments of a thread. A
 * worker caches them, rendered and compressed, under all that they are made from; with a vote of
 * one's own, one of them differs.
 */
#pragma once

#include "pages/page.h"

/* How many rows or comments a piece has: more are compressed better, fewer are shared by more. */
enum { PIECE_ROWS = 8, PIECE_COMMENTS = 16 };

/* Adds the key of a row or a comment to that of its piece. */
void pieces_add_key(struct buffer *key, struct text part);

/* Finds a piece; false when it has to be made. The page's pieces are found or put in the order in which
 * the page shows them. */
bool pieces_get(struct page *page, struct text key, struct mustache_html *html);

/* Stores a piece that was made, and returns it. */
struct mustache_html pieces_put(
    struct page *page, struct text key, struct text html);
