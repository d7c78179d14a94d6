/*
 * What a list says of its articles besides their order.
 *
 * Articles and votes that the worker keeps cost Redis nothing; where the order is
 * by score, the points follow from it.
 */
#pragma once

#include "lists/read_cache.h"

struct article_rows {
	struct store *store;
	struct arena *arena;
	struct read_cache *cache;
	uint64_t viewer; /* whose votes to tell; 0 for nobody's */
	const struct versions *versions; /* read before everything else */
	bool by_score;			 /* what the entries' scores are */
	struct recent recent; /* the viewer's, of which none is old */
	bool knows_recent;
	bool is_partial; /* set when a master did not answer */
};

/* Finds what the viewer has just voted on, before it is needed; where versions are
 * read, it may be left to article_rows_read. */
STORE_CALL article_rows_find_recent(struct article_rows *details);

/* The same, in any case: for whoever reads something else than details. */
STORE_CALL article_rows_load_recent(struct article_rows *details);

/* Whether a vote of the viewer's on an article, or in its thread, may still be under
 * way: what is read of it is not to be kept. */
bool article_rows_is_unsettled(
    const struct article_rows *details, uint64_t article);

/*
 * The articles of entries, in their order, with the viewer's votes; those that
 * were removed meanwhile are left out. stamps[i] is that of the edits under which
 * articles[i] was read. Both have room for count; *got are there.
 */
STORE_CALL article_rows_read(struct article_rows *details,
    const struct entry *entries, size_t count, struct article *articles,
    struct stamp *stamps, size_t *got);
