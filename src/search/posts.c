#include "search/posts.h"

#include <stdlib.h>

#include "base/log.h"
#include "base/sort.h"
#include "base/url.h"
#include "redis/redis.h"
#include "store/comment.h"

enum {
	COMMENT_REPLIES = 3, /* its own two, and its article's */
	WALKED = 100	     /* articles at a time */
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

/* The next articles of a bucket, with the times of posting, from that of the last one on: so none
 * is missed while others are removed. */
static const struct reply *
read_articles(struct store *store, struct arena *arena, uint64_t bucket,
    const struct search_posts_cursor *cursor)
{
	return store_read(store, arena, TEXT("ZRANGE"),
	    key_time(arena, &store->buckets, bucket, TEXT("")),
	    text_number(arena, cursor->posted), TEXT("+inf"), TEXT("BYSCORE"),
	    TEXT("LIMIT"), TEXT("0"),
	    text_number(arena, (int64_t)(WALKED + cursor->more)),
	    TEXT("WITHSCORES"));
}

/* Moves the cursor behind a list of articles and times. */
static void
move_cursor(struct search_posts_cursor *cursor, const struct reply *list)
{
	size_t asked = WALKED + cursor->more, count = list->count / 2;
	int64_t last = count == 0
	    ? cursor->posted
	    : reply_number(reply_item(list, 2 * count - 1));

	cursor->is_over = count < asked;
	cursor->more = last > cursor->posted ? 0 : asked;
	cursor->posted = last;
}

STORE_CALL
search_posts_walk(struct store *store, struct arena *arena, uint64_t bucket,
    struct search_posts_cursor *cursor, struct search_posts_places *places)
{
	const struct reply *list = read_articles(store, arena, bucket, cursor);
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	if (list == NULL)
		return STORE_DOWN;
	for (size_t i = 0; i + 1 < list->count; i += 2)
		pipeline_add(&pipeline, TEXT("GETRANGE"),
		    key_thread(arena, &store->buckets,
			decode_post(reply_text(reply_item(list, i))).article),
		    TEXT("0"), TEXT("-1"));
	if (run_pipeline(&pipeline) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i + 1 < list->count; i += 2) {
		struct post_id id =
		    decode_post(reply_text(reply_item(list, i)));

		if (id.article == 0)
			continue;
		add_place(places, reply_number(reply_item(list, i + 1)), id);
		add_thread(
		    places, id.article, reply_text(&pipeline.replies[i / 2]));
	}
	move_cursor(cursor, list);
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
	size_t kept = 0;

	if (places->count > 0)
		qsort(places->items, places->count, sizeof(*places->items),
		    compare_places);
	for (size_t i = 0; i < places->count; i++)
		if (i == 0 ||
		    compare_places(&places->items[i], &places->items[i - 1]) !=
			0)
			places->items[kept++] = places->items[i];
	places->count = kept;
}
