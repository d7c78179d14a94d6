#include "store/site.h"

#include "base/clock.h"
#include "base/crypto.h"
#include "base/log.h"
#include "redis/redis.h"
#include "store/function_call.h"
#include "store/keys.h"

enum {
	DEFAULT_BUCKETS = 1,
	DEFAULT_CLUSTER_BUCKETS = 16, /* so that masters can be added */
	DEFAULT_VOTE_SCORE = 86400 / 200,
	TRIED_BUCKETS = 16,
	WRITE_CHECK_MS = 1000
};

/* From CONFIG GET: a name and its value. */
static int64_t
min_replicas_of(const struct reply *reply)
{
	return reply_number(reply_item(reply, 1));
}

STORE_CALL
site_check_replicas(struct store *store, struct arena *arena, struct text *why)
{
	struct redis *redis = store->redis;

	for (size_t master = 0; master < redis_master_count(redis); master++) {
		struct pipeline pipeline =
		    pipeline_begin_at(redis, arena, master);

		pipeline_add(&pipeline, TEXT("CONFIG"), TEXT("GET"),
		    TEXT("min-replicas-to-write"));
		if (!redis_run(&pipeline))
			return STORE_DOWN;
		if (min_replicas_of(&pipeline.replies[0]) > 0)
			continue;
		*why = TEXT(
		    "a master of this Redis takes writes when no replica can "
		    "have them, and a failover would lose them: set "
		    "min-replicas-to-write 1 in the configuration of every "
		    "node, or TALLY_REPLICAS=0 to accept that");
		return STORE_MISMATCH;
	}
	return STORE_OK;
}

static bool
differs(struct arena *arena, int64_t asked, int64_t stored, struct text *why)
{
	if (asked == 0 || asked == stored)
		return false;
	*why = text_format(arena,
	    "the site was created with TALLY_BUCKETS %lld, and %lld is asked "
	    "for: to change it, dump the site and load it into a new one",
	    (long long)stored, (long long)asked);
	return true;
}

static bool
is_whole(const struct store *store)
{
	const struct rules *rules = &store->rules;

	return rules->buckets >= 1 && rules->buckets <= RULE_BUCKETS_MAX &&
	    rules->vote_score >= 1 &&
	    rules->vote_score <= RULE_VOTE_SCORE_MAX &&
	    store->secret.size > 0 && store->secret.size <= CRYPTO_KEY_MAX;
}

static int64_t
default_buckets(const struct store *store)
{
	return redis_is_cluster(store->redis) ? DEFAULT_CLUSTER_BUCKETS
					      : DEFAULT_BUCKETS;
}

STORE_CALL
site_exists(struct store *store, struct arena *arena, bool *exists)
{
	const struct reply *found =
	    store_read(store, arena, TEXT("EXISTS"), KEY_SITE);

	if (found == NULL)
		return STORE_DOWN;
	*exists = reply_number(found) == 1;
	return STORE_OK;
}

STORE_CALL
site_is_empty(struct store *store, struct arena *arena, bool *is_empty)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	pipeline_add(&pipeline, TEXT("EXISTS"), KEY_USERS);
	pipeline_add(&pipeline, TEXT("EXISTS"), KEY_GROUPS);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	*is_empty = reply_number(&pipeline.replies[0]) == 0 &&
	    reply_number(&pipeline.replies[1]) == 0;
	return STORE_OK;
}

/* What a site is created with, unless it is there. */
static enum store_result
create(struct store *store, struct arena *arena, const struct reply **site)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct call call = call_begin(arena, CALL_WRITES, "site_1", KEY_SITE);
	int64_t buckets = (int64_t)store->rules.buckets;
	int64_t vote_score = store->rules.vote_score;

	call_add(&call, KEYS_VERSION);
	call_add_number(&call, buckets > 0 ? buckets : default_buckets(store));
	call_add_number(
	    &call, vote_score > 0 ? vote_score : DEFAULT_VOTE_SCORE);
	call_add(&call, crypto_random_hex(arena, 32));
	call_send(&call, &pipeline);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	*site = pipeline.replies;
	return STORE_OK;
}

/* One that is there is read: a Redis that is full takes no call that may write. */
static enum store_result
find_or_create(
    struct store *store, struct arena *arena, const struct reply **site)
{
	*site =
	    store_read(store, arena, TEXT("HMGET"), KEY_SITE, TEXT("version"),
		TEXT("buckets"), TEXT("vote_score"), TEXT("secret"), KEYS_FROM);
	if (*site == NULL)
		return STORE_DOWN;
	return reply_item(*site, 0)->kind == REPLY_NIL
	    ? create(store, arena, site)
	    : STORE_OK;
}

