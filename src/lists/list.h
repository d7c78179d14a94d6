/*
 * Lists of articles: merges of the sorted sets of buckets and groups.
 *
 * A list in one bucket and one group is read where the page begins. With more of either, and in
 * ORDER_ACTIVE, all entries before the page are read and merged, so such a list ends at page
 * LIST_MERGED_PAGES. Orders that are not stored, such as ORDER_HOT, have LIST_RANKED_MAX places.
 *
 * What is hidden from the viewer (lists/hidden.h) is left out while reading, which goes on until
 * the page is full, or HIDDEN_ENTRIES_MAX were read. So a page ends anywhere in the order, and
 * says with which entry the next one begins. Orders and articles are cached for all; what is
 * hidden is found in what the caches give.
 */
#pragma once

#include "lists/query.h"
#include "lists/read_cache.h"

enum {
	LIST_MERGED_PAGES = 400,
	LIST_RANKED_MAX = 1000 /* places of an order that is not stored */
};

struct list {
	struct article *articles;
	struct stamp *stamps; /* of each: of all but its counts and its vote */
	size_t count;
	bool more; /* another page follows */
	/* The entry with which it begins, from 1; 0: as its number says. */
	uint64_t next;
	size_t hidden; /* articles that were left out */
	/* So many that reading stopped before the page was full. */
	bool hidden_ended;
	bool cut_off;	     /* more may follow, but the list goes no deeper */
	bool is_approximate; /* the order is that of the articles read */
	bool search_ended;   /* MATCH_ALL stopped searching before the end */
	bool is_partial; /* some is missing or out of date: a master is away */
	uint64_t last_page; /* the last page that it may have; 0: any */
	int64_t now;	    /* Unix seconds, Redis's clock */
	/* Of all lists: with an equal one the same query has the same result, but for the viewer's
	 * votes. */
	struct stamp stamp;
};

/* The word of an order in which lists of that kind are shown; "any" or "all"; and nothing
 * else. */
bool list_order_parse(
    enum list_kind kind, struct text word, enum list_order *order);
extern const struct text list_order_words[];
bool list_match_parse(struct text word, enum list_match *match);

/*
 * The place of an article in the front order, from 1; 0 when it is not among the
 * first LIST_FRONT_PLACES. The versions were read before.
 */
enum { LIST_FRONT_PLACES = 100 };
STORE_CALL list_front_place(struct store *store, struct arena *arena,
    struct read_cache *cache, const struct versions *versions, uint64_t article,
    uint64_t *place);

/* The number of pages, of a merge or a search as far as that goes. STORE_LIMITED as
 * list_read. */
STORE_CALL list_pages(struct store *store, struct arena *arena,
    const struct list_query *query, uint64_t *pages);

/* Reads a page; one past the end is empty. STORE_LIMITED when it is expensive
 * (lists/merge.h), not cached, and too many of these are being read. */
STORE_CALL list_read(struct store *store, struct arena *arena,
    const struct list_query *query, struct list *list);

/* Reads the first count entries of the order, and the versions that they are of. The viewer
 * has no meaning. STORE_LIMITED as list_read. */
STORE_CALL list_read_order(struct store *store, struct arena *arena,
    const struct list_query *query, uint64_t count, struct order *order,
    struct versions *versions);
