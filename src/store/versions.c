#include "store/versions.h"

#include "lists/cache.h"
#include "redis/redis.h"
#include "redis/reply.h"
#include "store/keys.h"

/* What is asked of a bucket. */
enum { LISTS, EDITS, VOTES };

void
versions_ask(
    struct pipeline *pipeline, const struct store *store, uint64_t viewer)
{
	struct text user = text_number(pipeline->arena, (int64_t)viewer);

	pipeline_add(pipeline, TEXT("TIME"));
	for (uint64_t b = 0; b < store->rules.buckets; b++)
		pipeline_add(pipeline, TEXT("HMGET"),
		    key_versions(pipeline->arena, b), TEXT("lists"),
		    TEXT("edits"), user);
}

static int64_t
version(const struct versions *versions, uint64_t bucket, size_t which)
{
	return reply_number(reply_item(&versions->buckets[bucket], which));
}

int64_t
versions_edits(const struct versions *versions, uint64_t bucket)
{
	return version(versions, bucket, EDITS);
}

int64_t
versions_votes(const struct versions *versions, uint64_t bucket)
{
	return version(versions, bucket, VOTES);
}

void
versions_take(struct versions *versions, const struct store *store,
    const struct reply *replies)
{
	*versions = (struct versions){ .now = reply_seconds(&replies[0]),
		.buckets = &replies[1] };
	for (uint64_t b = 0; b < store->rules.buckets; b++) {
		versions->lists += version(versions, b, LISTS);
		cache_follow(store->cache, b, versions_edits(versions, b));
	}
}

STORE_CALL
versions_read(struct store *store, struct arena *arena, uint64_t viewer,
    struct versions *versions)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	versions_ask(&pipeline, store, viewer);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	versions_take(versions, store, pipeline.replies);
	return STORE_OK;
}
