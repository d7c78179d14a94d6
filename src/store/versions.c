/*
 * How a change reaches a reader, with versions cached for 250 ms:
 *
 *	function in Redis	worker that reads a list
 *	-----------------	------------------------
 *	changes the list,
 *	HINCRBY versions lists
 *				cache younger than 125 ms: versions_get copies it
 *				  -> same stamp, cached lists are used
 *				older: this request refreshes it (one TIME and one HMGET
 *				  a bucket), others go on with the old one until 250 ms
 *				  -> another stamp, lists are read again
 *
 * A bucket's state, by its master:
 *
 *	answers  --REPLY_LOST-->  lost (lost_at)  --lost_ms-->  unreachable
 *	   ^                           |                             |
 *	   +--------- any answer ------+-----------------------------+
 *
 * While it is lost, its versions stay as they were; unreachable buckets are left out of
 * lists, which changes the stamp of all lists (versions_lists_stamp).
 */
#include "store/versions.h"

#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "redis/redis.h"
#include "store/function_call.h"

struct versions_cache {
	int64_t milliseconds; /* for which it is valid */
	int64_t lost_ms;      /* the same while a master does not answer */
	int64_t read_at;      /* clock_monotonic_ms; 0: never */
	int64_t clock;	      /* Redis's at read_at, in milliseconds */
	uint64_t clock_of;    /* the bucket whose master's clock is read */
	uint64_t epoch;
	bool reading;
	struct bucket_versions buckets[];
};

struct versions_cache *
versions_cache_new(struct arena *arena, uint64_t buckets, int64_t milliseconds,
    int64_t lost_ms)
{
	struct versions_cache *cache = arena_zeroed(
	    arena, 1, sizeof(*cache) + buckets * sizeof(cache->buckets[0]));

	cache->milliseconds = milliseconds;
	cache->lost_ms = lost_ms;
	return cache;
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
		pipeline_add(pipeline, TEXT("HMGET"), key, SCORES_FIELD,
		    TEXT("lists"), TEXT("edits"), TEXT("interesting"),
		    TEXT("settings"));
	else
		pipeline_add(pipeline, TEXT("HMGET"), key, SCORES_FIELD,
		    TEXT("lists"), TEXT("edits"), TEXT("interesting"));
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
	struct scores scores;

	if (scores_parse(reply_text(reply_item(reply, 0)), &scores))
		bucket.scale = scores.read;
	for (size_t i = 0; i < VERSIONS_COUNTS && i + 1 < reply->count; i++)
		bucket.counts[i] =
		    (uint64_t)reply_number(reply_item(reply, i + 1));
	return bucket;
}

/* Of the first bucket that answers. One that was never read has no epoch. */
static struct scale
find_scale(const struct versions *versions, const struct rules *rules)
{
	const struct bucket_versions *bucket = versions->buckets;
	uint64_t b = 0;

	while (b + 1 < versions->bucket_count &&
	    (bucket[b].is_unreachable || bucket[b].epoch == 0))
		b++;
	return bucket[b].scale.vote_score > 0
	    ? bucket[b].scale
	    : (struct scale){ .vote_score = rules->vote_score };
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

/* Versions that are read with each list and lost are unreachable: there are no older
 * ones. */
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
	versions->scale = find_scale(versions, &store->rules);
	add_up_lost(versions);
}

/* Copies the cache, so that the versions do not change during a request. */
static void
copy_cached(struct versions *versions, const struct store *store,
    struct arena *arena, int64_t votes)
{
	const struct versions_cache *cache = store->versions;
	uint64_t count = store->buckets.count;
	struct bucket_versions *buckets =
	    arena_bytes(arena, count * sizeof(*buckets));
	int64_t at = clock_monotonic_ms(), elapsed = at - cache->read_at;

	memcpy(buckets, cache->buckets, count * sizeof(*buckets));
	for (uint64_t b = 0; b < count; b++)
		buckets[b].is_unreachable = buckets[b].lost_at != 0 &&
		    at - buckets[b].lost_at >= cache->lost_ms;
	*versions = (struct versions){ .now = (cache->clock + elapsed) / 1000,
		.epoch = cache->epoch,
		.buckets = buckets,
		.bucket_count = count,
		.votes = (uint64_t)votes };
	versions->scale = find_scale(versions, &store->rules);
	add_up_lost(versions);
}

/* When the master does not answer, advances the clock by this machine's, and chooses
 * another master for the next time. */
