#include "lists/front.h"

#include <stdlib.h>

#include "lists/list_sources.h"
#include "lists/merge.h"
#include "store/post.h"

/*
 * Where the places of a page come from, for the example of front.h:
 *
 *	by score   A B C | P D E F Q G H	cut: rank 3
 *	lifted           | P       Q
 *	front      A B C   P Q | D E F G H
 *	           \_________/   \_______/
 *	            read_top     read_rest
 *
 * 1. The first pinned_places - pinned_articles places are those of the order by score,
 *    whatever is pinned: a page within them is one merge, without read_top.
 * 2. read_top fills the pinned places with the pinned articles and the best others. The cut
 *    is the rank by score after the last of these others. The pinned articles below the cut
 *    are the lifted ones.
 * 3. read_rest reads the order by score from the cut on, without the lifted ones. The entry
 *    at place i of the rest has rank cut + i by score, plus the number of lifted articles
 *    above it. So it reads from rank cut + start, and skips one entry for each lifted article
 *    above that rank.
 */

/* Pinned articles with their scores, from high to low. */
struct pinned {
	struct entry *entries;
	size_t count;
};

struct top {
	struct entry *entries; /* of the pinned places */
	size_t count;
	uint64_t cut; /* a rank by score */
	struct pinned lifted;
	bool is_full; /* more may follow */
};

static void
sort_by_score(struct entry *entries, size_t count)
{
	if (count > 0)
		qsort(entries, count, sizeof(*entries), merge_compare);
}

/* Reads all articles by score, or those that became interesting by time, newest first. */
static enum store_result
read_list(const struct article_rows *rows, enum list_kind kind, uint64_t start,
    uint64_t count, struct order *order, bool *is_partial)
{
	const struct list_query query = { .kind = kind, .order = ORDER_TOP };
	enum store_result result;

	*order = (struct order){ .entries = arena_new(
				     rows->arena, struct entry, count) };
	result = list_sources_read(rows, &query, start, count, order);
	*is_partial = *is_partial || order->is_partial;
	return result;
}

/* Adds a command for each bucket that has pinned articles. */
static void
ask_scores(struct pipeline *pipeline, const struct article_rows *rows,
    const struct order *newest)
{
	const struct store *store = rows->store;
	uint64_t buckets = store->buckets.count;
	struct text *words =
	    arena_new(pipeline->arena, struct text, 2 + newest->count);

	for (uint64_t b = 0; b < buckets; b++) {
		size_t count = 0;

		words[count++] = TEXT("ZMSCORE");
		words[count++] = scale_key(pipeline->arena, &store->buckets, b,
		    rows->versions->scale, TEXT(""));
		for (size_t i = 0; i < newest->count; i++)
			if (newest->entries[i].id % buckets == b)
				words[count++] = encode_post(pipeline->arena,
				    post_id_from_number(newest->entries[i].id));
		if (count > 2)
			pipeline_add_words(
			    pipeline, UNREPLICATED, PIPELINE_KEY, words, count);
	}
}

/* Pairs the articles with the scores in the replies. Removed articles have none. */
static struct pinned
read_scores(const struct pipeline *pipeline, const struct store *store,
    const struct order *newest)
{
	uint64_t buckets = store->buckets.count;
	const struct reply *reply = pipeline->replies;
	struct pinned pinned = { .entries = arena_new(pipeline->arena,
				     struct entry, newest->count) };

	for (uint64_t b = 0; b < buckets; b++) {
		size_t asked = 0;

		for (size_t i = 0; i < newest->count; i++) {
			uint64_t id = newest->entries[i].id;
			const struct reply *score;

			if (id % buckets != b)
				continue;
			score = reply_item(reply, asked++);
			if (score->kind != REPLY_NIL)
				pinned.entries[pinned.count++] =
				    (struct entry){ id, reply_number(score) };
		}
		if (asked > 0)
			reply++;
	}
	sort_by_score(pinned.entries, pinned.count);
	return pinned;
}

/* Drops the articles that became interesting too long ago; the newest are first. */
static void
drop_expired(const struct article_rows *rows, struct order *newest)
{
	int64_t since = rows->versions->now - rows->store->rules.pinned_seconds;
	size_t count = 0;

	while (count < newest->count && newest->entries[count].score > since)
		count++;
	newest->count = count;
}

