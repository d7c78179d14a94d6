#include "lists/details.h"

#include "lists/cache.h"
#include "redis/reply.h"
#include "store/fields.h"
#include "store/keys.h"

static int64_t
edits(const struct details *details, uint64_t id)
{
	return versions_edits(
	    &details->versions, id % details->store->rules.buckets);
}

static int64_t
votes_version(const struct details *details, uint64_t id)
{
	return versions_votes(
	    &details->versions, id % details->store->rules.buckets);
}

/* What is asked about one article, and where the answers stand. */
struct question {
	enum { ALL, COUNTS, NOTHING } asked;
	bool asks_vote;
	size_t reply, vote_reply;
};

static struct question
ask(struct details *details, struct pipeline *pipeline, uint64_t id,
    enum details_order order, struct article *article)
{
	struct question question = { .reply = pipeline->count };
	struct store *store = details->store;
	enum vote vote = VOTE_NONE;

	if (!cache_find(store->cache, details->arena, id, article))
		fields_ask(pipeline, store, id);
	else if (order == DETAILS_BY_TIME)
		question.asked = COUNTS;
	else
		question.asked = NOTHING;
	if (question.asked == COUNTS)
		fields_ask_counts(pipeline, store, id);
	question.vote_reply = pipeline->count;
	/* Who voted is not recorded any more when voting has closed. */
	question.asks_vote = details->viewer != 0 &&
	    (question.asked == ALL ||
		details->versions.now < article->closes) &&
	    !cache_find_vote(store->cache, details->viewer, id,
		votes_version(details, id), &vote);
	if (question.asks_vote)
		fields_ask_vote(pipeline, store, id, details->viewer);
	article->vote = details->viewer != 0 ? vote : VOTE_NONE;
	return question;
}

/* False when the article is not to be shown. */
static bool
answer(struct details *details, const struct reply *replies,
    const struct question *question, const struct entry *entry,
    struct article *article)
{
	struct store *store = details->store;
	const struct reply *reply = &replies[question->reply];
	enum vote vote = article->vote;

	if (question->asks_vote) {
		vote = fields_read_vote(&replies[question->vote_reply]);
		cache_keep_vote(store->cache, details->viewer, entry->id,
		    votes_version(details, entry->id), vote);
	}
	switch (question->asked) {
	case ALL:
		if (!fields_read(store, reply, entry->id, article) ||
		    article->removed != 0)
			return false;
		cache_keep(store->cache, article);
		break;
	case COUNTS:
		fields_read_counts(store, reply, article);
		break;
	case NOTHING:
		article->score = entry->score;
		article->points =
		    (entry->score - article->posted) / store->rules.vote_score;
		break;
	}
	article->vote = vote;
	article->edits = edits(details, entry->id);
	return true;
}

STORE_CALL
details_read(struct details *details, const struct entry *entries, size_t count,
    enum details_order order, struct list *list)
{
	struct arena *arena = details->arena;
	struct pipeline pipeline = pipeline_begin(details->store->redis, arena);
	struct question *questions = arena_new(arena, struct question, count);
	struct article *articles = arena_new(arena, struct article, count);

	for (size_t i = 0; i < count; i++)
		questions[i] =
		    ask(details, &pipeline, entries[i].id, order, &articles[i]);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	list->articles = articles;
	for (size_t i = 0; i < count; i++)
		if (answer(details, pipeline.replies, &questions[i],
			&entries[i], &articles[i]))
			articles[list->count++] = articles[i];
	return STORE_OK;
}
