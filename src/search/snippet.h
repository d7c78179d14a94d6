/*
 * Snippets: the part of a text that has most of what a query asks for, with its words marked.
 */
#pragma once

#include "search/query.h"

/* White space in a text is one space, as in HTML. */
struct snippet_piece {
	struct text text;
	bool is_marked;
};

struct snippet {
	struct snippet_piece *pieces;
	size_t count;
	bool is_cut_before, is_cut_after; /* there is more of the text */
};

enum { SNIPPET_BYTES = 300 };

/* What a text is. Of Markdown its words are shown, without markup; but if the query asks only for
 * what markup has, such as a link's address, the text as it was written. */
enum snippet_form { SNIPPET_PLAIN, SNIPPET_MARKDOWN };

/* At most SNIPPET_BYTES of a text, cut between words where there are any; its beginning where
 * the query asks for none of its words. */
struct snippet snippet_of(struct arena *arena, const struct query *query,
    struct text text, enum snippet_form form);

/* A whole title. */
struct snippet snippet_of_title(
    struct arena *arena, const struct query *query, struct text title);
