/*
 * The pages of a list: which one this is, and the links to those beside it.
 */
#pragma once

#include "parts/view.h"

struct pager_model {
	struct text previous, next; /* hrefs; empty for none */
	int64_t number;
	bool paged; /* there are others */
};

/* The last page of a list. */
struct pager_end {
	struct text href;
	int64_t number;
};

extern const struct mustache_type pager_type, pager_end_type;

/* base is the href of the first page, and may have a query. */
struct text pager_href(struct arena *arena, struct text base, uint64_t number);
struct pager_model pager_model_of(
    struct arena *arena, struct text base, uint64_t number, bool more);
