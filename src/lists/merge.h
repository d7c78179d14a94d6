/*
 * Merging sorted sets of Redis into one order, a step of each at a time.
 *
 * The list of all articles is as many sorted sets as the site has buckets, and the list
 * of two groups is two of each bucket. Each set is read as a stream, from the beginning of
 * the order, and the merged order is made by taking the first of the streams' next entries
 * again and again:
 *
 *	bucket 0:  900 (id 12), 700 (id 4)      ->  900 (12), 800 (5), 700 (4)
 *	bucket 1:  800 (id 5)
 *
 * A bucket that is lost (store/versions.h) has no entries.
 *
 * Where versions are cached (store/versions.h), so is the beginning of each set, and only
 * those of buckets in which something changed are read.
 *
 * An article that is in several of the sets comes several times in a row, or where sets have
 * other scores for it, or had when they were cached, again further down (repeats), and is given
 * once. A single set is read where the page begins, for ZREVRANGE finds a rank in O(log n); of
 * several sets all entries before the page have to be read.
 *
 * A search, as for articles in all of some groups, reads the stream of one set and asks the
 * others for its entries, with ZMSCORE; it ends after MERGE_MAX_STEPS round trips, however
 * far it has come.
 */
#pragma once

#include "lists/read_cache.h"
#include "redis/reply.h"

enum merge_direction { MERGE_HIGH_TO_LOW, MERGE_LOW_TO_HIGH };

/* The entries of one sorted set, but for those that are not in all others. */
struct stream {
	struct text key;
	uint64_t bucket;
	const struct text *others; /* keys in the same slot */
	size_t other_count;
	bool has_edits; /* it changes with posts, too (VERSIONS_EDITS) */
	/* Below: the merge's own. */
	struct head head; /* its beginning, as cached or read */
	struct entry *entries;
	size_t count, used;
	uint64_t rank;	    /* of the next one to read */
	struct entry reach; /* the last one read, in the others or not */
	size_t asked;	    /* in the round trip under way */
	bool ended;
};

struct merge {
	struct store *store;
	struct arena *arena;
	const struct versions *versions; /* read before */
	struct read_cache *cache; /* of the beginnings of sets; or NULL */
	struct stream *streams;
	size_t count;
	enum merge_direction direction;
	int64_t before; /* only what is below that score; 0: all */
	bool repeats;	/* what came may come again: read from the beginning */
	/* Reads of each set its share of what is wanted, and a few more, as where their beginnings
	 * are cached. */
	bool shares;
	bool has_begun;
	uint64_t passed; /* entries given or skipped, of several sets */
	uint64_t last;	 /* the id that came last */
	uint64_t *came;	 /* with repeats: a table of those that came, */
	size_t came_count, came_size; /* whose size is a power of two */
	int steps;		      /* searched so far */
	bool search_ended; /* after MERGE_MAX_STEPS: the order may go on */
	bool is_partial;   /* a master that has some of it does not answer */
};

enum {
	MERGE_STEP = 500, /* entries that one command reads */
	MERGE_SHARE_MIN = 4,
	MERGE_MAX_STEPS = 20 /* round trips of a search */
};

/*
 * Expensive lists (searches, deep merges) take tens of milliseconds of Redis's time; at most
 * MERGE_EXPENSIVE_MAX run at once per worker, so that one reader of many delays nobody who
 * wants other pages. Deep is a merge of several sets that reads more than
 * MERGE_EXPENSIVE_ENTRIES entries.
 */
enum { MERGE_EXPENSIVE_ENTRIES = 1000, MERGE_EXPENSIVE_MAX = 2 };

/* Counts one more in *expensive; false when too many are being read. With NULL there is
 * no limit. */
bool merge_begin_expensive(size_t *expensive);
void merge_end_expensive(size_t *expensive);

/* A merge of no sets yet, high to low and without a cache, with room for so many lists. */
struct merge merge_open(struct store *store, struct arena *arena,
    const struct versions *versions, size_t lists);

/* Adds a list's sorted set of each bucket, with a key of that kind. */
void merge_add(struct merge *merge, enum key_kind kind, struct text list);

/* Adds a search in a bucket: of the list with number searched, the entries that are in all
 * the other lists as well. */
void merge_add_search(struct merge *merge, uint64_t bucket, enum key_kind kind,
    const struct text *lists, size_t count, size_t searched);

/*
 * Reads the entries at start to start + count of the merged order, each id once;
 * entries has room for count, *got of them are there. Another call goes on behind the last
 * entry, and counts its start from there.
 */
STORE_CALL merge_read(struct merge *merge, uint64_t start, uint64_t count,
    struct entry *entries, size_t *got);

/* merge_read; but STORE_LIMITED when it is expensive, and too many such reads are counted in
 * *expensive (may be NULL). */
STORE_CALL merge_read_limited(struct merge *merge, size_t *expensive,
    uint64_t start, uint64_t count, struct entry *entries, size_t *got);

/*
 * Reads a page, from 1, of size entries. *more when another one follows. entries has room
 * for size + 1. STORE_LIMITED as merge_read_limited.
 */
STORE_CALL merge_read_page(struct merge *merge, size_t *expensive,
    uint64_t page, size_t size, struct entry *entries, size_t *got, bool *more);

/* Compares entries for qsort: from high to low by score, then by id. */
int merge_compare(const void *one, const void *other);
