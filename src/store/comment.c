#include "store/comment.h"

#include "base/counters.h"
#include "redis/redis.h"
#include "store/user.h"

/* In the order of a dump's line. */
static const struct field fields[] = {
	POST_ARTICLE_OF(struct comment),
	POST_COMMENT(struct comment),
	FIELD("parent", struct comment, parent, COUNT, OPTIONAL, ELSEWHERE),
	FIELD("text", struct comment, text, TEXT, SPARSE, WHOLE),
	FIELD("links", struct comment, links, WORDS, OPTIONAL, WHOLE),
	POST_AUTHOR(struct comment),
	POST_POSTED(struct comment, ELSEWHERE),
	POST_CLOSES(struct comment, OPTIONAL),
	POST_EDITED(struct comment),
	POST_UP(struct comment, ELSEWHERE),
	POST_DOWN(struct comment, ELSEWHERE),
	POST_REMOVED(struct comment),
	POST_HELD(struct comment),
	POST_FOLDED(struct comment),
	POST_KEPT(struct comment),
	POST_REMOVED_BY(struct comment),
	POST_MOD_NOTE(struct comment),
};
const struct schema comment_schema = SCHEMA(struct comment, fields);

/* Reads the next number of a record. With decode_number, a record took 40 ns instead of 10,
 * and a thread has thousands. */
static uint64_t
next_number(const unsigned char **bytes, size_t size)
{
	uint64_t number = 0;

	for (size_t i = 0; i < size; i++)
		number = number << 8 | *(*bytes)++;
	return number;
}

/* Layout 4: when voting closes, from the upper six bits of the state, as days after posting; 0
 * when the comment's hash has it, as in this layout (functions/layout_4.lua). */
static int64_t
closes_in_layout_4(uint64_t state, int64_t posted)
{
	enum { DAYS = 4, DAY = 86400 };

	return state < DAYS ? 0 : posted + (int64_t)(state / DAYS) * DAY;
}

struct comment_record
comment_record_read(struct text bytes)
{
	enum { REMOVED = 1, WITHDRAWN = 2 };
	const unsigned char *next = (const unsigned char *)bytes.data;
	struct comment_record record = { .parent = 0 };
	uint64_t state;

	if (bytes.size < COMMENT_RECORD_SIZE)
		return record;
	record.parent = next_number(&next, 3);
	state = next_number(&next, 1);
	record.removed = (state & REMOVED) != 0;
	record.withdrawn = (state & WITHDRAWN) != 0;
	record.posted = (int64_t)next_number(&next, 4);
	record.closes = closes_in_layout_4(state, record.posted);
	record.up = (int64_t)next_number(&next, 3);
	record.down = (int64_t)next_number(&next, 3);
	record.edition = next_number(&next, 2);
	return record;
}

void
comment_ask_record(
    struct pipeline *pipeline, const struct store *store, struct post_id id)
{
	struct arena *arena = pipeline->arena;
	int64_t at = (int64_t)id.comment * COMMENT_RECORD_SIZE;

	pipeline_add(pipeline, TEXT("GETRANGE"),
	    key_thread(arena, &store->buckets, id.article),
	    text_number(arena, at),
	    text_number(arena, at + COMMENT_RECORD_SIZE - 1));
}

void
comment_ask(
    struct pipeline *pipeline, const struct store *store, struct post_id id)
{
	schema_ask(pipeline, &comment_schema, SCHEMA_WHOLE,
	    key_post(pipeline->arena, &store->buckets, id));
	comment_ask_record(pipeline, store, id);
}

void
comment_add_record(struct text bytes, struct comment *comment)
{
	struct comment_record record = comment_record_read(bytes);
	struct post *post = &comment->post;

	comment->parent = (int64_t)record.parent;
	post->posted = post->held != 0 ? post->held : record.posted;
	if (record.closes != 0)
		post->closes = record.closes;
	post->up = record.up;
	post->down = record.down;
	post->points = record.up - record.down;
}

bool
comment_read(const struct reply **reply, struct comment *comment)
{
	bool is_there =
	    schema_read(&comment_schema, SCHEMA_WHOLE, (*reply)++, comment);

	comment_add_record(reply_text((*reply)++), comment);
	return is_there;
}

STORE_CALL
comment_get(struct store *store, struct arena *arena, struct post_id id,
    uint64_t viewer, struct comment *comment, int64_t *now)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text key = key_post(arena, &store->buckets, id);
	struct post *post = &comment->post;
	const struct reply *reply;

	comment_ask(&pipeline, store, id);
	pipeline_add(
	    &pipeline, TEXT("EXISTS"), key_voters(arena, &store->buckets, id));
	pipeline_add_time(&pipeline, key);
	if (viewer != 0)
		post_ask_vote(&pipeline, store, id, viewer);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	*comment = (struct comment){ .post.id = id };
	reply = pipeline.replies;
	if (!comment_read(&reply, comment))
		return STORE_ABSENT;
	post->voters_known = reply_number(reply++) == 1;
	*now = reply_seconds(reply++);
	if (viewer != 0)
		post->vote = post_read_vote(reply);
	return STORE_OK;
}

