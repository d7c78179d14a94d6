#include "search/posts.h"

#include <stdlib.h>

#include "base/log.h"
#include "base/sort.h"
#include "base/url.h"
#include "redis/redis.h"
#include "store/comment.h"

enum {
	COMMENT_REPLIES = 3, /* a comment's own two, and its article's */
	THREADS_AT_ONCE = 64 /* of which each may have megabytes */
};

/* What cannot be read is as if it were not there; the check says more. */
static enum store_result
run_pipeline(struct pipeline *pipeline)
{
	if (!redis_run_each(pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < pipeline->count; i++) {
		struct reply *reply = &pipeline->replies[i];

		if (reply->kind != REPLY_ERROR)
			continue;
		if (!text_starts(reply->text, TEXT("WRONGTYPE ")))
			return STORE_DOWN;
		*reply = (struct reply){ .kind = REPLY_NIL };
	}
	return STORE_OK;
}

static void
read_article(struct arena *arena, const struct reply *reply,
    struct search_posts_row *row)
{
	struct article article = { .post.id = row->id };
	bool is_there =
	    schema_read(&article_schema, SCHEMA_WHOLE, reply, &article);

	row->post.posted = article.post.posted;
	row->last_comment = (uint64_t)article.commented;
	row->is_shown = is_there && article.post.removed == 0;
	if (!row->is_shown)
		return;
	row->post.author = article.post.author.id;
	row->post.points = article.post.up - article.post.down;
	row->post.title = article.title;
	row->post.text = article.text;
	row->post.groups = article.groups;
	if (article.url.size > 0) {
		row->post.host = url_host_name(arena, article.url);
		row->post.link =
		    rule_claim(arena, 0, TEXT(""), article.url, TEXT(""));
	}
}

static void
read_comment(const struct reply *replies, struct search_posts_row *row)
{
	struct comment comment = { .post.id = row->id };
	struct article article = { .post.id = article_id(row->id.article) };
	bool is_there = comment_read(&replies, &comment);
	bool has_article =
	    schema_read(&article_schema, SCHEMA_BRIEF, replies, &article);

	row->post.posted = comment.post.posted;
	row->is_shown = is_there && has_article && comment.post.removed == 0 &&
	    article.post.removed == 0 && comment.post.posted > 0;
	if (!row->is_shown)
		return;
	row->post.author = comment.post.author.id;
	row->post.points = comment.post.points;
	row->post.text = comment.text;
	row->post.groups = article.groups;
}

STORE_CALL
search_posts_read(struct store *store, struct arena *arena,
    struct search_posts_row *rows, size_t count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	const struct buckets *buckets = &store->buckets;
	const struct reply *reply;

	for (size_t i = 0; i < count; i++) {
		struct text article =
		    key_post(arena, buckets, article_id(rows[i].id.article));
		bool is_comment = rows[i].id.comment != 0;

		if (is_comment)
			comment_ask(&pipeline, store, rows[i].id);
		schema_ask(&pipeline, &article_schema,
		    is_comment ? SCHEMA_BRIEF : SCHEMA_WHOLE, article);
	}
	if (run_pipeline(&pipeline) != STORE_OK)
		return STORE_DOWN;
	reply = pipeline.replies;
	for (size_t i = 0; i < count; i++) {
		rows[i].post = (struct search_post){ .id = rows[i].id };
		rows[i].last_comment = 0;
		if (rows[i].id.comment == 0) {
			read_article(arena, reply++, &rows[i]);
		} else {
			read_comment(reply, &rows[i]);
			reply += COMMENT_REPLIES;
		}
	}
	return STORE_OK;
}

enum index_result
search_posts_write(
    struct index *index, const struct search_posts_row *rows, size_t count)
{
	enum index_result result = INDEX_OK;

	for (size_t i = 0; i < count && result == INDEX_OK; i++)
		result = rows[i].is_shown
		    ? index_put(index, &rows[i].post)
		    : index_delete(index, rows[i].id, rows[i].post.posted);
	return result;
}

static void
add_place(struct search_posts_places *places, int64_t posted, struct post_id id)
{
	if (posted <= 0)
		return;
	if (places->count == places->room) {
		size_t room = places->room == 0 ? 1024 : 2 * places->room;

		places->items =
		    reallocarray(places->items, room, sizeof(*places->items));
		if (places->items == NULL)
			log_fatal("out of memory: no index for search");
		places->room = room;
	}
	places->items[places->count++] =
	    (struct search_posts_place){ posted, post_id_to_number(id) };
}

static void
add_thread(
    struct search_posts_places *places, uint64_t article, struct text thread)
{
	enum { SIZE = COMMENT_RECORD_SIZE };

	for (size_t at = SIZE; at + SIZE <= thread.size; at += SIZE)
		add_place(places,
		    comment_record_read(text_slice(thread, at, SIZE)).posted,
		    (struct post_id){ article, at / SIZE });
}

/* Adds the comments of some articles. */
static enum store_result
walk_threads(struct store *store, struct arena *arena, const uint64_t *articles,
    size_t count, struct search_posts_places *places)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (size_t i = 0; i < count; i++)
		pipeline_add(&pipeline, TEXT("GETRANGE"),
		    key_thread(arena, &store->buckets, articles[i]), TEXT("0"),
		    TEXT("-1"));
	if (run_pipeline(&pipeline) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		add_thread(
		    places, articles[i], reply_text(&pipeline.replies[i]));
	return STORE_OK;
}

STORE_CALL
search_posts_walk(struct store *store, struct arena *arena, uint64_t bucket,
    uint64_t first, struct search_posts_places *places)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	const struct buckets *buckets = &store->buckets;
	uint64_t articles[THREADS_AT_ONCE];
	size_t count = 0;

	for (uint64_t i = 0; i < SEARCH_POSTS_WALKED; i++) {
		uint64_t id = key_id_in(buckets, bucket, first + i);

		pipeline_add(&pipeline, TEXT("HMGET"),
		    key_post(arena, buckets, article_id(id)), TEXT("posted"));
	}
	if (run_pipeline(&pipeline) != STORE_OK)
		return STORE_DOWN;
	for (uint64_t i = 0; i < SEARCH_POSTS_WALKED; i++) {
		uint64_t id = key_id_in(buckets, bucket, first + i);
		int64_t posted =
		    reply_number(reply_item(&pipeline.replies[i], 0));

		add_place(places, posted, article_id(id));
		if (posted > 0)
			articles[count++] = id;
		if (count < THREADS_AT_ONCE && i + 1 < SEARCH_POSTS_WALKED)
			continue;
		if (walk_threads(store, arena, articles, count, places) !=
		    STORE_OK)
			return STORE_DOWN;
		count = 0;
	}
	return STORE_OK;
}

static int
compare_places(const void *a, const void *b)
{
	const struct search_posts_place *one = a, *other = b;

	return one->posted != other->posted
	    ? (one->posted < other->posted ? -1 : 1)
	    : sort_compare(one->post, other->post);
}

void
search_posts_sort(struct search_posts_places *places)
{
	if (places->count > 0)
		qsort(places->items, places->count, sizeof(*places->items),
		    compare_places);
}
