#include "store/walk.h"

#include "base/log.h"
#include "redis/redis.h"
#include "store/article.h"
#include "store/keys.h"

STORE_CALL
walk_last(struct store *store, struct arena *arena, struct text counter,
    uint64_t *last)
{
	const struct reply *reply =
	    store_read(store, arena, TEXT("GET"), counter);

	if (reply == NULL)
		return STORE_DOWN;
	*last = reply_id(reply);
	return STORE_OK;
}

bool
walk_met_damage(const struct reply *reply)
{
	return reply->kind == REPLY_ERROR &&
	    (text_starts(reply->text, TEXT("WRONGTYPE ")) ||
		text_starts(reply->text, TEXT("ERR user_function:")));
}

static bool
is_damaged(struct post_id id, const struct reply *reply)
{
	struct arena arena = { 0 };
	bool is_damage = walk_met_damage(reply);

	if (is_damage)
		log_line("post %.*s is damaged and was left as it is; tally "
			 "check says more: %.*s",
		    TEXT_ARGS(key_post_name(&arena, id)),
		    TEXT_ARGS(reply->text));
	arena_free(&arena);
	return is_damage;
}

STORE_CALL
walk_run(struct pipeline *pipeline, const struct post_id *ids)
{
	if (!redis_run_each(pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < pipeline->count; i++)
		if (pipeline->replies[i].kind == REPLY_ERROR &&
		    !is_damaged(ids[i], &pipeline->replies[i]))
			return STORE_DOWN;
	return STORE_OK;
}

STORE_CALL
walk_articles(struct store *store, struct arena *arena, uint64_t bucket,
    uint64_t number, walk_send *send, const struct reply **replies)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct post_id ids[WALK_ARTICLES];
	enum store_result result;

	for (uint64_t i = 0; i < WALK_ARTICLES; i++) {
		ids[i] = article_id(
		    key_id_in(&store->buckets, bucket, number + 1 + i));
		send(&pipeline, store, ids[i]);
	}
	result = walk_run(&pipeline, ids);
	*replies = pipeline.replies;
	return result;
}

int64_t
walk_pause_ms(int64_t step_us, int64_t share)
{
	int64_t pause_ms = (step_us * (100 - share) / share + 999) / 1000;

	return pause_ms < WALK_PAUSE_MS ? pause_ms : WALK_PAUSE_MS;
}
