#include "lists/article_rows.h"

#include "base/clock.h"
#include "redis/redis.h"

static struct stamp
stamp_of(
    const struct article_rows *details, uint64_t id, enum versions_count count)
{
	return versions_stamp(details->versions,
	    key_bucket_of(&details->store->buckets, id), count);
}

bool
article_rows_is_unsettled(const struct article_rows *details, uint64_t article)
{
	const struct recent *recent = &details->recent;

	/* There may have been more than the list has room for. */
	if (recent->count == VOTED_MAX)
		return true;
	for (size_t i = 0; i < recent->count; i++)
		if (recent->articles[i] == article)
			return true;
	return false;
}

/* What is asked about one article, and where the answers stand. */
struct question {
	enum { ALL, COUNTS, NOTHING } asked;
	bool asks_vote;
	size_t reply, vote_reply;
};

static struct question
ask(const struct article_rows *details, struct pipeline *pipeline, uint64_t id,
    struct article *article)
{
	struct question question = { .reply = pipeline->count };
	struct store *store = details->store;
	enum vote vote = VOTE_NONE;

	if (!read_cache_get_article(details->cache, details->arena,
		stamp_of(details, id, VERSIONS_EDITS), id, article))
		schema_ask(pipeline, &article_schema, SCHEMA_BRIEF,
		    key_post(details->arena, &store->buckets, article_id(id)));
	else
		question.asked =
		    details->by_score && !article_rows_is_unsettled(details, id)
		    ? NOTHING
		    : COUNTS;
	if (question.asked == COUNTS)
		article_ask_counts(pipeline, store, id);
	question.vote_reply = pipeline->count;
	/* Who voted is not recorded any more when voting has closed. */
	question.asks_vote = details->viewer != 0 &&
	    (question.asked == ALL ||
		post_is_open(&article->post, details->versions->now)) &&
	    !read_cache_get_vote(details->cache, details->arena,
		versions_votes_stamp(details->versions), details->viewer,
		article_id(id), &vote);
	if (question.asks_vote)
		post_ask_vote(pipeline, store, article_id(id), details->viewer);
	article->post.vote = vote;
	return question;
}

/* False when the article is not to be shown. */
static bool
take(struct article_rows *details, const struct reply *replies,
    const struct question *question, const struct entry *entry,
    struct article *article)
{
	const struct rules *rules = &details->store->rules;
	const struct reply *reply = &replies[question->reply];
	const struct reply *vote_reply = &replies[question->vote_reply];
	enum vote vote = article->post.vote;

	/* Without its reader's own vote it would say something wrong. */
	if (question->asks_vote && vote_reply->kind == REPLY_LOST)
		return false;
	if (question->asks_vote) {
		vote = post_read_vote(vote_reply);
		if (!article_rows_is_unsettled(details, entry->id))
			read_cache_put_vote(details->cache, details->arena,
			    versions_votes_stamp(details->versions),
			    details->viewer, article_id(entry->id), vote);
	}
	if (question->asked == ALL) {
		*article = (struct article){ .post.id = article_id(entry->id) };
		if (!schema_read(
			&article_schema, SCHEMA_BRIEF, reply, article) ||
		    article->post.removed != 0)
			return false;
		read_cache_put_article(details->cache, details->arena,
		    stamp_of(details, entry->id, VERSIONS_EDITS), article);
	}
	if (question->asked == COUNTS && reply->kind != REPLY_LOST)
		article_read_counts(reply, article);
	article_compute_score(rules, article);
	if (question->asked == NOTHING) {
		article->score = entry->score;
		article->post.points =
		    (entry->score - article->post.posted) / rules->vote_score;
	}
	article->post.vote = vote;
	return true;
}

static void
ask_recent(const struct article_rows *details, struct pipeline *pipeline)
{
	pipeline_add(pipeline, TEXT("LRANGE"),
	    key_voted(details->arena, details->viewer), TEXT("0"),
	    text_number(details->arena, VOTED_MAX - 1));
}

static void
take_recent(struct article_rows *details, const struct reply *voted)
{
	struct recent *recent = &details->recent;

	*recent = (struct recent){ .since = clock_monotonic_ms() };
	for (; recent->count < voted->count && recent->count < VOTED_MAX;
	    recent->count++)
		recent->articles[recent->count] =
		    reply_id(reply_item(voted, recent->count));
	read_cache_put_recent(details->cache, details->arena,
	    versions_votes_stamp(details->versions), details->viewer, recent);
	details->knows_recent = true;
}

/* Whether the worker knows it. */
static bool
recall_recent(struct article_rows *details)
{
	struct recent *recent = &details->recent;

	details->knows_recent = read_cache_get_recent(details->cache,
	    details->arena, versions_votes_stamp(details->versions),
	    details->viewer, recent);
	if (details->knows_recent &&
	    clock_monotonic_ms() - recent->since >= RECENT_MS)
		recent->count = 0;
	return details->knows_recent;
}

STORE_CALL
article_rows_load_recent(struct article_rows *details)
{
	struct pipeline pipeline =
	    pipeline_begin(details->store->redis, details->arena);

	if (recall_recent(details))
		return STORE_OK;
	ask_recent(details, &pipeline);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	take_recent(details, &pipeline.replies[0]);
	return STORE_OK;
}

STORE_CALL
article_rows_find_recent(struct article_rows *details)
{
	if (!versions_are_uncached(details->store))
		return article_rows_load_recent(details);
	recall_recent(details);
	return STORE_OK;
}

STORE_CALL
article_rows_read(struct article_rows *details, const struct entry *entries,
    size_t count, struct article *articles, struct stamp *stamps, size_t *got)
{
	struct arena *arena = details->arena;
	struct pipeline pipeline = pipeline_begin(details->store->redis, arena);
	struct question *questions = arena_new(arena, struct question, count);
	bool asks_recent = details->viewer != 0 && !details->knows_recent;

	for (size_t i = 0; i < count; i++)
		questions[i] =
		    ask(details, &pipeline, entries[i].id, &articles[i]);
	if (asks_recent)
		ask_recent(details, &pipeline);
	if (store_run_partial(
		details->store, &pipeline, &details->is_partial) != STORE_OK)
		return STORE_DOWN;
	if (asks_recent)
		take_recent(details, &pipeline.replies[pipeline.count - 1]);
	*got = 0;
	for (size_t i = 0; i < count; i++) {
		if (!take(details, pipeline.replies, &questions[i], &entries[i],
			&articles[i]))
			continue;
		stamps[*got] = stamp_of(details, entries[i].id, VERSIONS_EDITS);
		articles[(*got)++] = articles[i];
	}
	return STORE_OK;
}
