/*
 * The articles of a publisher with their links, the newest first, some at a time.
 */
#pragma once

#include "store/post.h"

enum { PUBLISHER_ARTICLES = 1000 }; /* that are read at once, about */

struct publisher_article {
	struct post_id id;
	int64_t posted;
	struct text link;
};

/* Where reading goes on: behind the article that was posted then and has this id; at first 0. */
struct publisher_cursor {
	int64_t posted;
	uint64_t article;
};

/* Whether the article is at the cursor or before it in this order. */
bool publisher_cursor_has_passed(const struct publisher_cursor *cursor,
    const struct publisher_article *article);

/* Reads the next articles that are not removed, in two round trips; *more when others may follow
 * the last. */
STORE_CALL publisher_articles_read(struct store *store, struct arena *arena,
    struct text publisher, const struct publisher_cursor *cursor,
    struct publisher_article **articles, size_t *count, bool *more);
