/*
 * Reads the rows of a list: its articles, besides their order.
 *
 * Articles and votes in the worker's cache cost Redis nothing; where the order is by score,
 * the points follow from it.
 */
#pragma once

#include "lists/read_cache.h"

struct article_rows {
	struct store *store;
	struct arena *arena;
	struct read_cache *cache;
	uint64_t viewer;		 /* whose votes to read; 0: none */
	const struct versions *versions; /* read before everything else */
	bool by_score;			 /* entries' scores are articles' */
	struct recent recent;		 /* the viewer's, unless they are old */
	bool knows_recent;
	bool is_partial; /* set when a master did not answer */
};

/* Finds the viewer's recent votes in the cache, and reads them if they are not there; where
 * versions are not cached, reading may be left to article_rows_read. */
STORE_CALL article_rows_find_recent(struct article_rows *rows);

/* As above, but reads them in any case: for callers that read no rows. */
STORE_CALL article_rows_load_recent(struct article_rows *rows);

/* True when a vote of the viewer's on an article, or in its thread, may still be under way:
 * data of it must not be cached. */
bool article_rows_is_unsettled(
    const struct article_rows *rows, uint64_t article);

/*
 * Reads the articles of entries, in their order, with the viewer's votes; those that
 * were removed meanwhile are left out. stamps[i] is that of the edits under which
 * articles[i] was read. Both have room for count; *got are there.
 */
STORE_CALL article_rows_read(struct article_rows *rows,
    const struct entry *entries, size_t count, struct article *articles,
    struct stamp *stamps, size_t *got);
