#include "store/versions.h"

#include "redis/redis.h"
#include "store/user.h"

void
versions_ask(struct pipeline *pipeline, const struct store *store)
{
	pipeline_add_time(
	    pipeline, key_versions(pipeline->arena, &store->buckets, 0));
	for (uint64_t b = 0; b < store->buckets.count; b++)
		pipeline_add(pipeline, TEXT("HMGET"),
		    key_versions(pipeline->arena, &store->buckets, b),
		    TEXT("lists"), TEXT("edits"));
}

void
versions_take(struct versions *versions, const struct store *store,
    const struct pipeline *pipeline, size_t first, int64_t votes)
{
	*versions =
	    (struct versions){ .now = reply_seconds(&pipeline->replies[first]),
		    .epoch = pipeline->epoch,
		    .buckets = &pipeline->replies[first + 1],
		    .bucket_count = store->buckets.count,
		    .votes = (uint64_t)votes };
}

STORE_CALL
versions_read(struct store *store, struct arena *arena, uint64_t viewer,
    struct versions *versions)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct user user = { .votes = 0 };

	if (viewer != 0)
		schema_ask(&pipeline, &user_schema, SCHEMA_BRIEF,
		    key_user(arena, viewer));
	versions_ask(&pipeline, store);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	if (viewer != 0)
		schema_read(
		    &user_schema, SCHEMA_BRIEF, &pipeline.replies[0], &user);
	versions_take(versions, store, &pipeline, viewer != 0, user.votes);
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

struct stamp
versions_votes(const struct versions *versions)
{
	return (struct stamp){ versions->epoch, versions->votes };
}
