#include "store/containment_extent.h"

#include "redis/redis.h"
#include "store/containment.h"
#include "store/keys.h"
#include "store/post.h"
#include "store/site.h"
#include "store/vote_history.h"

enum {
	DAY = 86400,
	ARTICLES_MAX = 500,  /* whose hosts are read, of all buckets, */
	ARTICLES_LEAST = 20, /* but that many of each, */
	REMOVED_MAX = 20,    /* and that many that are removed */
	COUNTED_KINDS = 2,   /* articles and comments */
	BUCKET_COUNTS = COUNTED_KINDS * CONTAINMENT_RANGES,
	BUCKET_COMMANDS = BUCKET_COUNTS + 2
};

/* What is read meanwhile. */
struct survey {
	struct store *store;
	struct arena *arena;
	uint64_t member;
	struct containment_extent *extent;
	struct post_id *posts; /* the newest articles, and removed posts */
	size_t post_count;
};

static struct text
author_list(const struct survey *survey, uint64_t bucket, enum key_kind kind)
{
	return key_in_bucket(survey->arena, &survey->store->buckets, bucket,
	    kind, key_list_of_author(survey->arena, survey->member));
}

static void
ask_newest(struct pipeline *pipeline, struct text list, int64_t max)
{
	pipeline_add(pipeline, TEXT("ZRANGE"), list, TEXT("0"),
	    text_number(pipeline->arena, max - 1), TEXT("REV"));
}

/* Adds BUCKET_COMMANDS: counts of each kind and range, and the newest articles and removed
 * posts. Those that wait to be shown are among the latter. */
static void
ask_bucket(
    struct pipeline *pipeline, const struct survey *survey, uint64_t bucket)
{
	static const enum key_kind kinds[COUNTED_KINDS] = { KEY_TIME,
		KEY_COMMENTS };
	const struct store *store = survey->store;
	int64_t share = ARTICLES_MAX / (int64_t)store->buckets.count;

	for (size_t k = 0; k < COUNTED_KINDS; k++)
		for (size_t r = 0; r < CONTAINMENT_RANGES; r++)
			pipeline_add(pipeline, TEXT("ZCOUNT"),
			    author_list(survey, bucket, kinds[k]),
			    text_number(
				pipeline->arena, survey->extent->since[r]),
			    TEXT("+inf"));
	ask_newest(pipeline, author_list(survey, bucket, KEY_TIME),
	    share > ARTICLES_LEAST ? share : ARTICLES_LEAST);
	ask_newest(
	    pipeline, author_list(survey, bucket, KEY_REMOVED), REMOVED_MAX);
}

static void
add_posts(struct survey *survey, const struct reply *list)
{
	for (size_t i = 0; i < list->count; i++) {
		struct post_id id =
		    decode_post(reply_text(reply_item(list, i)));

		if (id.article != 0)
			survey->posts[survey->post_count++] = id;
	}
}

static enum store_result
read_posts(struct survey *survey)
{
	struct containment_extent *extent = survey->extent;
	struct pipeline pipeline =
	    pipeline_begin(survey->store->redis, survey->arena);
	size_t listed = 0;

	for (uint64_t b = 0; b < survey->store->buckets.count; b++)
		ask_bucket(&pipeline, survey, b);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < pipeline.count; i++)
		if (i % BUCKET_COMMANDS >= BUCKET_COUNTS)
			listed += pipeline.replies[i].count;
	survey->posts = arena_new(survey->arena, struct post_id, listed);
	for (size_t i = 0; i < pipeline.count; i++) {
		const struct reply *reply = &pipeline.replies[i];
		size_t place = i % BUCKET_COMMANDS;

		if (place >= BUCKET_COUNTS)
			add_posts(survey, reply);
		else if (place < CONTAINMENT_RANGES)
			extent->articles[place] += reply_number(reply);
		else
			extent->comments[place - CONTAINMENT_RANGES] +=
			    reply_number(reply);
	}
	return STORE_OK;
}

/* The entry of a host, which is added; NULL when there are too many, or it is empty. */
static struct containment_host *
find_host(struct containment_extent *extent, struct text name)
{
	for (size_t i = 0; i < extent->host_count; i++)
		if (text_equal(extent->hosts[i].name, name))
			return &extent->hosts[i];
	if (name.size == 0 || extent->host_count == CONTAINMENT_HOSTS)
		return NULL;
	extent->hosts[extent->host_count] =
	    (struct containment_host){ .name = name };
	return &extent->hosts[extent->host_count++];
}

