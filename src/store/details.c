#include "store/details.h"

#include "store/cache.h"
#include "store/fields.h"
#include "store/keys.h"
#include "store/reply.h"

void
details_begin(
    struct details *details, struct store *store, struct arena *arena)
{
	*details = (struct details){ .store = store,
		.arena = arena,
		.watch = redis_pipeline(store->redis, arena) };
	redis_add(&details->watch, TEXT("TIME"));
	for (uint64_t b = 0; b < store->rules.buckets; b++)
		redis_add(&details->watch, TEXT("GET"), key_edits(arena, b));
	redis_send(&details->watch);
}

static bool
end_watch(struct details *details, int64_t *now)
{
	const struct reply *replies;

	if (!redis_wait(&details->watch))
		return false;
	replies = details->watch.replies;
	*now = reply_seconds(&replies[0]);
	for (uint64_t b = 0; b < details->store->rules.buckets; b++)
		cache_follow(details->store->cache, b,
		    reply_number(&replies[1 + b]));
	return true;
}

/* What is asked about one article, and where the answers stand. */
struct question {
	bool kept;	    /* in the cache */
	size_t article, vote; /* numbers of the replies */
	bool asks_counts, asks_vote;
};

static void
ask(struct details *details, struct pipeline *pipeline,
    const struct article *article, enum details_order order, int64_t now,
    uint64_t viewer, struct question *question)
{
	question->article = pipeline->count;
	question->asks_counts = question->kept && order == DETAILS_BY_TIME;
	if (!question->kept)
		fields_ask(pipeline, details->store, article->id);
	else if (question->asks_counts)
		fields_ask_counts(pipeline, details->store, article->id);
	question->vote = pipeline->count;
	/* Who voted is not recorded any more when voting has closed. */
	question->asks_vote =
	    viewer != 0 && (!question->kept || now < article->closes);
	if (question->asks_vote)
		fields_ask_vote(
		    pipeline, details->store, article->id, viewer);
}

/* False when the article is not to be shown. */
static bool
answer(struct details *details, const struct reply *replies,
    const struct question *question, const struct entry *entry,
    struct article *article)
{
	const struct store *store = details->store;

	if (!question->kept) {
		if (!fields_read(store, &replies[question->article], entry->id,
		        article) ||
		    article->removed != 0)
			return false;
		cache_keep(store->cache, article);
	} else if (question->asks_counts) {
		fields_read_counts(
		    store, &replies[question->article], article);
	} else {
		article->score = entry->score;
		article->points = (entry->score - article->posted) /
		    store->rules.vote_score;
	}
	if (question->asks_vote)
		article->vote = fields_read_vote(&replies[question->vote]);
	return true;
}

STORE_CALL
details_read(struct details *details, const struct entry *entries, size_t count,
    enum details_order order, uint64_t viewer, struct list *list)
{
	struct arena *arena = details->arena;
	struct pipeline pipeline =
	    redis_pipeline(details->store->redis, arena);
	struct question *questions = arena_new(arena, struct question, count);
	struct article *articles = arena_new(arena, struct article, count);

	if (!end_watch(details, &list->now))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++) {
		questions[i].kept = cache_find(details->store->cache, arena,
		    entries[i].id, &articles[i]);
		articles[i].id = entries[i].id;
		ask(details, &pipeline, &articles[i], order, list->now, viewer,
		    &questions[i]);
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	list->articles = articles;
	for (size_t i = 0; i < count; i++)
		if (answer(details, pipeline.replies, &questions[i],
		        &entries[i], &articles[i]))
			articles[list->count++] = articles[i];
	return STORE_OK;
}
