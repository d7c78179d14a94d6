/*
 * Versions: counts of changes in Redis, by which workers' caches are invalidated; and
 * Redis's clock, which is read with them.
 *
 * Each bucket counts its changes, in the functions that make them: "lists", the contents
 * and order of lists; "edits", articles apart from their vote counts; and bucket 0
 * "settings". A member's votes are counted with the member. A list reads the versions
 * first, and what it reads then is cached under their stamp: so a change is visible as
 * soon as its count is. This relies on the order of replies on one connection: data read
 * after a version is never older than it.
 *
 * With one bucket the versions are read for every list. With more buckets that would cost
 * a command for each: so a worker caches them for some time (versions_cache_new), and
 * refreshes them when a request comes after half of it. While a master does not answer,
 * the cached versions of its buckets stay in use for lost_ms; after that the buckets are
 * unreachable, and lists are of the others.
 *
 * A stamp also has the number of the connections (redis_epoch): a Redis that was restarted
 * may have lost data, and give the same versions and ids to other data.
 */
#pragma once

#include "redis/pipeline.h"
#include "store/scores.h"
#include "store/store.h"

/* Part of the key of everything that is cached; compared by value. */
struct stamp {
	uint64_t epoch; /* redis_epoch */
	uint64_t version;
};

/* Bucket 0 alone has the last one. VERSIONS_INTERESTING is no count, but whether the bucket
 * has interesting articles. */
enum versions_count {
	VERSIONS_LISTS,
	VERSIONS_EDITS,
	VERSIONS_INTERESTING,
	VERSIONS_SETTINGS,
	VERSIONS_COUNTS
};

struct bucket_versions {
	uint64_t epoch;
	uint64_t counts[VERSIONS_COUNTS];
	struct scale scale; /* without vote_score: that of the site's hash */
	int64_t lost_at; /* when its master stopped answering; 0: it answers */
	bool is_unreachable; /* for longer than lost_ms */
};

/* The versions that a request works with, read or cached. */
struct versions {
	int64_t now; /* Unix seconds, Redis's clock */
	uint64_t epoch;
	struct scale scale; /* the lists by score that are read */
	const struct bucket_versions *buckets; /* in the arena */
	uint64_t bucket_count;
	uint64_t votes;	      /* of the viewer: how many were cast */
	uint64_t unreachable; /* number of such buckets */
	bool is_partial;      /* a master does not answer */
};

/* A worker's cache of versions, valid for some milliseconds (not 0), and for lost_ms while
 * a master does not answer. */
enum { VERSIONS_DEFAULT_MS = 250 };
struct versions_cache *versions_cache_new(struct arena *arena, uint64_t buckets,
    int64_t milliseconds, int64_t lost_ms);

/* For how many milliseconds versions are cached; 0 when they are read with each list. */
int64_t versions_max_age(const struct store *store);

/* True when versions are read with each list, false when they are cached. */
bool versions_are_uncached(const struct store *store);

/* Adds a command for each bucket that reads its versions. */
void versions_ask(struct pipeline *pipeline, const struct store *store);

/* Sets the versions from the replies to those commands, which begin at index first; now and
 * votes were read with the viewer. */
void versions_read(struct versions *versions, const struct store *store,
    const struct pipeline *pipeline, size_t first, int64_t now, int64_t votes);

/* Sets the versions from the cache, or reads them in a round trip of their own; votes were
 * read with the viewer. STORE_DOWN when no clock answers. */
STORE_CALL versions_get(struct store *store, struct arena *arena, int64_t votes,
    struct versions *versions);

/* The same for a list: STORE_DOWN also when all buckets are unreachable. */
STORE_CALL versions_get_list(
    struct store *store, struct arena *arena, struct versions *versions);
bool versions_are_lost(const struct versions *versions);

/* Refreshes cached versions of the articles' buckets, so that viewers see their own
 * changes at once. */
STORE_CALL versions_refresh(struct store *store, struct arena *arena,
    const uint64_t *articles, size_t count, struct versions *versions);

/* Whether the site has interesting articles, or may have some in a bucket that is lost. */
bool versions_have_interesting(const struct versions *versions);

/* Notes that for a site from before it was noted. STORE_OK also when Redis is full. */
STORE_CALL versions_note_interesting(struct store *store, struct arena *arena);

/* The stamp of one count of a bucket, and that of the lists of all buckets. */
struct stamp versions_stamp(const struct versions *versions, uint64_t bucket,
    enum versions_count count);
struct stamp versions_lists_stamp(const struct versions *versions);

/* The same of what is in lists, whatever its votes: nothing is removed, restored or moved between
 * groups without such a change. */
struct stamp versions_edits_stamp(const struct versions *versions);

/* The same of all lists and all posts, but for votes on comments. */
struct stamp versions_posts_stamp(const struct versions *versions);

/* The stamp of the viewer's votes. */
struct stamp versions_votes_stamp(const struct versions *versions);
