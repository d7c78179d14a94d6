/*
 * Which list is wanted, and which page of it.
 */
#pragma once

#include "lists/read_cache.h"

enum list_kind {
	LIST_FRONT,	 /* all articles; with ORDER_TOP the front order */
	LIST_GROUPS,	 /* those in any or all of some groups */
	LIST_AUTHOR,	 /* those of one member */
	LIST_INTERESTING /* the newest that became so: one page, no order */
};

enum list_order { ORDER_TOP, ORDER_BOTTOM, ORDER_NEW, ORDER_OLDEST };
enum list_match { MATCH_ANY, MATCH_ALL };

struct list_query {
	enum list_kind kind;
	enum list_order order;
	enum list_match match;	   /* of more than one group */
	const struct text *groups; /* RULE_COMBINED_MAX at most */
	size_t group_count;
	uint64_t author;
	uint64_t page;	 /* from 1 */
	uint64_t viewer; /* whose votes to tell; 0 for nobody's */
	/* As session_find read them for the viewer; NULL: to be read now. */
	const struct versions *versions;
	struct read_cache *cache; /* the worker's; NULL for none */
	size_t
	    *expensive; /* how many such reads are under way (lists/merge.h) */
};
