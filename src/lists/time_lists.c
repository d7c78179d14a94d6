#include "lists/time_lists.h"

#include <stdlib.h>

/* Reads the ids of a list in every bucket. */
static enum store_result
read_ids(struct store *store, struct arena *arena, struct text list,
    const struct reply **ids, bool *is_partial)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (uint64_t b = 0; b < store->buckets.count; b++)
		pipeline_add(&pipeline, TEXT("ZREVRANGE"),
		    key_time(arena, &store->buckets, b, list), TEXT("0"),
		    text_number(arena, TIME_LIST_MAX));
	if (store_run_partial(store, &pipeline, is_partial) != STORE_OK)
		return STORE_DOWN;
	*ids = pipeline.replies;
	return STORE_OK;
}

/* Adds a command for each bucket that has any. */
static void
ask_scores(struct pipeline *pipeline, const struct store *store,
    struct scale scale, const struct reply *ids)
{
	struct text *words =
	    arena_new(pipeline->arena, struct text, 2 + TIME_LIST_MAX);

	words[0] = TEXT("ZMSCORE");
	for (uint64_t b = 0; b < store->buckets.count; b++) {
		size_t count = 2;

		words[1] = scale_key(
		    pipeline->arena, &store->buckets, b, scale, TEXT(""));
		for (size_t i = 0; i < ids[b].count && i < TIME_LIST_MAX; i++)
			words[count++] = reply_text(reply_item(&ids[b], i));
		if (count > 2)
			pipeline_add_words(
			    pipeline, UNREPLICATED, PIPELINE_KEY, words, count);
	}
}

/* Pairs ids with the scores in the replies. Removed articles have none. */
static size_t
read_scores(const struct pipeline *pipeline, const struct store *store,
    const struct reply *ids, struct entry *entries)
{
	const struct reply *scores = pipeline->replies;
	size_t count = 0;

	for (uint64_t b = 0; b < store->buckets.count; b++) {
		for (size_t i = 0; i < ids[b].count && i < TIME_LIST_MAX; i++) {
			const struct reply *score = reply_item(scores, i);

			if (score->kind != REPLY_NIL)
				entries[count++] = (struct entry){
					decode_post_number(
					    reply_text(reply_item(&ids[b], i))),
					reply_number(score)
				};
		}
		if (ids[b].count > 0)
			scores++;
	}
	return count;
}

/* As store_run_partial; STORE_LIMITED for more than one bucket's scores, when too many such reads
 * are under way. */
static enum store_result
run_limited(struct store *store, struct pipeline *pipeline, size_t total,
    size_t *expensive, bool *is_partial)
{
	bool is_limited = store->buckets.count > 1 && total > TIME_LIST_MAX;
	enum store_result result;

	if (is_limited && !merge_begin_expensive(expensive))
		return STORE_LIMITED;
	result = store_run_partial(store, pipeline, is_partial);
	if (is_limited)
		merge_end_expensive(expensive);
	return result;
}

STORE_CALL
time_list_read(struct store *store, struct arena *arena, struct text list,
    struct scale scale, enum merge_direction direction, size_t *expensive,
    uint64_t start, uint64_t count, struct order *order)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	enum store_result result;
	struct entry *all;
	const struct reply *ids;
	size_t total = 0;

	if (read_ids(store, arena, list, &ids, &order->is_partial) != STORE_OK)
		return STORE_DOWN;
	for (uint64_t b = 0; b < store->buckets.count; b++) {
		order->search_ended =
		    order->search_ended || ids[b].count > TIME_LIST_MAX;
		total += ids[b].count;
	}
	ask_scores(&pipeline, store, scale, ids);
	result =
	    run_limited(store, &pipeline, total, expensive, &order->is_partial);
	if (result != STORE_OK)
		return result;
	all = arena_new(arena, struct entry, total);
	total = read_scores(&pipeline, store, ids, all);
	if (total > 0)
		qsort(all, total, sizeof(*all), merge_compare);
	while (order->count < count && start + order->count < total) {
		uint64_t place = start + order->count;

		order->entries[order->count++] =
		    all[direction == MERGE_HIGH_TO_LOW ? place
						       : total - 1 - place];
	}
	return STORE_OK;
}