/* Counts a post that waits to be shown: it is in no list that was counted. */
static void
count_waiting(
    struct containment_extent *extent, struct post_id id, int64_t held)
{
	int64_t *counts = id.comment == 0 ? extent->articles : extent->comments;

	for (size_t r = 0; r < CONTAINMENT_RANGES; r++)
		counts[r] += held >= extent->since[r];
}

static enum store_result
read_hosts(struct survey *survey)
{
	struct pipeline pipeline =
	    pipeline_begin(survey->store->redis, survey->arena);

	if (survey->post_count == 0)
		return STORE_OK;
	for (size_t i = 0; i < survey->post_count; i++)
		pipeline_add(&pipeline, TEXT("HMGET"),
		    key_post(survey->arena, &survey->store->buckets,
			survey->posts[i]),
		    TEXT("from"), TEXT("removed"), TEXT("held"));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < pipeline.count; i++) {
		const struct reply *reply = &pipeline.replies[i];
		struct text from = reply_text(reply_item(reply, 0));
		struct text removed = reply_text(reply_item(reply, 1));
		struct text held = reply_text(reply_item(reply, 2));
		bool waits = held.size > 0 && text_equal(held, removed);
		struct text host = TEXT("");
		struct containment_host *entry;

		text_cut(&from, '/', &host);
		entry = find_host(survey->extent, host);
		if (entry != NULL && removed.size == 0)
			entry->own++;
		if (waits)
			count_waiting(survey->extent, survey->posts[i],
			    reply_number_of(held));
	}
	return STORE_OK;
}

/* How many others have articles of each host. */
static enum store_result
count_others(struct survey *survey)
{
	struct containment_extent *extent = survey->extent;
	struct store *store = survey->store;
	struct pipeline pipeline = pipeline_begin(store->redis, survey->arena);

	if (extent->host_count == 0)
		return STORE_OK;
	for (uint64_t b = 0; b < store->buckets.count; b++)
		for (size_t i = 0; i < extent->host_count; i++)
			pipeline_add(&pipeline, TEXT("ZCARD"),
			    key_time(survey->arena, &store->buckets, b,
				key_list_of_publisher(
				    survey->arena, extent->hosts[i].name)));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < pipeline.count; i++)
		extent->hosts[i % extent->host_count].others +=
		    reply_number(&pipeline.replies[i]);
	for (size_t i = 0; i < extent->host_count; i++) {
		struct containment_host *host = &extent->hosts[i];

		host->others =
		    host->others > host->own ? host->others - host->own : 0;
	}
	return STORE_OK;
}

static enum store_result
count_votes(struct survey *survey)
{
	struct store *store = survey->store;
	struct pipeline pipeline = pipeline_begin(store->redis, survey->arena);
	struct vote_entry *entries;
	uint64_t total;
	size_t count;
	enum store_result result = vote_history_read(store, survey->arena,
	    survey->member, 0, VOTE_HISTORY_MAX, &entries, &count, &total);

	if (result != STORE_OK || count == 0)
		return result;
	for (size_t i = 0; i < count; i++)
		post_ask_vote(
		    &pipeline, store, entries[i].post, survey->member);
	if (!redis_run_each(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		survey->extent->votes +=
		    post_read_vote(&pipeline.replies[i]) != VOTE_NONE;
	return STORE_OK;
}

STORE_CALL
containment_extent_read(struct store *store, struct arena *arena,
    uint64_t member, struct containment_extent *extent)
{
	struct survey survey = { .store = store,
		.arena = arena,
		.member = member,
		.extent = extent };
	enum store_result result;
	int64_t now;

	*extent = (struct containment_extent){ .votes = 0 };
	result = site_time(store, arena, &now);
	if (result != STORE_OK)
		return result;
	extent->since[RANGE_DAY] = now - DAY;
	extent->since[RANGE_WEEK] = now - INT64_C(7) * DAY;
	extent->since[RANGE_EVER] = CONTAINMENT_FOREVER;
	result = read_posts(&survey);
	if (result == STORE_OK)
		result = read_hosts(&survey);
	if (result == STORE_OK)
		result = count_others(&survey);
	return result == STORE_OK ? count_votes(&survey) : result;
}
