/*
 * Vote rings: members who upvote the same articles more often than by chance, with the
 * figures.
 */
#pragma once

#include "lists/vote_rings.h"
#include "views/view.h"

enum { MOD_RINGS_MEMBERS_MAX = 100 }; /* on whom one form acts */

struct vote_ring_member_row {
	struct text name, upvotes, shared;
};

struct vote_ring_row {
	LIST(struct vote_ring_member_row) members;
	struct text number;	  /* of the ring, for ids of elements */
	struct text names;	  /* of the members, for a form */
	struct text all;	  /* "all three" */
	struct text count, pairs; /* "3 members", "2 pairs" */
	struct text common, either;
	struct text expected; /* "0.04" */
	LIST(struct text) authors;
	LIST(struct vote_ring_article) articles;
	struct text more; /* how many that are not shown; empty: none */
};

struct mod_rings_model {
	LIST(struct vote_ring_row) rings;
	struct text at, at_iso; /* when they were found; empty: not yet */
	bool is_awaited;	/* newer ones are being found */
	bool empty, is_cut;
	struct text reason;		      /* for votes that are voided */
	struct text articles, votes, members; /* that were looked at */
};

/* figures may be NULL: there are none yet. */
struct mod_rings_model mod_rings_model_of(struct arena *arena,
    const struct vote_rings_figures *figures, bool is_awaited);
