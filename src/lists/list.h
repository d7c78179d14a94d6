/*
 * Lists of articles: the merge of what the buckets and the groups keep in
 * order.
 *
 * A list in one bucket and one group is read where the page begins. With more
 * of either, all entries before the page are read and merged, which is why such
 * a list ends at page RULE_PAGES_IN_BUCKETS.
 */
#ifndef LISTS_LIST_H
#define LISTS_LIST_H

#include "store/article.h"

struct versions;

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
	const struct text *groups; /* RULE_COMBINED_MOST at most */
	size_t group_count;
	uint64_t author;
	uint64_t page;	 /* from 1 */
	uint64_t viewer; /* whose votes to tell; 0 for nobody's */
	/* As session_find read them for the viewer; NULL: to be read now. */
	const struct versions *versions;
};

struct list {
	struct article *articles;
	size_t count;
	bool more;     /* another page follows */
	bool too_deep; /* the page is behind the last that merging reaches */
	bool search_ended; /* MATCH_ALL stopped searching before the end */
	int64_t now;	   /* Unix seconds, Redis's clock */
	int64_t version;   /* of all lists: with an equal one the same query
			      lists the same, but for the viewer's votes */
};

/* "top", "bottom", "new" or "oldest"; "any" or "all"; and nothing else. */
bool list_order_parse(struct text word, enum list_order *order);
struct text list_order_word(enum list_order order);
bool list_match_parse(struct text word, enum list_match *match);

/* A page; one behind the end is empty. */
STORE_CALL list_read(struct store *store, struct arena *arena,
    const struct list_query *query, struct list *list);

/* Whether merging limits how many pages such a list has. */
bool list_is_merged(const struct store *store, const struct list_query *query);

#endif
