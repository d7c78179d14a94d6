#include "store/versions.h"

#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "redis/redis.h"

/* How long a worker goes on without a master that does not answer. */
enum { LOST_MS = 30000 };

struct versions_known {
	int64_t milliseconds; /* to be relied upon */
	int64_t read_at;      /* clock_monotonic_ms; 0: never */
	int64_t clock;	      /* Redis's then, in milliseconds */
	uint64_t clock_of;    /* the bucket whose master is asked for it */
	uint64_t epoch;
	bool reading;
	struct bucket_versions buckets[];
};

struct versions_known *
versions_new(struct arena *arena, uint64_t buckets, int64_t milliseconds)
{
	struct versions_known *known = arena_zeroed(
	    arena, 1, sizeof(*known) + buckets * sizeof(known->buckets[0]));

	known->milliseconds = milliseconds;
	return known;
}

int64_t
versions_fresh(const struct store *store)
{
	return store->known == NULL ? 0 : store->known->milliseconds;
}

bool
versions_are_read(const struct store *store)
{
	return store->known == NULL;
}

STORE_CALL
versions_try(
    const struct store *store, struct pipeline *pipeline, bool *is_partial)
{
	if (!redis_try(pipeline))
		return STORE_DOWN;
	if (pipeline_is_whole(pipeline))
		return STORE_OK;
	*is_partial = true;
	return versions_are_read(store) ? STORE_DOWN : STORE_OK;
}

static void
ask_bucket(
    struct pipeline *pipeline, const struct store *store, uint64_t bucket)
{
	struct text key =
	    key_versions(pipeline->arena, &store->buckets, bucket);

	if (bucket == 0)
		pipeline_add(pipeline, TEXT("HMGET"), key, TEXT("lists"),
		    TEXT("edits"), TEXT("settings"));
	else
		pipeline_add(
		    pipeline, TEXT("HMGET"), key, TEXT("lists"), TEXT("edits"));
}

void
versions_ask(struct pipeline *pipeline, const struct store *store)
{
	uint64_t clock_of = store->known == NULL ? 0 : store->known->clock_of;

	pipeline_add_time(
	    pipeline, key_versions(pipeline->arena, &store->buckets, clock_of));
	for (uint64_t b = 0; b < store->buckets.count; b++)
		ask_bucket(pipeline, store, b);
}

static struct bucket_versions
read_bucket(const struct reply *reply, uint64_t epoch)
{
	struct bucket_versions bucket = { .epoch = epoch };

	for (size_t i = 0; i < VERSIONS_COUNTS && i < reply->count; i++)
		bucket.counts[i] = (uint64_t)reply_number(reply_item(reply, i));
	return bucket;
}

void
versions_take(struct versions *versions, const struct store *store,
    const struct pipeline *pipeline, size_t first, int64_t votes)
{
	const struct reply *replies = &pipeline->replies[first];
	uint64_t count = store->buckets.count;
	struct bucket_versions *buckets =
	    arena_new(pipeline->arena, struct bucket_versions, count);

	for (uint64_t b = 0; b < count; b++)
		buckets[b] = read_bucket(&replies[1 + b], pipeline->epoch);
	*versions = (struct versions){ .now = reply_seconds(&replies[0]),
		.epoch = pipeline->epoch,
		.buckets = buckets,
		.bucket_count = count,
		.votes = (uint64_t)votes };
}

/* A copy, which stays as it is while a request goes on. */
static void
take_known(struct versions *versions, const struct store *store,
    struct arena *arena, int64_t votes)
{
	const struct versions_known *known = store->known;
	uint64_t count = store->buckets.count;
	struct bucket_versions *buckets =
	    arena_bytes(arena, count * sizeof(*buckets));
	int64_t elapsed = clock_monotonic_ms() - known->read_at;

	memcpy(buckets, known->buckets, count * sizeof(*buckets));
	*versions = (struct versions){ .now = (known->clock + elapsed) / 1000,
		.epoch = known->epoch,
		.buckets = buckets,
		.bucket_count = count,
		.votes = (uint64_t)votes };
	for (uint64_t b = 0; b < count; b++)
		versions->is_partial =
		    versions->is_partial || buckets[b].lost_at != 0;
}

/* TIME's reply. */
static int64_t
milliseconds_of(const struct reply *reply)
{
	return reply_seconds(reply) * 1000 +
	    reply_number(reply_item(reply, 1)) / 1000;
}

/* When the clock's master does not answer it goes on by this machine's, and another
 * is asked the next time. */
