/*
 * What a list says of its articles besides their order.
 *
 * Articles and votes that the worker keeps cost Redis nothing; where the order is
 * by score, the points follow from it.
 */
#pragma once

#include "lists/kept.h"

struct details {
	struct store *store;
	struct arena *arena;
	struct kept *kept;
	uint64_t viewer; /* whose votes to tell; 0 for nobody's */
	const struct versions *versions; /* read before everything else */
	bool by_score;			 /* what the entries' scores are */
};

/*
 * The articles of entries, in their order, with the viewer's votes; those that
 * were removed meanwhile are left out. stamps[i] is that of the edits under which
 * articles[i] was read. Both have room for count; *got are there.
 */
STORE_CALL details_read(const struct details *details,
    const struct entry *entries, size_t count, struct article *articles,
    struct stamp *stamps, size_t *got);