/* Without an article when there is none. */
static struct comment *
read_hash(struct arena *arena, const struct reply *reply, struct post_id id)
{
	struct comment *comment = arena_new(arena, struct comment, 1);

	comment->post.id = id;
	if (!schema_read(&comment_schema, SCHEMA_WHOLE, reply, comment))
		comment->post.id.article = 0;
	return comment;
}

STORE_CALL
comment_get_some(struct store *store, struct arena *arena, uint64_t viewer,
    struct comment_wanted *wanted, size_t count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	const struct reply *reply;

	for (size_t i = 0; i < count; i++) {
		struct post_id id = wanted[i].id;

		if (wanted[i].hash)
			schema_ask(&pipeline, &comment_schema, SCHEMA_WHOLE,
			    key_post(arena, &store->buckets, id));
		if (wanted[i].vote)
			post_ask_vote(&pipeline, store, id, viewer);
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	reply = pipeline.replies;
	for (size_t i = 0; i < count; i++) {
		if (wanted[i].hash)
			wanted[i].comment =
			    read_hash(arena, reply++, wanted[i].id);
		if (wanted[i].vote)
			wanted[i].cast = post_read_vote(reply++);
	}
	return STORE_OK;
}

/* "17 18 " */
static struct text
join_ids(struct arena *arena, const uint64_t *ids, size_t count)
{
	struct buffer words = buffer_in(arena, 64);

	for (size_t i = 0; i < count; i++) {
		buffer_add_number(&words, (int64_t)ids[i]);
		buffer_add_char(&words, ' ');
	}
	return buffer_text(&words);
}

STORE_CALL
comment_post(struct store *store, struct arena *arena, struct comment *comment,
    struct comment_posting *posting)
{
	const struct rules *rules = &store->rules;
	uint64_t article = comment->post.id.article;
	struct call call = call_begin(arena, CALL_WRITES, "comment_1",
	    key_post(arena, &store->buckets, article_id(article)));
	const struct reply *reply;
	enum store_result result;

	comment->post.up = 1; /* its author's */
	if (posting->is_held)
		post_hold(&comment->post);
	call_add_number(&call, (int64_t)comment->post.author.id);
	call_add_number(&call, rules->vote_window);
	call_add_number(&call, rules->thread_window);
	call_add_number(&call, RULE_SLOW_FLAGS);
	call_add_number(&call, RULE_SLOW_SECONDS);
	call_add(&call, join_ids(arena, posting->named, posting->named_count));
	call_add_number(&call, posting->is_reviewed);
	schema_add(&call, &comment_schema, comment);
	result = call_run(&call, store, &reply);
	if (result == STORE_OK)
		counters_add(COUNTER_COMMENTS, 1);
	if (result == STORE_OK || result == STORE_TAKEN)
		comment->post.id.comment = reply_id(reply_item(reply, 1));
	if (result == STORE_LIMITED)
		posting->wait = reply_number(reply_item(reply, 1));
	return result;
}

STORE_CALL
comment_edit(struct store *store, struct arena *arena, struct post_id id,
    struct text text, struct text links)
{
	return call_write(store, arena, "rewrite_1",
	    key_post(arena, &store->buckets, id),
	    text_number(arena, RULE_COMMENT_GRACE),
	    text_number(arena, store->rules.thread_window), text, links);
}

/* The ids of the members among a comment's links, as words. */
static enum store_result
find_named(struct store *store, struct arena *arena, struct text links,
    struct text *named)
{
	struct text names[RULE_MENTIONS_MAX], link;
	uint64_t ids[RULE_MENTIONS_MAX];
	size_t count = 0, found = 0;

	while (count < RULE_MENTIONS_MAX && text_next_word(&links, &link))
		if (text_starts(link, TEXT("@")))
			names[count++] = text_slice(link, 1, link.size);
	if (user_find_ids(store, arena, names, count, ids) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		if (ids[i] != 0)
			ids[found++] = ids[i];
	*named = join_ids(arena, ids, found);
	return STORE_OK;
}

STORE_CALL
comment_release(struct store *store, struct arena *arena, struct post_id id,
    const struct mod_action *action)
{
	struct comment comment;
	struct text named;
	int64_t now;
	enum store_result result =
	    comment_get(store, arena, id, 0, &comment, &now);

	if (result == STORE_OK)
		result = find_named(store, arena, comment.links, &named);
	return result == STORE_OK
	    ? post_release(store, arena, id, TEXT(""), named, action)
	    : result;
}

STORE_CALL
comment_restore(struct store *store, struct arena *arena, struct post_id id,
    const struct mod_action *action)
{
	enum store_result result =
	    post_restore(store, arena, id, TEXT(""), action);

	return result == STORE_HELD ? comment_release(store, arena, id, action)
				    : result;
}
