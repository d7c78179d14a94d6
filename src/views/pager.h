/*
 * The pages of a list: which one this is, and the links to those beside it.
 */
#pragma once

#include "views/view.h"

struct pager_model {
	struct text previous, next; /* hrefs; empty for none */
	int64_t number;
	bool paged;    /* there are others */
	bool past_end; /* for the list to say: nothing is on this page */
};

extern const struct mustache_type pager_type;

/* base is the href of the first page, and may have a query. */
struct pager_model pager_model_of(
    struct arena *arena, struct text base, uint64_t number, bool more);
