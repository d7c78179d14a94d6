#include "store/vote_void.h"

#include "base/arena.h"
#include "redis/redis.h"
#include "store/comment.h"
#include "store/site.h"
#include "store/vote_history.h"

enum { BATCH = 500, THREADS_BATCH = 50 };

STORE_CALL
vote_void_one(struct store *store, struct arena *arena, struct post_id id,
    const struct member *member, enum voiding wanted, struct mod_action action)
{
	struct vote_announcement announcement;
	enum store_result result = vote_history_change(store, arena, member->id,
	    id, wanted == VOIDING_VOID ? CHANGE_VOID : CHANGE_COUNT,
	    &announcement);

	if (result != STORE_OK)
		return result;
	action.what =
	    mod_action_words[wanted == VOIDING_VOID ? MOD_VOIDED : MOD_COUNTED];
	action.article = id.article;
	action.comment = id.comment;
	action.member = *member;
	result = post_void(store, arena, id, member->id, wanted, &action);
	if (result != STORE_OK && result != STORE_DOWN &&
	    vote_history_withdraw(store, arena, &announcement) != STORE_OK)
		return STORE_DOWN;
	return result;
}

/* The votes to change: a member's, on posts since a moment. */
struct sweep {
	struct store *store;
	struct arena *arena; /* reset after each batch of articles */
	const struct member *member;
	enum voiding wanted;
	const struct mod_action *action;
	uint64_t *changed;
	int64_t since;
};

/* Changes the member's votes on some posts. */
static enum store_result
change_votes(const struct sweep *sweep, const struct post_id *ids, size_t count)
{
	struct pipeline pipeline =
	    pipeline_begin(sweep->store->redis, sweep->arena);
	uint64_t voter = sweep->member->id;

	if (sweep->wanted == VOIDING_COUNT)
		voter += KEY_VOID_OFFSET;
	for (size_t i = 0; i < count; i++)
		post_ask_vote(&pipeline, sweep->store, ids[i], voter);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++) {
		enum store_result result;

		if (post_read_vote(&pipeline.replies[i]) == VOTE_NONE)
			continue;
		result = vote_void_one(sweep->store, sweep->arena, ids[i],
		    sweep->member, sweep->wanted, *sweep->action);
		if (result == STORE_DOWN)
			return result;
		*sweep->changed += result == STORE_OK;
	}
	return STORE_OK;
}

/* Changes votes on a thread's comments since sweep->since. */
static enum store_result
sweep_thread(const struct sweep *sweep, uint64_t article, struct text index)
{
	struct post_id ids[BATCH];
	enum store_result result = STORE_OK;
	size_t count = 0;

	for (uint64_t n = 1;
	    result == STORE_OK && (n + 1) * COMMENT_RECORD_SIZE <= index.size;
	    n++) {
		struct comment_record record = comment_record_read(
		    text_slice(index, n * COMMENT_RECORD_SIZE, index.size));

		if (record.posted < sweep->since)
			continue;
		ids[count++] = (struct post_id){ article, n };
		if (count == BATCH) {
			result = change_votes(sweep, ids, count);
			count = 0;
		}
	}
	return result == STORE_OK ? change_votes(sweep, ids, count) : result;
}

/* Changes votes on the comments of some articles. */
static enum store_result
sweep_threads(
    const struct sweep *sweep, const struct post_id *articles, size_t count)
{
	struct pipeline pipeline =
	    pipeline_begin(sweep->store->redis, sweep->arena);
	enum store_result result = STORE_OK;

	for (size_t i = 0; i < count; i++)
		pipeline_add(&pipeline, TEXT("GET"),
		    key_thread(sweep->arena, &sweep->store->buckets,
			articles[i].article));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count && result == STORE_OK; i++)
		result = sweep_thread(sweep, articles[i].article,
		    reply_text(&pipeline.replies[i]));
	return result;
}

static enum store_result
sweep_articles(
    const struct sweep *sweep, const struct post_id *articles, size_t count)
{
	enum store_result result = change_votes(sweep, articles, count);

	for (size_t i = 0; i < count && result == STORE_OK; i += THREADS_BATCH)
		result = sweep_threads(sweep, articles + i,
		    count - i < THREADS_BATCH ? count - i : THREADS_BATCH);
	return result;
}

/* Reads the next articles of a bucket whose threads were open at sweep->since or later. */
static enum store_result
read_articles(const struct sweep *sweep, uint64_t bucket, int64_t start,
    struct post_id *articles, size_t *count)
{
	struct arena *arena = sweep->arena;
	struct pipeline pipeline = pipeline_begin(sweep->store->redis, arena);
	int64_t since = sweep->since - sweep->store->rules.thread_window;
	const struct reply *members;

	pipeline_add(&pipeline, TEXT("ZRANGE"),
	    key_time(arena, &sweep->store->buckets, bucket, TEXT("")),
	    text_number(arena, since), TEXT("+inf"), TEXT("BYSCORE"),
	    TEXT("LIMIT"), text_number(arena, start),
	    text_number(arena, BATCH));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	members = &pipeline.replies[0];
	*count = members->count < BATCH ? members->count : BATCH;
	for (size_t i = 0; i < *count; i++)
		articles[i] = article_id(
		    decode_post_number(reply_text(reply_item(members, i))));
	return STORE_OK;
}

static enum store_result
sweep_bucket(const struct sweep *sweep, uint64_t bucket)
{
	struct post_id articles[BATCH];
	enum store_result result = STORE_OK;
	size_t count = BATCH;

	for (int64_t start = 0; count == BATCH && result == STORE_OK;
	    start += BATCH) {
		result = read_articles(sweep, bucket, start, articles, &count);
		if (result == STORE_OK)
			result = sweep_articles(sweep, articles, count);
		arena_reset(sweep->arena);
	}
	return result;
}

STORE_CALL
vote_void_all(struct store *store, struct arena *arena,
    const struct member *member, enum voiding wanted, struct mod_action action,
    uint64_t *changed)
{
	struct arena step = { 0 };
	struct sweep sweep = { store, &step, member, wanted, &action, changed,
		0 };
	enum store_result result;
	int64_t now;

	*changed = 0;
	result = site_time(store, arena, &now);
	sweep.since = now - store->rules.vote_window;
	for (uint64_t b = 0; b < store->buckets.count && result == STORE_OK;
	    b++)
		result = sweep_bucket(&sweep, b);
	arena_free(&step);
	return result;
}
