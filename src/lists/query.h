/*
 * The query of a list, and of a page of it.
 */
#pragma once

#include "lists/hidden.h"
#include "lists/period.h"
#include "lists/read_cache.h"

enum list_kind {
	LIST_FRONT,	 /* all articles; with ORDER_TOP the front order */
	LIST_GROUPS,	 /* those in any or all of some groups */
	LIST_AUTHOR,	 /* those of one member */
	LIST_PUBLISHER,	 /* those from one publisher (store/publisher.h) */
	LIST_INTERESTING /* the newest that became so: one page, by time */
};

enum list_order {
	ORDER_TOP,
	ORDER_BOTTOM,
	ORDER_NEW,
	ORDER_OLDEST,
	ORDER_HOT,    /* rule_hot (store/rules.h), as of the last full minute */
	ORDER_ACTIVE, /* by the last comment or, without one, by time */
	ORDER_BEST,   /* of the period, by points */
	LIST_ORDERS
};
enum list_match { MATCH_ANY, MATCH_ALL };

struct list_query {
	enum list_kind kind;
	enum list_order order;
	enum list_order usual;	   /* that of the list's address by itself */
	enum list_match match;	   /* of more than one group */
	const struct text *groups; /* RULE_COMBINED_MAX at most, or */
	bool is_home;		   /* those that the viewer follows, or none */
	size_t group_count;
	int64_t gravity; /* of ORDER_HOT; 0: RULE_GRAVITY_USUAL */
	/* Of ORDER_BEST, which may lack it; with ORDER_NEW as well. */
	struct period period;
	uint64_t author;
	struct text publisher;
	uint64_t page; /* from 1 */
	/* The entry with which it begins, from 1, as list.next says; 0 or 1: where a page of that
	 * number does. */
	uint64_t from;
	uint64_t viewer;		    /* whose votes to read; 0: none */
	const struct hidden_filter *hidden; /* the viewer's; or NULL */
	/* As session_find read them for the viewer; NULL: read now. */
	const struct versions *versions;
	struct read_cache *cache; /* the worker's; NULL for none */
	size_t *expensive;	  /* counts expensive reads (lists/merge.h) */
};