static void
set_clock(struct versions_cache *cache, const struct reply *reply,
    uint64_t buckets, int64_t at)
{
	if (reply->kind == REPLY_LIST) {
		cache->clock = reply_milliseconds(reply);
	} else {
		cache->clock += at - cache->read_at;
		cache->clock_of = (cache->clock_of + 1) % buckets;
	}
	cache->read_at = at;
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
refresh_cache(struct store *store, struct arena *arena)
{
	struct versions_cache *cache = store->versions;
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	int64_t at = clock_monotonic_ms();
	const struct reply *time;
	size_t first;
	bool good;

	pipeline_add_time(
	    &pipeline, key_versions(arena, &store->buckets, cache->clock_of));
	first = pipeline.count;
	versions_ask(&pipeline, store);
	cache->reading = true;
	good = redis_try(&pipeline);
	cache->reading = false;
	if (!good)
		return STORE_DOWN;
	time = &pipeline.replies[0];
	/* Without a clock so far, any master's will do. */
	if (time->kind == REPLY_LOST && cache->read_at == 0 &&
	    !redis_time(store->redis, arena, &cache->clock))
		return STORE_DOWN;
	if (cache->read_at == 0)
		cache->read_at = at;
	set_clock(cache, time, store->buckets.count, at);
	cache->epoch = pipeline.epoch;
	for (uint64_t b = 0; b < store->buckets.count; b++)
		set_bucket(&cache->buckets[b], &pipeline.replies[first + b],
		    pipeline.epoch, at);
	return STORE_OK;
}

/* While one request refreshes the cache, others use it as long as it is valid. */
static bool
has_to_refresh(const struct store *store)
{
	const struct versions_cache *cache = store->versions;
	int64_t age = clock_monotonic_ms() - cache->read_at;
	bool is_old = age * 2 >= cache->milliseconds ||
	    cache->epoch != redis_epoch(store->redis);

	return cache->read_at == 0 ||
	    (is_old && (!cache->reading || age >= cache->lost_ms));
}

static enum store_result
read_uncached(struct store *store, struct arena *arena, int64_t votes,
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
		return read_uncached(store, arena, votes, versions);
	if (has_to_refresh(store) && refresh_cache(store, arena) != STORE_OK)
		return STORE_DOWN;
	copy_cached(versions, store, arena, votes);
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
	struct versions_cache *cache = store->versions;
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	const struct reply *reply;
	int64_t at = clock_monotonic_ms();

	if (cache == NULL || count == 0)
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
			    &cache->buckets[b], reply++, pipeline.epoch, at);
	copy_cached(versions, store, arena, (int64_t)versions->votes);
	return STORE_OK;
}

struct stamp
versions_stamp(
    const struct versions *versions, uint64_t bucket, enum versions_count count)
{
	const struct bucket_versions *of = &versions->buckets[bucket];

	return (struct stamp){ of->epoch, of->counts[count] };
}

static struct stamp
sum_counts(const struct versions *versions, enum versions_count count)
{
	/* Lists without some buckets are different ones. An epoch does not
	 * come back while a bucket is unreachable, so their number identifies
	 * which. */
	struct stamp sum = { versions->epoch + (versions->unreachable << 48),
		0 };

	for (uint64_t b = 0; b < versions->bucket_count; b++)
		if (!versions->buckets[b].is_unreachable)
			sum.version +=
			    versions_stamp(versions, b, count).version;
	return sum;
}

struct stamp
versions_lists_stamp(const struct versions *versions)
{
	return sum_counts(versions, VERSIONS_LISTS);
}

struct stamp
versions_edits_stamp(const struct versions *versions)
{
	return sum_counts(versions, VERSIONS_EDITS);
}

struct stamp
versions_posts_stamp(const struct versions *versions)
{
	struct stamp sum = versions_lists_stamp(versions);

	sum.version += versions_edits_stamp(versions).version;
	return sum;
}

struct stamp
versions_votes_stamp(const struct versions *versions)
{
	return (struct stamp){ versions->epoch, versions->votes };
}

bool
versions_have_interesting(const struct versions *versions)
{
	for (uint64_t b = 0; b < versions->bucket_count; b++)
		if (versions->buckets[b].lost_at != 0 ||
		    versions->buckets[b].counts[VERSIONS_INTERESTING] != 0)
			return true;
	return false;
}

STORE_CALL
versions_note_interesting(struct store *store, struct arena *arena)
{
	struct pipeline asked = pipeline_begin(store->redis, arena);
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (uint64_t b = 0; b < store->buckets.count; b++) {
		pipeline_add(&asked, TEXT("EXISTS"),
		    key_interesting(arena, &store->buckets, b));
		pipeline_add(&asked, TEXT("HEXISTS"),
		    key_versions(arena, &store->buckets, b),
		    TEXT("interesting"));
	}
	if (!redis_run(&asked))
		return STORE_DOWN;
	for (uint64_t b = 0; b < store->buckets.count; b++)
		if (reply_number(&asked.replies[2 * b]) !=
		    reply_number(&asked.replies[2 * b + 1]))
			call_send_write(&pipeline, "interesting_1",
			    key_versions(arena, &store->buckets, b));
	return store_run(&pipeline) == STORE_OK || pipeline_met_full(&pipeline)
	    ? STORE_OK
	    : STORE_DOWN;
}
