#include "lists/sitemap.h"

#include "base/arena.h"
#include "redis/redis.h"

static uint64_t
count_chunks(const struct reply *articles)
{
	return ((uint64_t)reply_number(articles) + SITEMAP_CHUNK - 1) /
	    SITEMAP_CHUNK;
}

STORE_CALL
sitemap_chunks(
    struct store *store, struct arena *arena, uint64_t **numbers, size_t *count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	uint64_t buckets = store->buckets.count, longest = 0;

	for (uint64_t b = 0; b < buckets; b++)
		pipeline_add(&pipeline, TEXT("ZCARD"),
		    key_time(arena, &store->buckets, b, TEXT("")));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (uint64_t b = 0; b < buckets; b++)
		if (count_chunks(&pipeline.replies[b]) > longest)
			longest = count_chunks(&pipeline.replies[b]);
	*numbers = arena_new(arena, uint64_t, longest *buckets);
	*count = 0;
	for (uint64_t i = 0; i < longest; i++)
		for (uint64_t b = 0; b < buckets; b++)
			if (i < count_chunks(&pipeline.replies[b]))
				(*numbers)[(*count)++] = i * buckets + b + 1;
	return STORE_OK;
}

STORE_CALL
sitemap_ids(struct store *store, struct arena *arena, uint64_t number,
    uint64_t **ids, size_t *count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	uint64_t bucket = (number - 1) % store->buckets.count;
	uint64_t first = (number - 1) / store->buckets.count * SITEMAP_CHUNK;
	const struct reply *members;

	pipeline_add(&pipeline, TEXT("ZRANGE"),
	    key_time(arena, &store->buckets, bucket, TEXT("")),
	    text_number(arena, (int64_t)first),
	    text_number(arena, (int64_t)(first + SITEMAP_CHUNK) - 1));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	members = &pipeline.replies[0];
	*count = members->count;
	*ids = arena_new(arena, uint64_t, members->count);
	for (size_t i = 0; i < members->count; i++)
		(*ids)[i] =
		    decode_post_number(reply_text(reply_item(members, i)));
	return STORE_OK;
}
