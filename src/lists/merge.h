/*
 * Merging sorted sets of Redis into one order, a step of each at a time.
 *
 * The list of all articles lies in as many sorted sets as the site has buckets,
 * and the list of two groups in two. Each set is read as a stream, from the
 * beginning of the order, and the merged order is made by taking the first of
 * the streams' next entries again and again:
 *
 *	bucket 0:  900 (id 12), 700 (id 4)      ->  900 (12), 800 (5), 700 (4)
 *	bucket 1:  800 (id 5)
 *
 * A bucket that is gone (store/versions.h) has no entries.
 *
 * Where versions are known and not read (store/versions.h), the beginning of each
 * set is kept, and only those of buckets in which something changed are read.
 *
 * An article that is in several of the sets comes several times in a row, and
 * is given once. A single set is read where the page begins, for ZREVRANGE finds
 * a rank in O(log n); of several all entries before the page have to be read.
 *
 * A search, "in all of these groups", reads the stream of the smallest group and
 * asks the others for what came, with ZMSCORE; it ends after MERGE_MAX_STEPS
 * round trips, wherever it is by then.
 */
#pragma once

#include "lists/read_cache.h"
#include "redis/reply.h"

enum merge_direction { MERGE_HIGH_TO_LOW, MERGE_LOW_TO_HIGH };

/* Entries of one sorted set, of which those that are in all others count. */
struct stream {
	struct text key;
	uint64_t bucket;
	const struct text *others; /* keys in the same slot */
	size_t other_count;
	/* Below: the merge's own. */
	struct head head; /* what is known of its beginning */
	struct entry *entries;
	size_t count, used;
	uint64_t rank;	    /* of the next one to read */
	struct entry reach; /* the last one read, whether the others have it */
	size_t asked;	    /* in the round trip under way */
	bool ended;
};

struct merge {
	struct store *store;
	struct arena *arena;
	const struct versions *versions; /* read before */
	struct read_cache *cache;	 /* of the beginnings of sets */
	struct stream *streams;
	size_t count;
	enum merge_direction direction;
	int steps;	   /* searched so far */
	bool search_ended; /* others were asked MERGE_MAX_STEPS times: what
			      follows in the order was not found out */
	bool is_partial;   /* a master that does not answer has some of it */
};

enum {
	MERGE_STEP = 500,    /* entries that one command reads */
	MERGE_MAX_STEPS = 20 /* round trips of a search */
};

/*
 * Expensive merges, those that search and those that go down to more than
 * MERGE_EXPENSIVE_ENTRIES of several sets, keep Redis busy for tens of milliseconds. A
 * worker reads MERGE_EXPENSIVE_AT_ONCE of them at a time, so that whoever asks for many
 * delays nobody who wants other pages. *reading counts those under way; with NULL there
 * is no limit.
 */
enum { MERGE_EXPENSIVE_ENTRIES = 1000, MERGE_EXPENSIVE_AT_ONCE = 2 };

/* Counts one more; false when that would be too many. */
bool merge_enter(size_t *reading);
void merge_leave(size_t *reading);

/* merge_read, or STORE_LIMITED when it is expensive and none may begin. */
STORE_CALL merge_read_in_turn(struct merge *merge, size_t *reading,
    uint64_t start, uint64_t count, struct entry *entries, size_t *got);

/*
 * The entries at start to start + count of the merged order, each id once;
 * entries has room for count, *got of them are there. A merge is read once.
 */
STORE_CALL merge_read(struct merge *merge, uint64_t start, uint64_t count,
    struct entry *entries, size_t *got);

/* Less than 0 when an entry comes before another from high to low: by score, then
 * by id; for qsort. */
int merge_compare(const void *one, const void *other);

/* Reads a reply of WITHSCORES; returns how many entries it has, of those asked
 * for. */
size_t merge_entries(const struct reply *reply, size_t asked,
    struct arena *arena, struct entry **entries);
