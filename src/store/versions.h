/*
 * The clock, and how often what a cache keeps was changed. Every list begins with
 * them, and what it reads is never older than they are. A page may carry them
 * from session_find to list_read, and looks at nothing in them.
 */
#ifndef STORE_VERSIONS_H
#define STORE_VERSIONS_H

#include "redis/pipeline.h"
#include "store/store.h"

/* As they were read for a viewer. */
struct versions {
	int64_t now;   /* Unix seconds, Redis's clock */
	int64_t lists; /* of all lists together */
	const struct reply *buckets;
};

/* Adds TIME, and a command for each bucket. */
void versions_ask(
    struct pipeline *pipeline, const struct store *store, uint64_t viewer);

/* From the replies to those commands; the cache follows them from now on. */
void versions_take(struct versions *versions, const struct store *store,
    const struct reply *replies);

/* Both in a round trip of their own. */
STORE_CALL versions_read(struct store *store, struct arena *arena,
    uint64_t viewer, struct versions *versions);

/* Of the articles of a bucket but for their counts, and of the viewer's votes
 * on them. */
int64_t versions_edits(const struct versions *versions, uint64_t bucket);
int64_t versions_votes(const struct versions *versions, uint64_t bucket);

#endif
