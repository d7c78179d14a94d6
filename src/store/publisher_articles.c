#include "store/publisher_articles.h"

#include "base/arena.h"
#include "redis/redis.h"
#include "store/encoding.h"
#include "store/keys.h"

enum { SHARE_LEAST = 20 }; /* of each bucket */

static enum store_result
read_newest(struct store *store, struct arena *arena, struct text publisher,
    struct publisher_article **articles, size_t *count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	int64_t share = PUBLISHER_ARTICLES / (int64_t)store->buckets.count;
	size_t listed = 0;

	if (share < SHARE_LEAST)
		share = SHARE_LEAST;
	for (uint64_t b = 0; b < store->buckets.count; b++)
		pipeline_add(&pipeline, TEXT("ZRANGE"),
		    key_time(arena, &store->buckets, b,
			key_list_of_publisher(arena, publisher)),
		    TEXT("0"), text_number(arena, share - 1), TEXT("REV"));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t b = 0; b < pipeline.count; b++)
		listed += pipeline.replies[b].count;
	*articles = arena_new(arena, struct publisher_article, listed);
	for (size_t b = 0; b < pipeline.count; b++)
		for (size_t i = 0; i < pipeline.replies[b].count; i++)
			(*articles)[(*count)++].id = decode_post(
			    reply_text(reply_item(&pipeline.replies[b], i)));
	return STORE_OK;
}

STORE_CALL
publisher_articles_read(struct store *store, struct arena *arena,
    struct text publisher, struct publisher_article **articles, size_t *count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	enum store_result result;

	*count = 0;
	result = read_newest(store, arena, publisher, articles, count);
	if (result != STORE_OK || *count == 0)
		return result;
	for (size_t i = 0; i < *count; i++)
		pipeline_add(&pipeline, TEXT("HGET"),
		    key_post(arena, &store->buckets, (*articles)[i].id),
		    TEXT("url"));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < *count; i++)
		(*articles)[i].link = reply_text(&pipeline.replies[i]);
	return STORE_OK;
}
