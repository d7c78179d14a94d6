#include "store/versions.h"

#include "redis/redis.h"
#include "store/keys.h"

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

void
versions_take(struct versions *versions, const struct store *store,
    const struct pipeline *pipeline, size_t first)
{
	*versions =
	    (struct versions){ .now = reply_seconds(&pipeline->replies[first]),
		    .epoch = pipeline->epoch,
		    .buckets = &pipeline->replies[first + 1],
		    .bucket_count = store->rules.buckets };
}

STORE_CALL
versions_read(struct store *store, struct arena *arena, uint64_t viewer,
    struct versions *versions)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	versions_ask(&pipeline, store, viewer);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	versions_take(versions, store, &pipeline, 0);
	return STORE_OK;
}

struct stamp
versions_stamp(
    const struct versions *versions, uint64_t bucket, enum versions_count count)
{
	return (struct stamp){ versions->epoch,
		(uint64_t)reply_number(
		    reply_item(&versions->buckets[bucket], count)) };
}

struct stamp
versions_lists(const struct versions *versions)
{
	struct stamp sum = { versions->epoch, 0 };

	for (uint64_t b = 0; b < versions->bucket_count; b++)
		sum.version +=
		    versions_stamp(versions, b, VERSIONS_LISTS).version;
	return sum;
}
