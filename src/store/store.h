/*
 * The store: the site's data in Redis, and all operations on it.
 *
 * A call may wait for Redis; in a fiber, others run meanwhile. An operation that changes
 * two keys is one function in Redis, so that no reader sees half of it. Texts in results
 * are in the arena that was passed.
 */
#pragma once

#include "base/arena.h"
#include "base/text.h"
#include "redis/pipeline.h"
#include "redis/reply.h"
#include "store/keys.h"
#include "store/rules.h"

struct redis;
struct versions_cache;

struct store {
	struct redis *redis;
	/* store/versions.h; NULL: versions are read with each list */
	struct versions_cache *versions;
	struct rules rules;
	struct buckets buckets; /* as the site was created with */
	struct text secret;	/* the site's, which signs tokens */
};

/* The results of all calls; each contract lists those that it returns besides STORE_OK
 * and STORE_DOWN, which any call may return. */
enum store_result {
	STORE_OK,
	STORE_ABSENT,	  /* it does not exist */
	STORE_TAKEN,	  /* the name, link or id is in use */
	STORE_REMOVED,	  /* removed by a moderator or the author */
	STORE_CLOSED,	  /* too late: voting, or the thread, is closed */
	STORE_OWN,	  /* not allowed on a post of one's own */
	STORE_FULL,	  /* a list has as many entries as it may have */
	STORE_LIMITED,	  /* a rate limit is reached */
	STORE_VOIDED,	  /* a moderator has voided this member's vote */
	STORE_SUSPENDED,  /* the member is, and cannot log in */
	STORE_HELD,	  /* it has never been shown */
	STORE_LAST_OWNER, /* the site would have no owner */
	STORE_FACTOR, /* a second factor is required, and was not given or wrong */
	STORE_MISMATCH, /* Redis or its data do not fit this program */
	STORE_DOWN	/* no answer from Redis: it may be done or not */
};

#define STORE_CALL __attribute__((warn_unused_result)) enum store_result

/*
 * One command, whose second word is its key, in a round trip of its own: a read, whose
 * reply is in the arena, or NULL for STORE_DOWN; and a write, which
 * replicas have as well with STORE_OK (enum replication).
 */
#define store_read(store, arena, ...) \
	store_read_words((store), (arena), PIPELINE_WORDS(__VA_ARGS__), \
	    sizeof(PIPELINE_WORDS(__VA_ARGS__)) / sizeof(struct text))
#define store_write(store, arena, ...) \
	store_write_words((store), (arena), PIPELINE_WORDS(__VA_ARGS__), \
	    sizeof(PIPELINE_WORDS(__VA_ARGS__)) / sizeof(struct text))
const struct reply *store_read_words(struct store *store, struct arena *arena,
    const struct text *words, size_t count);
STORE_CALL store_write_words(struct store *store, struct arena *arena,
    const struct text *words, size_t count);

/* Reads up to count entries of a sorted set with their scores, from the highest on, after the first
 * start; *total is how many it has. NULL for STORE_DOWN. */
const struct reply *store_read_range(struct store *store, struct arena *arena,
    struct text key, uint64_t start, uint64_t count, uint64_t *total);

/* Another number after a new connection: what was read before may differ from what Redis
 * has now (redis_epoch). */
uint64_t store_epoch(const struct store *store);

/* redis_run as a result. */
STORE_CALL store_run(struct pipeline *pipeline);

/*
 * Runs a page's reads of several slots, and tolerates that a master is lost: its replies
 * are REPLY_LOST, and *is_partial is set, which is never cleared here. STORE_DOWN when
 * nothing was answered that was not cached; with is_partial NULL when any reply is lost.
 */
STORE_CALL store_run_partial(
    const struct store *store, struct pipeline *pipeline, bool *is_partial);
