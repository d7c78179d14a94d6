/*
 * Members who vote together, with the figures that say so.
 */
#pragma once

#include "lists/vote_rings_known.h"
#include "views/view.h"

struct vote_ring_member_row {
	struct text name;
	int64_t upvotes, shared;
};

struct vote_ring_row {
	struct mustache_list members; /* struct vote_ring_member_row */
	int64_t count, pairs, common, either;
	bool is_one_pair;
	struct text expected;	       /* "0.04" */
	struct mustache_list authors;  /* struct text */
	struct mustache_list articles; /* struct vote_ring_article */
	struct text more; /* how many that are not shown; empty: none */
};

struct mod_rings_model {
	struct mustache_list rings; /* struct vote_ring_row */
	struct text at, at_iso;	    /* when they were found; empty: not yet */
	bool is_awaited;	    /* newer ones are being found */
	bool empty, is_cut;
	int64_t articles, votes, members; /* that were looked at */
};

extern const struct view mod_rings_view;

/* figures may be NULL: there are none yet. */
struct mod_rings_model mod_rings_model_of(struct arena *arena,
    const struct vote_rings_figures *figures, bool is_awaited);
