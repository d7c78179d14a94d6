#include "store/publisher_articles.h"

#include <stdlib.h>

#include "base/arena.h"
#include "redis/redis.h"
#include "store/encoding.h"
#include "store/keys.h"

enum {
	SHARE_LEAST = 20, /* of each bucket */
	READS = 2 /* of each bucket: the cursor's second, and what is older */
};

/* The newest first; of one second that with the highest id. */
static int
compare_articles(const void *a, const void *b)
{
	const struct publisher_article *one = a, *other = b;
	uint64_t id = one->id.article, other_id = other->id.article;

	if (one->posted != other->posted)
		return one->posted < other->posted ? 1 : -1;
	return (id < other_id) - (id > other_id);
}

bool
publisher_cursor_has_passed(const struct publisher_cursor *cursor,
    const struct publisher_article *article)
{
	const struct publisher_article last = { .id = { cursor->article, 0 },
		.posted = cursor->posted };

	return cursor->posted != 0 && compare_articles(article, &last) <= 0;
}

static int64_t
share_of_bucket(const struct store *store)
{
	int64_t buckets = (int64_t)store->buckets.count;

	return buckets > PUBLISHER_ARTICLES / SHARE_LEAST
	    ? SHARE_LEAST
	    : PUBLISHER_ARTICLES / (buckets > 0 ? buckets : 1);
}

static void
ask_range(struct pipeline *pipeline, struct text list, struct text from,
    struct text to, int64_t count)
{
	pipeline_add(pipeline, TEXT("ZRANGE"), list, from, to, TEXT("BYSCORE"),
	    TEXT("REV"), TEXT("LIMIT"), TEXT("0"),
	    text_number(pipeline->arena, count), TEXT("WITHSCORES"));
}

static void
ask_bucket(struct pipeline *pipeline, const struct store *store,
    uint64_t bucket, struct text publisher,
    const struct publisher_cursor *cursor)
{
	struct arena *arena = pipeline->arena;
	struct text list = key_time(arena, &store->buckets, bucket,
	    key_list_of_publisher(arena, publisher));
	struct text moment = text_number(arena, cursor->posted);

	ask_range(pipeline, list, moment, moment, PUBLISHER_ARTICLES);
	ask_range(pipeline, list,
	    cursor->posted == 0 ? TEXT("+inf")
				: text_join(arena, TEXT("("), moment),
	    TEXT("-inf"), share_of_bucket(store));
}

static struct publisher_article
article_at(const struct reply *reply, size_t index)
{
	return (struct publisher_article){ .id = decode_post(reply_text(
					       reply_item(reply, index))),
		.posted =
		    reply_number_of(reply_text(reply_item(reply, index + 1))) };
}

/* Leaves out what is older than the last that was read of a bucket that has more. */
static size_t
drop_older(const struct store *store, const struct pipeline *pipeline,
    const struct publisher_article *articles, size_t count, bool *more)
{
	*more = false;
	for (size_t i = 1; i < pipeline->count; i += READS) {
		const struct reply *reply = &pipeline->replies[i];
		struct publisher_article last;

		if ((int64_t)reply->count / 2 < share_of_bucket(store))
			continue;
		*more = true;
		last = article_at(reply, reply->count - 2);
		while (count > 0 &&
		    compare_articles(&articles[count - 1], &last) > 0)
			count--;
	}
	return count;
}

static enum store_result
read_ids(struct store *store, struct arena *arena, struct text publisher,
    const struct publisher_cursor *cursor, struct publisher_article **articles,
    size_t *count, bool *more)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	size_t listed = 0;

	for (uint64_t b = 0; b < store->buckets.count; b++)
		ask_bucket(&pipeline, store, b, publisher, cursor);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < pipeline.count; i++)
		listed += pipeline.replies[i].count / 2;
	*articles = arena_new(arena, struct publisher_article, listed);
	for (size_t i = 0; i < pipeline.count; i++)
		for (size_t j = 0; j + 1 < pipeline.replies[i].count; j += 2) {
			struct publisher_article article =
			    article_at(&pipeline.replies[i], j);

			if (!publisher_cursor_has_passed(cursor, &article))
				(*articles)[(*count)++] = article;
		}
	if (*count > 1)
		qsort(*articles, *count, sizeof(**articles), compare_articles);
	*count = drop_older(store, &pipeline, *articles, *count, more);
	return STORE_OK;
}

STORE_CALL
publisher_articles_read(struct store *store, struct arena *arena,
    struct text publisher, const struct publisher_cursor *cursor,
    struct publisher_article **articles, size_t *count, bool *more)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	enum store_result result;

	*count = 0;
	result =
	    read_ids(store, arena, publisher, cursor, articles, count, more);
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
