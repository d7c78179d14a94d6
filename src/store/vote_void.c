#include "store/vote_void.h"

#include "base/arena.h"
#include "redis/redis.h"
#include "store/comment.h"
#include "store/vote_history.h"
#include "store/walk.h"

enum {
	BATCH = 500,
	ARTICLES_BATCH = 200,	   /* that a step visits, unless */
	THREADS_BYTES = 512 * 1024 /* their threads' indexes have more */
};

/* Undoes the announcement of a change that was refused. */
static enum store_result
finish_change(struct store *store, struct arena *arena,
    const struct vote_announcement *announcement, enum store_result result)
{
	if (result != STORE_OK && result != STORE_DOWN &&
	    vote_history_withdraw(store, arena, announcement) != STORE_OK)
		return STORE_DOWN;
	return result;
}

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
	return finish_change(store, arena, &announcement,
	    post_void(store, arena, id, member->id, wanted, &action));
}

STORE_CALL
vote_change_for(struct store *store, struct arena *arena, struct post_id id,
    const struct vote_act *act)
{
	struct vote_announcement announcement;
	enum store_result result =
	    vote_history_change(store, arena, act->member.id, id,
		act->wanted == VOIDING_VOID ? CHANGE_VOID : CHANGE_COUNT,
		&announcement);

	return result == STORE_OK ? finish_change(store, arena, &announcement,
					post_void_for(store, arena, id, act))
				  : result;
}

/* Changes the member's votes on some posts. Posts that refuse it stay as they are. */
static enum store_result
change_votes(struct store *store, struct arena *arena,
    const struct vote_act *act, const struct post_id *ids, size_t count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	uint64_t voter = act->member.id;

	if (act->wanted == VOIDING_COUNT)
		voter += KEY_VOID_OFFSET;
	for (size_t i = 0; i < count; i++)
		post_ask_vote(&pipeline, store, ids[i], voter);
	if (count > 0 && walk_run(&pipeline, ids) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		if (post_read_vote(&pipeline.replies[i]) != VOTE_NONE &&
		    vote_change_for(store, arena, ids[i], act) == STORE_DOWN)
			return STORE_DOWN;
	return STORE_OK;
}

/* Changes votes on a thread's comments since a moment. */
static enum store_result
sweep_thread(struct store *store, struct arena *arena,
    const struct vote_act *act, int64_t since, uint64_t article,
    struct text index)
{
	struct post_id ids[BATCH];
	enum store_result result = STORE_OK;
	size_t count = 0;

	for (uint64_t n = 1;
	    result == STORE_OK && (n + 1) * COMMENT_RECORD_SIZE <= index.size;
	    n++) {
		struct comment_record record = comment_record_read(
		    text_slice(index, n * COMMENT_RECORD_SIZE, index.size));

		if (record.posted < since)
			continue;
		ids[count++] = (struct post_id){ article, n };
		if (count == BATCH) {
			result = change_votes(store, arena, act, ids, count);
			count = 0;
		}
	}
	return result == STORE_OK ? change_votes(store, arena, act, ids, count)
				  : result;
}

/* Lowers *count to the articles, at least one, of whose threads a step reads the indexes. */
static enum store_result
limit_threads(struct store *store, struct arena *arena,
    const struct post_id *articles, size_t *count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	int64_t bytes = 0;

	for (size_t i = 0; i < *count; i++)
		pipeline_add(&pipeline, TEXT("HGET"),
		    key_post(arena, &store->buckets, articles[i]),
		    TEXT("commented"));
	if (*count > 0 && walk_run(&pipeline, articles) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < *count; i++) {
		bytes += COMMENT_RECORD_SIZE *
		    reply_number_of(reply_text(&pipeline.replies[i]));
		if (bytes > THREADS_BYTES && i > 0)
			*count = i;
	}
	return STORE_OK;
}

/* Changes votes on articles, and on the comments of each. */
static enum store_result
sweep_articles(struct store *store, struct arena *arena,
    const struct vote_act *act, int64_t since, const struct post_id *articles,
    size_t count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	enum store_result result =
	    change_votes(store, arena, act, articles, count);

	for (size_t i = 0; i < count; i++)
		pipeline_add(&pipeline, TEXT("GET"),
		    key_thread(arena, &store->buckets, articles[i].article));
	if (count > 0 && result == STORE_OK &&
	    walk_run(&pipeline, articles) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count && result == STORE_OK; i++)
		result = sweep_thread(store, arena, act, since,
		    articles[i].article, reply_text(&pipeline.replies[i]));
	return result;
}

/* Where the next step begins: behind all of this second, if others follow, since articles of the
 * same one may be removed meanwhile; else behind those that were visited. */
static void
move_cursor(struct vote_cursor *cursor, int64_t last, size_t visited)
{
	if (last > cursor->score)
		*cursor = (struct vote_cursor){ .score = last };
	else
		cursor->passed += (int64_t)visited;
}

STORE_CALL
vote_sweep_step(struct store *store, struct arena *arena,
    const struct vote_act *act, int64_t since, uint64_t bucket,
    struct vote_cursor *cursor, bool *ended)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct post_id articles[ARTICLES_BATCH];
	const struct reply *members;
	size_t found = 0, count;

	if (cursor->score == 0)
		cursor->score = since - store->rules.thread_window;
	pipeline_add(&pipeline, TEXT("ZRANGE"),
	    key_time(arena, &store->buckets, bucket, TEXT("")),
	    text_number(arena, cursor->score), TEXT("+inf"), TEXT("BYSCORE"),
	    TEXT("LIMIT"), text_number(arena, cursor->passed),
	    text_number(arena, ARTICLES_BATCH), TEXT("WITHSCORES"));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	members = &pipeline.replies[0];
	while (2 * found + 1 < members->count && found < ARTICLES_BATCH) {
		articles[found] = article_id(decode_post_number(
		    reply_text(reply_item(members, 2 * found))));
		found++;
	}
	count = found;
	if (limit_threads(store, arena, articles, &count) != STORE_OK)
		return STORE_DOWN;
	*ended = count < ARTICLES_BATCH && count == found;
	if (count > 0)
		move_cursor(cursor,
		    reply_number_of(
			reply_text(reply_item(members, 2 * count - 1))),
		    count);
	return sweep_articles(store, arena, act, since, articles, count);
}
