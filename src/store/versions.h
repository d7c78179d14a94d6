/*
 * The clock, and how often what workers keep was changed.
 *
 * Each bucket counts its changes, in the functions that make them: "lists", what
 * stands in a list and where; and "edits", an article but for its counts. A
 * member's votes are counted with the member. Every list begins with reading those counts, and what is kept
 * is kept under the stamp of what it was read after: so a change is seen by
 * every worker's next request. That rests on the order of replies on one
 * connection: what is read after a version is never older than it.
 *
 * A stamp holds the connection's number as well: a Redis that was started again
 * may have less than it had, and give the same versions and ids to something
 * else.
 */
#pragma once

#include "redis/pipeline.h"
#include "store/store.h"

/* What everything kept has in its key, by value. */
struct stamp {
	uint64_t epoch; /* of the connection */
	uint64_t version;
};

/* As they were read for a viewer. */
struct versions {
	int64_t now; /* Unix seconds, Redis's clock */
	uint64_t epoch;
	const struct reply *buckets; /* a reply each, in the arena */
	uint64_t bucket_count;
	uint64_t votes; /* how many the viewer has cast */
};

/* Adds TIME, and a command for each bucket. */
void versions_ask(struct pipeline *pipeline, const struct store *store);

/* From the replies to those commands, of which the first is number first; votes
 * were read with the viewer. */
void versions_take(struct versions *versions, const struct store *store,
    const struct pipeline *pipeline, size_t first, int64_t votes);

/* Both in a round trip of their own, for a viewer (0: nobody). */
STORE_CALL versions_read(struct store *store, struct arena *arena,
    uint64_t viewer, struct versions *versions);

/* Of one count of a bucket, and of the lists of all buckets together. */
enum versions_count { VERSIONS_LISTS, VERSIONS_EDITS };
struct stamp versions_stamp(const struct versions *versions, uint64_t bucket,
    enum versions_count count);
struct stamp versions_lists(const struct versions *versions);

/* Of the viewer's votes. */
struct stamp versions_votes(const struct versions *versions);
