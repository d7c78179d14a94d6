/*
 * What a list says of its articles besides their order; within the store.
 *
 * Articles and votes that the worker's cache keeps cost Redis nothing; where
 * the order is by score, the points follow from it.
 */
#ifndef LISTS_DETAILS_H
#define LISTS_DETAILS_H

#include "lists/list.h"
#include "lists/merge.h"
#include "store/versions.h"

struct details {
	struct store *store;
	struct arena *arena;
	uint64_t viewer;	  /* whose votes to tell; 0 for nobody's */
	struct versions versions; /* read before everything else */
};

enum details_order { DETAILS_BY_SCORE, DETAILS_BY_TIME };

/*
 * Fills the list with the articles of entries, in their order, and the viewer's
 * votes. Those that were removed meanwhile are left out.
 */
STORE_CALL details_read(struct details *details, const struct entry *entries,
    size_t count, enum details_order order, struct list *list);

#endif