bool
site_opens_layout(struct text version, struct text from)
{
	return text_equal(version, KEYS_VERSION) ||
	    (text_equal(version, KEYS_VERSION_BEFORE) && from.size == 0);
}

/* The release that opens a layout and moves it on to the next; NULL when none was released. */
static const char *
release_for(int64_t layout)
{
	static const struct {
		int64_t layout;
		const char *release;
	} rows[] = { { 4, "0.9" } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].layout == layout)
			return rows[i].release;
	return NULL;
}

struct text
site_describe_other_layout(struct arena *arena, struct text version)
{
	const char *release = release_for(reply_number_of(version));
	struct text advice =
	    TEXT("dump it with the program that it was made with, and load "
		 "the dump into a new site");

	if (reply_number_of(version) > reply_number_of(KEYS_VERSION))
		advice = TEXT("a newer Tally has moved it on; use that one");
	else if (text_equal(version, KEYS_VERSION_BEFORE))
		advice =
		    TEXT("the former Tally is still moving them on to that "
			 "layout; start it, until it says that all data "
			 "are moved");
	else if (release != NULL)
		advice = text_format(arena,
		    "start Tally %s with it first, until it says that all "
		    "data are moved",
		    release);
	return text_format(arena,
	    "the site's data have layout %.*s, and this program opens %.*s "
	    "and %.*s: %.*s",
	    TEXT_ARGS(version), TEXT_ARGS(KEYS_VERSION_BEFORE),
	    TEXT_ARGS(KEYS_VERSION), TEXT_ARGS(advice));
}

STORE_CALL
site_open(struct store *store, struct arena *arena, struct text *why)
{
	struct rules *rules = &store->rules;
	int64_t buckets = (int64_t)rules->buckets;
	const struct reply *site;

	if (find_or_create(store, arena, &site) != STORE_OK)
		return STORE_DOWN;
	if (!site_opens_layout(reply_text(reply_item(site, 0)),
		reply_text(reply_item(site, 4)))) {
		*why = site_describe_other_layout(
		    arena, reply_text(reply_item(site, 0)));
		return STORE_MISMATCH;
	}
	rules->buckets = (uint64_t)reply_number(reply_item(site, 1));
	rules->vote_score = reply_number(reply_item(site, 2));
	store->secret = reply_text(reply_item(site, 3));
	if (!is_whole(store)) {
		*why = TEXT("the key \"site\" is damaged: buckets, vote_score "
			    "or secret is missing or out of range");
		return STORE_MISMATCH;
	}
	store->buckets = key_buckets(arena, rules->buckets);
	return differs(arena, buckets, (int64_t)rules->buckets, why)
	    ? STORE_MISMATCH
	    : STORE_OK;
}

STORE_CALL
site_time(struct store *store, struct arena *arena, int64_t *now)
{
	int64_t milliseconds;

	if (!redis_time(store->redis, arena, &milliseconds))
		return STORE_DOWN;
	*now = milliseconds / 1000;
	return STORE_OK;
}

/* Adds 0 to a count of the versions: refused whenever a vote would be, and as durable. */
static enum store_result
try_writes(struct store *store, struct arena *arena)
{
	uint64_t count = store->buckets.count;
	uint64_t tried = count < TRIED_BUCKETS ? count : TRIED_BUCKETS;
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (uint64_t i = 0; i < tried; i++)
		pipeline_add_replicated(&pipeline, TEXT("HINCRBY"),
		    key_versions(arena, &store->buckets, i * count / tried),
		    TEXT("lists"), TEXT("0"));
	pipeline.is_quiet = true;
	(void)!redis_try(&pipeline);
	for (size_t i = 0; i < pipeline.count; i++)
		if (pipeline.replies[i].kind == REPLY_NUMBER)
			return STORE_OK;
	return STORE_DOWN;
}

STORE_CALL
site_check_writes(
    struct store *store, struct arena *arena, struct write_check *check)
{
	int64_t now = clock_monotonic_ms();

	if (check->asked_at != 0 && now - check->asked_at < WRITE_CHECK_MS)
		return check->result;
	/* While one asks, others get the last result; before there is one, each asks. */
	if (check->asked_at != 0)
		check->asked_at = now;
	check->result = try_writes(store, arena);
	check->asked_at = now;
	return check->result;
}

bool
site_is_full(const struct store *store)
{
	return redis_was_full(store->redis);
}

bool
site_is_partial(const struct store *store)
{
	return redis_is_partial(store->redis);
}
