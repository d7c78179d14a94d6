#include "store/versions.h"

#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "redis/redis.h"

struct versions_cache {
	int64_t milliseconds; /* to be relied upon */
	int64_t lost_ms;      /* the same while a master does not answer */
	int64_t read_at;      /* clock_monotonic_ms; 0: never */
	int64_t clock;	      /* Redis's then, in milliseconds */
	uint64_t clock_of;    /* the bucket whose master is asked for it */
	uint64_t epoch;
	bool reading;
	struct bucket_versions buckets[];
};

struct versions_cache *
versions_cache_new(struct arena *arena, uint64_t buckets, int64_t milliseconds,
    int64_t lost_ms)
{
	struct versions_cache *known = arena_zeroed(
	    arena, 1, sizeof(*known) + buckets * sizeof(known->buckets[0]));

	known->milliseconds = milliseconds;
	known->lost_ms = lost_ms;
	return known;
}

int64_t
versions_max_age(const struct store *store)
{
	return store->versions == NULL ? 0 : store->versions->milliseconds;
}

bool
versions_are_uncached(const struct store *store)
{
	return store->versions == NULL;
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

static void
add_up_lost(struct versions *versions)
{
	for (uint64_t b = 0; b < versions->bucket_count; b++) {
		const struct bucket_versions *bucket = &versions->buckets[b];

		versions->is_partial |= bucket->lost_at != 0;
		versions->unreachable += bucket->is_unreachable ? 1 : 0;
	}
}

/* What is read with each list and lost is gone: nothing is known of it. */
void
versions_read(struct versions *versions, const struct store *store,
    const struct pipeline *pipeline, size_t first, int64_t now, int64_t votes)
{
	const struct reply *replies = &pipeline->replies[first];
	uint64_t count = store->buckets.count;
	struct bucket_versions *buckets =
	    arena_new(pipeline->arena, struct bucket_versions, count);

	for (uint64_t b = 0; b < count; b++) {
		buckets[b] = read_bucket(&replies[b], pipeline->epoch);
		buckets[b].is_unreachable = replies[b].kind == REPLY_LOST;
		buckets[b].lost_at = buckets[b].is_unreachable;
	}
	*versions = (struct versions){ .now = now,
		.epoch = pipeline->epoch,
		.buckets = buckets,
		.bucket_count = count,
		.votes = (uint64_t)votes };
	add_up_lost(versions);
}

/* A copy, which stays as it is while a request goes on. */
static void
take_known(struct versions *versions, const struct store *store,
    struct arena *arena, int64_t votes)
{
	const struct versions_cache *known = store->versions;
	uint64_t count = store->buckets.count;
	struct bucket_versions *buckets =
	    arena_bytes(arena, count * sizeof(*buckets));
	int64_t at = clock_monotonic_ms(), elapsed = at - known->read_at;

	memcpy(buckets, known->buckets, count * sizeof(*buckets));
	for (uint64_t b = 0; b < count; b++)
		buckets[b].is_unreachable = buckets[b].lost_at != 0 &&
		    at - buckets[b].lost_at >= known->lost_ms;
	*versions = (struct versions){ .now = (known->clock + elapsed) / 1000,
		.epoch = known->epoch,
		.buckets = buckets,
		.bucket_count = count,
		.votes = (uint64_t)votes };
	add_up_lost(versions);
}

/* When the clock's master does not answer it goes on by this machine's, and another
 * is asked the next time. */
static void
set_clock(struct versions_cache *known, const struct reply *reply,
    uint64_t buckets, int64_t at)
{
	if (reply->kind == REPLY_LIST) {
		known->clock = reply_milliseconds(reply);
	} else {
		known->clock += at - known->read_at;
		known->clock_of = (known->clock_of + 1) % buckets;
	}
	known->read_at = at;
}

static void
set_bucket(struct bucket_versions *bucket, const struct reply *reply,
    uint64_t epoch, int64_t at)
{
	if (reply->kind == REPLY_LIST)
		*bucket = read_bucket(reply, epoch);
	else if (bucket->lost_at == 0)
		bucket->lost_at = at;
}

static enum store_result
read_known(struct store *store, struct arena *arena)
{
	struct versions_cache *known = store->versions;
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	int64_t at = clock_monotonic_ms();
	const struct reply *time;
	size_t first;
	bool good;

	pipeline_add_time(
	    &pipeline, key_versions(arena, &store->buckets, known->clock_of));
	first = pipeline.count;
	versions_ask(&pipeline, store);
	known->reading = true;
	good = redis_try(&pipeline);
	known->reading = false;
	if (!good)
		return STORE_DOWN;
	time = &pipeline.replies[0];
	/* Whoever knows no clock yet asks one master after the other. */
	if (time->kind == REPLY_LOST && known->read_at == 0 &&
	    !redis_time(store->redis, arena, &known->clock))
		return STORE_DOWN;
	if (known->read_at == 0)
		known->read_at = at;
	set_clock(known, time, store->buckets.count, at);
	known->epoch = pipeline.epoch;
	for (uint64_t b = 0; b < store->buckets.count; b++)
		set_bucket(&known->buckets[b], &pipeline.replies[first + b],
		    pipeline.epoch, at);
	return STORE_OK;
}

/* While one request reads them, the others go on with what is known. */
static bool
has_to_read(const struct store *store)
{
	const struct versions_cache *known = store->versions;
	int64_t age = clock_monotonic_ms() - known->read_at;
	bool is_old = age * 2 >= known->milliseconds ||
	    known->epoch != redis_epoch(store->redis);

	return known->read_at == 0 ||
	    (is_old && (!known->reading || age >= known->lost_ms));
}

static enum store_result
read_now(struct store *store, struct arena *arena, int64_t votes,
    struct versions *versions)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	int64_t milliseconds;

	pipeline_add_time(&pipeline, key_versions(arena, &store->buckets, 0));
	versions_ask(&pipeline, store);
	if (!redis_try(&pipeline))
		return STORE_DOWN;
	milliseconds = reply_milliseconds(&pipeline.replies[0]);
	if (pipeline.replies[0].kind == REPLY_LOST &&
	    !redis_time(store->redis, arena, &milliseconds))
		return STORE_DOWN;
	versions_read(
	    versions, store, &pipeline, 1, milliseconds / 1000, votes);
	return STORE_OK;
}

