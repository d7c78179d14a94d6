/*
 * The clock, and how often what workers keep was changed.
 *
 * Each bucket counts its changes, in the functions that make them: "lists", what
 * stands in a list and where; and "edits", an article but for its counts; and
 * bucket 0 "settings", what the site's owners have set. A member's votes are counted with the member. Every list begins with these counts,
 * and what is kept is kept under the stamp of what it was read after: so a change
 * is seen as soon as its count is. That rests on the order of replies on one
 * connection: what is read after a version is never older than it.
 *
 * With one bucket the counts are read for every list. With several that would cost
 * more with each: a worker relies on the counts that it knows for a while
 * (versions_cache_new), and reads them anew when a request comes after half of that.
 * While a master does not answer it goes on for a while with what it knew of the
 * master's buckets, if anything; from then on these are gone, and lists are of the others.
 *
 * A stamp holds the connections' number as well: a Redis that was started again
 * may have less than it had, and give the same versions and ids to something
 * else.
 */
#pragma once

#include "redis/pipeline.h"
#include "store/store.h"

/* What everything kept has in its key, by value. */
struct stamp {
	uint64_t epoch; /* of the connections */
	uint64_t version;
};

/* The last one is that of bucket 0 alone. */
enum versions_count {
	VERSIONS_LISTS,
	VERSIONS_EDITS,
	VERSIONS_SETTINGS,
	VERSIONS_COUNTS
};

struct bucket_versions {
	uint64_t epoch;
	uint64_t counts[VERSIONS_COUNTS];
	int64_t lost_at; /* since when its master does not answer; 0: it does */
	bool is_unreachable; /* for so long that nothing known of it is shown */
};

/* As they were read for a viewer, or known. */
struct versions {
	int64_t now; /* Unix seconds, Redis's clock */
	uint64_t epoch;
	const struct bucket_versions *buckets; /* in the arena */
	uint64_t bucket_count;
	uint64_t votes;	      /* how many the viewer has cast */
	uint64_t unreachable; /* how many buckets are */
	bool is_partial;      /* some buckets are lost */
};

/* What a worker knows, to be relied upon for so many milliseconds, not 0; and for lost_ms
 * when its master does not answer. */
enum { VERSIONS_DEFAULT_MS = 250 };
struct versions_cache *versions_cache_new(struct arena *arena, uint64_t buckets,
    int64_t milliseconds, int64_t lost_ms);

/* For how many milliseconds counts are relied upon; 0 when they are read with each
 * list. */
int64_t versions_max_age(const struct store *store);

/* Whether counts are to be read with each list; otherwise they are known. */
bool versions_are_uncached(const struct store *store);

/* Adds a command for each bucket. */
void versions_ask(struct pipeline *pipeline, const struct store *store);

/* From the replies to those commands, of which the first is number first; the clock and
 * votes were read with the viewer. */
void versions_read(struct versions *versions, const struct store *store,
    const struct pipeline *pipeline, size_t first, int64_t now, int64_t votes);

/* As they are known, or read now, in a round trip of their own; votes were read
 * with the viewer. STORE_DOWN when no clock answers. */
STORE_CALL versions_get(struct store *store, struct arena *arena, int64_t votes,
    struct versions *versions);

/* The same for a list: STORE_DOWN also when all buckets are gone. */
STORE_CALL versions_get_list(
    struct store *store, struct arena *arena, struct versions *versions);
bool versions_are_lost(const struct versions *versions);

/* Reads the counts of the articles' buckets anew if they are merely known: after
 * what the viewer did there. */
STORE_CALL versions_refresh(struct store *store, struct arena *arena,
    const uint64_t *articles, size_t count, struct versions *versions);

/* Of one count of a bucket, and of the lists of all buckets together. */
struct stamp versions_stamp(const struct versions *versions, uint64_t bucket,
    enum versions_count count);
struct stamp versions_lists_stamp(const struct versions *versions);

/* Of the viewer's votes. */
struct stamp versions_votes_stamp(const struct versions *versions);
