/*
 * The newest articles of a publisher, with their links.
 */
#pragma once

#include "store/post.h"

enum { PUBLISHER_ARTICLES = 1000 }; /* that are read, about */

struct publisher_article {
	struct post_id id;
	struct text link;
};

/* Reads those that are not removed, in two round trips; of each bucket the newest first, and an equal
 * share. */
STORE_CALL publisher_articles_read(struct store *store, struct arena *arena,
    struct text publisher, struct publisher_article **articles, size_t *count);
