#include "store/store.h"

#include "redis/redis.h"

const struct reply *
store_read_words(struct store *store, struct arena *arena,
    const struct text *words, size_t count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	pipeline_add_words(&pipeline, UNREPLICATED, PIPELINE_KEY, words, count);
	return redis_run(&pipeline) ? pipeline.replies : NULL;
}

STORE_CALL
store_write_words(struct store *store, struct arena *arena,
    const struct text *words, size_t count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	pipeline_add_words(&pipeline, REPLICATED, PIPELINE_KEY, words, count);
	return store_run(&pipeline);
}

const struct reply *
store_read_range(struct store *store, struct arena *arena, struct text key,
    uint64_t start, uint64_t count, uint64_t *total)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	pipeline_add(&pipeline, TEXT("ZREVRANGE"), key,
	    text_number(arena, (int64_t)start),
	    text_number(arena, (int64_t)(start + count) - 1),
	    TEXT("WITHSCORES"));
	pipeline_add(&pipeline, TEXT("ZCARD"), key);
	if (!redis_run(&pipeline))
		return NULL;
	*total = (uint64_t)reply_count(&pipeline.replies[1]);
	return pipeline.replies;
}

uint64_t
store_epoch(const struct store *store)
{
	return redis_epoch(store->redis);
}

STORE_CALL
store_run(struct pipeline *pipeline)
{
	return redis_run(pipeline) ? STORE_OK : STORE_DOWN;
}

STORE_CALL
store_run_partial(
    const struct store *store, struct pipeline *pipeline, bool *is_partial)
{
	if (!redis_try(pipeline))
		return STORE_DOWN;
	if (pipeline_is_whole(pipeline))
		return STORE_OK;
	if (is_partial == NULL)
		return STORE_DOWN;
	*is_partial = true;
	if (store->versions != NULL)
		return STORE_OK;
	return !redis_is_cluster(store->redis) || pipeline_is_lost(pipeline)
	    ? STORE_DOWN
	    : STORE_OK;
}