static void
set_clock(struct versions_known *known, const struct reply *reply,
    uint64_t buckets, int64_t at)
{
	if (reply->kind == REPLY_LIST) {
		known->clock = milliseconds_of(reply);
	} else {
		known->clock += at - known->read_at;
		known->clock_of = (known->clock_of + 1) % buckets;
	}
	known->read_at = at;
}

/* Whoever knows no clock yet asks one master after the other: NULL when none
 * answers. */
static const struct reply *
find_clock(const struct store *store, struct arena *arena)
{
	uint64_t *bucket = &store->known->clock_of;

	for (*bucket = 0; *bucket < store->buckets.count; ++*bucket) {
		struct pipeline pipeline = pipeline_begin(store->redis, arena);

		pipeline_add_time(
		    &pipeline, key_versions(arena, &store->buckets, *bucket));
		if (redis_try(&pipeline) && pipeline_is_whole(&pipeline))
			return pipeline.replies;
	}
	*bucket = 0;
	return NULL;
}

/* False when the bucket's master has been away for too long. */
static bool
set_bucket(struct bucket_versions *bucket, const struct reply *reply,
    uint64_t epoch, int64_t at)
{
	if (reply->kind == REPLY_LIST)
		*bucket = read_bucket(reply, epoch);
	else if (bucket->lost_at == 0)
		bucket->lost_at = at;
	return bucket->lost_at == 0 || at - bucket->lost_at < LOST_MS;
}

static enum store_result
read_known(struct store *store, struct arena *arena)
{
	struct versions_known *known = store->known;
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	int64_t at = clock_monotonic_ms();
	const struct reply *time;
	bool good;

	versions_ask(&pipeline, store);
	known->reading = true;
	good = redis_try(&pipeline);
	known->reading = false;
	if (!good)
		return STORE_DOWN;
	time = &pipeline.replies[0];
	if (time->kind == REPLY_LOST && known->read_at == 0)
		time = find_clock(store, arena);
	if (time == NULL)
		return STORE_DOWN;
	set_clock(known, time, store->buckets.count, at);
	known->epoch = pipeline.epoch;
	for (uint64_t b = 0; b < store->buckets.count; b++)
		if (!set_bucket(&known->buckets[b], &pipeline.replies[1 + b],
			pipeline.epoch, at))
			good = false;
	return good ? STORE_OK : STORE_DOWN;
}

/* While one request reads them, the others go on with what is known. */
static bool
has_to_read(const struct store *store)
{
	const struct versions_known *known = store->known;
	int64_t age = clock_monotonic_ms() - known->read_at;
	bool is_old = age * 2 >= known->milliseconds ||
	    known->epoch != redis_epoch(store->redis);

	return known->read_at == 0 ||
	    (is_old && (!known->reading || age >= LOST_MS));
}

STORE_CALL
versions_get(struct store *store, struct arena *arena, int64_t votes,
    struct versions *versions)
{
	struct pipeline pipeline;

	if (store->known == NULL) {
		pipeline = pipeline_begin(store->redis, arena);
		versions_ask(&pipeline, store);
		if (!redis_run(&pipeline))
			return STORE_DOWN;
		versions_take(versions, store, &pipeline, 0, votes);
		return STORE_OK;
	}
	if (has_to_read(store) && read_known(store, arena) != STORE_OK)
		return STORE_DOWN;
	take_known(versions, store, arena, votes);
	return STORE_OK;
}

static bool
has_bucket(const struct store *store, const uint64_t *articles, size_t count,
    uint64_t bucket)
{
	for (size_t i = 0; i < count; i++)
		if (key_bucket_of(&store->buckets, articles[i]) == bucket)
			return true;
	return false;
}

STORE_CALL
versions_renew(struct store *store, struct arena *arena,
    const uint64_t *articles, size_t count, struct versions *versions)
{
	struct versions_known *known = store->known;
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	const struct reply *reply;
	int64_t at = clock_monotonic_ms();

	if (known == NULL || count == 0)
		return STORE_OK;
	for (uint64_t b = 0; b < store->buckets.count; b++)
		if (has_bucket(store, articles, count, b))
			ask_bucket(&pipeline, store, b);
	if (!redis_try(&pipeline))
		return STORE_DOWN;
	reply = pipeline.replies;
	for (uint64_t b = 0; b < store->buckets.count; b++)
		if (has_bucket(store, articles, count, b) &&
		    !set_bucket(
			&known->buckets[b], reply++, pipeline.epoch, at))
			return STORE_DOWN;
	take_known(versions, store, arena, (int64_t)versions->votes);
	return STORE_OK;
}

struct stamp
versions_stamp(
    const struct versions *versions, uint64_t bucket, enum versions_count count)
{
	const struct bucket_versions *of = &versions->buckets[bucket];

	return (struct stamp){ of->epoch, of->counts[count] };
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
