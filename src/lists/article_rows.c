#include "lists/article_rows.h"

#include "base/clock.h"
#include "redis/redis.h"

static struct stamp
article_stamp(
    const struct article_rows *rows, uint64_t id, enum versions_count count)
{
	return versions_stamp(
	    rows->versions, key_bucket_of(&rows->store->buckets, id), count);
}

bool
article_rows_is_unsettled(const struct article_rows *rows, uint64_t article)
{
	const struct recent *recent = &rows->recent;

	/* The list is full: there may have been more. */
	if (recent->count == VOTE_HISTORY_RECENT_MAX)
		return true;
	for (size_t i = 0; i < recent->count; i++)
		if (recent->articles[i] == article)
			return true;
	return false;
}

/* The commands about one article, and the numbers of their replies. */
struct question {
	enum { ALL, COUNTS, NOTHING } asked;
	bool asks_vote;
	size_t reply, vote_reply;
};

static struct question
ask_article(const struct article_rows *rows, struct pipeline *pipeline,
    uint64_t id, struct article *article)
{
	struct question question = { .reply = pipeline->count };
	struct store *store = rows->store;
	enum vote vote = VOTE_NONE;

	if (!read_cache_get_article(rows->cache, rows->arena,
		article_stamp(rows, id, VERSIONS_EDITS), id, article))
		schema_ask(pipeline, &article_schema, SCHEMA_BRIEF,
		    key_post(rows->arena, &store->buckets, article_id(id)));
	else
		question.asked =
		    rows->by_score && !article_rows_is_unsettled(rows, id)
		    ? NOTHING
		    : COUNTS;
	if (question.asked == COUNTS)
		article_ask_counts(pipeline, store, id);
	question.vote_reply = pipeline->count;
	/* Votes are not recorded any more when voting has closed. */
	question.asks_vote = rows->viewer != 0 &&
	    (question.asked == ALL ||
		post_is_open(&article->post, rows->versions->now)) &&
	    !read_cache_get_vote(rows->cache, rows->arena,
		versions_votes_stamp(rows->versions), rows->viewer,
		article_id(id), &vote);
	if (question.asks_vote)
		post_ask_vote(pipeline, store, article_id(id), rows->viewer);
	article->post.vote = vote;
	return question;
}

/* False when the article is not to be shown. */
static bool
read_article(struct article_rows *rows, const struct reply *replies,
    const struct question *question, const struct entry *entry,
    struct article *article)
{
	int64_t vote_score = rows->versions->scale.vote_score;
	const struct reply *reply = &replies[question->reply];
	const struct reply *vote_reply = &replies[question->vote_reply];
	enum vote vote = article->post.vote;

	/* Without the viewer's vote it would be wrong. */
	if (question->asks_vote && vote_reply->kind == REPLY_LOST)
		return false;
	if (question->asks_vote) {
		vote = post_read_vote(vote_reply);
		if (!article_rows_is_unsettled(rows, entry->id))
			read_cache_put_vote(rows->cache, rows->arena,
			    versions_votes_stamp(rows->versions), rows->viewer,
			    article_id(entry->id), vote);
	}
	if (question->asked == ALL) {
		*article = (struct article){ .post.id = article_id(entry->id) };
		if (!schema_read(
			&article_schema, SCHEMA_BRIEF, reply, article) ||
		    article->post.removed != 0)
			return false;
		read_cache_put_article(rows->cache, rows->arena,
		    article_stamp(rows, entry->id, VERSIONS_EDITS), article);
	}
	if (question->asked == COUNTS && reply->kind != REPLY_LOST)
		article_read_counts(reply, article);
	article_compute_score(vote_score, article);
	if (question->asked == NOTHING) {
		article->score = entry->score;
		article->post.points =
		    (entry->score - article->post.posted) / vote_score;
	}
	article->post.vote = vote;
	return true;
}

static void
read_recent(struct article_rows *rows, const struct reply *voted)
{
	struct recent *recent = &rows->recent;

	*recent = (struct recent){ .since = clock_monotonic_ms() };
	recent->count = vote_history_read_recent(
	    voted, rows->versions->now, recent->articles);
	read_cache_put_recent(rows->cache, rows->arena,
	    versions_votes_stamp(rows->versions), rows->viewer, recent);
	rows->knows_recent = true;
}

/* Finds recent votes in the cache. */
static bool
get_recent(struct article_rows *rows)
{
	struct recent *recent = &rows->recent;

	rows->knows_recent = read_cache_get_recent(rows->cache, rows->arena,
	    versions_votes_stamp(rows->versions), rows->viewer, recent);
	if (rows->knows_recent &&
	    clock_monotonic_ms() - recent->since >= RECENT_MS)
		recent->count = 0;
	return rows->knows_recent;
}

STORE_CALL
article_rows_load_recent(struct article_rows *rows)
{
	struct pipeline pipeline =
	    pipeline_begin(rows->store->redis, rows->arena);

	if (get_recent(rows))
		return STORE_OK;
	vote_history_ask_recent(&pipeline, rows->viewer);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	read_recent(rows, &pipeline.replies[0]);
	return STORE_OK;
}

STORE_CALL
article_rows_find_recent(struct article_rows *rows)
{
	if (!versions_are_uncached(rows->store))
		return article_rows_load_recent(rows);
	get_recent(rows);
	return STORE_OK;
}

STORE_CALL
article_rows_read(struct article_rows *rows, const struct entry *entries,
    size_t count, struct article *articles, struct stamp *stamps, size_t *got)
{
	struct arena *arena = rows->arena;
	struct pipeline pipeline = pipeline_begin(rows->store->redis, arena);
	struct question *questions = arena_new(arena, struct question, count);
	bool asks_recent = rows->viewer != 0 && !rows->knows_recent;

	for (size_t i = 0; i < count; i++)
		questions[i] =
		    ask_article(rows, &pipeline, entries[i].id, &articles[i]);
	if (asks_recent)
		vote_history_ask_recent(&pipeline, rows->viewer);
	if (store_run_partial(rows->store, &pipeline, &rows->is_partial) !=
	    STORE_OK)
		return STORE_DOWN;
	if (asks_recent)
		read_recent(rows, &pipeline.replies[pipeline.count - 1]);
	*got = 0;
	for (size_t i = 0; i < count; i++) {
		if (!read_article(rows, pipeline.replies, &questions[i],
			&entries[i], &articles[i]))
			continue;
		stamps[*got] =
		    article_stamp(rows, entries[i].id, VERSIONS_EDITS);
		articles[(*got)++] = articles[i];
	}
	return STORE_OK;
}
