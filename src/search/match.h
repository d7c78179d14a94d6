/*
 * Whether a post has what a query asks for, and where: on the post as it is in Redis, with the
 * words of base/words.h. The index is asked first and never trusted.
 */
#pragma once

#include "search/query.h"

/* True if a post has what is asked for, and nothing that is excluded. */
bool match_post(struct arena *arena, const struct query *query,
    const struct query_names *names, const struct search_post *post);

/* Bytes of a text to be marked. */
struct match_mark {
	size_t start, end;
};

enum match_field { MATCH_TITLE, MATCH_TEXT };

/* Finds what is asked for in a title or text: at most room marks, in order, none overlapping.
 * Returns how many. */
size_t match_marks(struct arena *arena, const struct query *query,
    enum match_field field, struct text text, struct match_mark *marks,
    size_t room);