STORE_CALL
versions_get(struct store *store, struct arena *arena, int64_t votes,
    struct versions *versions)
{
	if (store->versions == NULL)
		return read_now(store, arena, votes, versions);
	if (has_to_read(store) && read_known(store, arena) != STORE_OK)
		return STORE_DOWN;
	take_known(versions, store, arena, votes);
	return STORE_OK;
}

bool
versions_are_lost(const struct versions *versions)
{
	return versions->unreachable == versions->bucket_count;
}

STORE_CALL
versions_get_list(
    struct store *store, struct arena *arena, struct versions *versions)
{
	enum store_result result = versions_get(store, arena, 0, versions);

	return result == STORE_OK && versions_are_lost(versions) ? STORE_DOWN
								 : result;
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
versions_refresh(struct store *store, struct arena *arena,
    const uint64_t *articles, size_t count, struct versions *versions)
{
	struct versions_cache *known = store->versions;
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
		if (has_bucket(store, articles, count, b))
			set_bucket(
			    &known->buckets[b], reply++, pipeline.epoch, at);
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
versions_lists_stamp(const struct versions *versions)
{
	/* Lists without some buckets are others. As long as one stays away no
	 * epoch comes back: so their number says which they are. */
	struct stamp sum = { versions->epoch + (versions->unreachable << 48),
		0 };

	for (uint64_t b = 0; b < versions->bucket_count; b++)
		if (!versions->buckets[b].is_unreachable)
			sum.version +=
			    versions_stamp(versions, b, VERSIONS_LISTS).version;
	return sum;
}

struct stamp
versions_votes_stamp(const struct versions *versions)
{
	return (struct stamp){ versions->epoch, versions->votes };
}