static enum store_result
read_pinned(
    const struct article_rows *rows, struct pinned *pinned, bool *is_partial)
{
	struct store *store = rows->store;
	struct pipeline pipeline = pipeline_begin(store->redis, rows->arena);
	bool is_lost = false;
	struct order newest;

	if (read_list(rows, LIST_INTERESTING, 0,
		(uint64_t)store->rules.pinned_articles, &newest,
		is_partial) != STORE_OK)
		return STORE_DOWN;
	drop_expired(rows, &newest);
	ask_scores(&pipeline, rows, &newest);
	if (store_run_partial(store, &pipeline, &is_lost) != STORE_OK)
		return STORE_DOWN;
	*is_partial = *is_partial || is_lost;
	*pinned = read_scores(&pipeline, store, &newest);
	return STORE_OK;
}

/* The number of pinned articles above an entry by score. */
static size_t
count_above(const struct pinned *pinned, const struct entry *entry)
{
	size_t above = 0;

	while (above < pinned->count &&
	    merge_compare(&pinned->entries[above], entry) < 0)
		above++;
	return above;
}

static bool
is_pinned(const struct pinned *pinned, uint64_t id)
{
	for (size_t i = 0; i < pinned->count; i++)
		if (pinned->entries[i].id == id)
			return true;
	return false;
}

static enum store_result
read_top(const struct article_rows *rows, struct top *top, bool *is_partial)
{
	size_t places = (size_t)rows->store->rules.pinned_places, others;
	size_t above = 0;
	struct pinned pinned;
	struct order plain;

	if (read_pinned(rows, &pinned, is_partial) != STORE_OK ||
	    read_list(rows, LIST_FRONT, 0, places, &plain, is_partial) !=
		STORE_OK)
		return STORE_DOWN;
	*top = (struct top){ .entries =
				 arena_new(rows->arena, struct entry, places) };
	others = places - pinned.count;
	for (size_t i = 0; i < pinned.count; i++)
		top->entries[top->count++] = pinned.entries[i];
	for (size_t i = 0; i < plain.count && others > 0; i++) {
		if (is_pinned(&pinned, plain.entries[i].id))
			continue;
		top->entries[top->count++] = plain.entries[i];
		top->cut = i + 1;
		others--;
	}
	top->is_full = others == 0;
	sort_by_score(top->entries, top->count);
	if (top->cut > 0)
		above = count_above(&pinned, &plain.entries[top->cut - 1]);
	top->lifted =
	    (struct pinned){ pinned.entries + above, pinned.count - above };
	return STORE_OK;
}

/* Adds the entries at start to start + count of the rest to an order. */
static enum store_result
read_rest(const struct article_rows *rows, const struct top *top,
    uint64_t start, uint64_t count, struct order *order)
{
	struct order plain;
	size_t skip, added = 0;
	enum store_result result = read_list(rows, LIST_FRONT, top->cut + start,
	    count + top->lifted.count, &plain, &order->is_partial);

	if (result != STORE_OK || plain.count == 0)
		return result;
	skip = count_above(&top->lifted, &plain.entries[0]);
	for (size_t i = 0; i < plain.count && added < count; i++) {
		if (is_pinned(&top->lifted, plain.entries[i].id))
			continue;
		if (skip > 0) {
			skip--;
			continue;
		}
		order->entries[order->count++] = plain.entries[i];
		added++;
	}
	return STORE_OK;
}

STORE_CALL
front_read(const struct article_rows *rows, uint64_t start, uint64_t count,
    struct order *order)
{
	const struct rules *rules = &rows->store->rules;
	const struct list_query by_score = { .kind = LIST_FRONT };
	uint64_t plain_places =
	    (uint64_t)(rules->pinned_places - rules->pinned_articles);
	struct top top;

	if (start + count <= plain_places)
		return list_sources_read(rows, &by_score, start, count, order);
	if (read_top(rows, &top, &order->is_partial) != STORE_OK)
		return STORE_DOWN;
	while (order->count < count && start + order->count < top.count) {
		order->entries[order->count] =
		    top.entries[start + order->count];
		order->count++;
	}
	if (order->count == count || !top.is_full)
		return STORE_OK;
	start = start > top.count ? start - top.count : 0;
	return read_rest(rows, &top, start, count - order->count, order);
}
