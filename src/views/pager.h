/*
 * Links between the pages of a list.
 */
#pragma once

#include "views/view.h"

struct pager_model {
	struct text previous, next; /* hrefs; empty for none */
	int64_t number;
	bool paged;   /* there are others */
	bool is_part; /* it goes on where bytes ended the page of this number */
};

/* Which part of a page is shown: a page ends by its number of entries, and by bytes
 * before that. */
struct pager_part {
	uint64_t number; /* of the page */
	uint64_t from;	 /* the first of its entries, from 1 */
	uint64_t next;	 /* with which the next part begins; 0: the page ends */
	bool more;	 /* another page follows */
};

/* The last page of a list. */
struct pager_end {
	struct text href;
	int64_t number;
};

/* base is the href of the first page, and may have a query. */
struct text pager_href(struct arena *arena, struct text base, uint64_t number);
struct text pager_part_href(
    struct arena *arena, struct text base, uint64_t number, uint64_t from);
struct pager_model pager_part_model_of(
    struct arena *arena, struct text base, const struct pager_part *part);
struct pager_model pager_model_of(
    struct arena *arena, struct text base, uint64_t number, bool more);
