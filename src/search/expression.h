/*
 * What FTS5 is asked for a query: an expression of its language, in which every word is
 * quoted, so it never reads what a reader typed. Words are those of search/query.h, folded and
 * taken as they are; words with a colon are those of a post's tags (search/index.h).
 */
#pragma once

#include "search/query.h"

enum expression_words {
	EXPRESSION_ANYWHERE,
	EXPRESSION_IN_TITLES /* every word that is asked for is in the title */
};

/* Of a query that asks (query_asks). */
struct text expression_of(struct arena *arena, const struct query *query,
    const struct query_names *names, enum expression_words where);

/* The same, of posts of these levels (tags_level), the first the lower. */
struct text expression_of_levels(
    struct arena *arena, struct text expression, int first, int last);
