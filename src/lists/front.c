#include "lists/front.h"

#include <stdlib.h>

#include "redis/redis.h"
#include "store/post.h"

/* The articles that hold a promise, sorted by score from high to low. */
struct promise {
	struct entry *entries;
	size_t count;
};

static size_t
sort_and_cut(struct entry *entries, size_t count, int64_t max)
{
	if (count > 0)
		qsort(entries, count, sizeof(*entries), merge_compare);
	return count > (size_t)max ? (size_t)max : count;
}

/* Those whose promise holds, the newest first: ids with their moments. */
static enum store_result
read_holders(struct merge *merge, struct promise *promise)
{
	const struct store *store = merge->store;
	int64_t since = merge->versions->now - store->rules.pinned_seconds;
	size_t count = (size_t)store->rules.pinned_articles, held = 0;

	*promise = (struct promise){ .entries = arena_new(
					 merge->arena, struct entry, count) };
	if (merge_read(merge, 0, count, promise->entries, &promise->count) !=
	    STORE_OK)
		return STORE_DOWN;
	while (held < promise->count && promise->entries[held].score > since)
		held++;
	promise->count = held;
	return STORE_OK;
}

/* Adds a command for each bucket of the promised articles. */
static void
ask_scores(struct pipeline *pipeline, const struct store *store,
    const struct promise *promise)
{
	uint64_t buckets = store->buckets.count;
	struct text *words =
	    arena_new(pipeline->arena, struct text, 2 + promise->count);

	for (uint64_t b = 0; b < buckets; b++) {
		size_t count = 0;

		words[count++] = TEXT("ZMSCORE");
		words[count++] =
		    key_score(pipeline->arena, &store->buckets, b, TEXT(""));
		for (size_t i = 0; i < promise->count; i++)
			if (promise->entries[i].id % buckets == b)
				words[count++] = encode_post(pipeline->arena,
				    post_id_from_number(
					promise->entries[i].id));
		if (count > 2)
			pipeline_add_words(
			    pipeline, UNREPLICATED, PIPELINE_KEY, words, count);
	}
}

/* From the replies, in place of the moments, from high to low. */
static void
take_scores(const struct front *front, const struct pipeline *pipeline,
    struct promise *promise)
{
	uint64_t buckets = front->store->buckets.count;
	const struct reply *reply = pipeline->replies;
	struct entry *scored =
	    arena_new(pipeline->arena, struct entry, promise->count);
	size_t count = 0;

	for (uint64_t b = 0; b < buckets; b++) {
		size_t asked = 0;

		for (size_t i = 0; i < promise->count; i++) {
			uint64_t id = promise->entries[i].id;
			const struct reply *score;

			if (id % buckets != b)
				continue;
			score = reply_item(reply, asked++);
			if (score->kind != REPLY_NIL) /* removed meanwhile */
				scored[count++] =
				    (struct entry){ id, reply_number(score) };
		}
		if (asked > 0)
			reply++;
	}
	if (count > 0)
		qsort(scored, count, sizeof(*scored), merge_compare);
	*promise = (struct promise){ scored, count };
}

/* A merge of one sorted set of each bucket, by the function that names it. */
static struct merge
merge_of(const struct front *front,
    struct text (*key)(
	struct arena *arena, const struct buckets *buckets, uint64_t bucket))
{
	const struct buckets *buckets = &front->store->buckets;
	struct merge merge = { .store = front->store,
		.arena = front->arena,
		.versions = front->versions,
		.cache = front->cache,
		.streams =
		    arena_new(front->arena, struct stream, buckets->count),
		.count = buckets->count };

	for (uint64_t b = 0; b < buckets->count; b++) {
		merge.streams[b].key = key(front->arena, buckets, b);
		merge.streams[b].bucket = b;
	}
	return merge;
}

static struct text
key_of_scores(
    struct arena *arena, const struct buckets *buckets, uint64_t bucket)
{
	return key_score(arena, buckets, bucket, TEXT(""));
}

static enum store_result
read_promise(struct front *front, struct promise *promise)
{
	struct merge merge = merge_of(front, key_interesting);
	struct pipeline pipeline =
	    pipeline_begin(front->store->redis, front->arena);

	if (read_holders(&merge, promise) != STORE_OK)
		return STORE_DOWN;
	ask_scores(&pipeline, front->store, promise);
	if (store_run_partial(front->store, &pipeline, &merge.is_partial) !=
	    STORE_OK)
		return STORE_DOWN;
	front->is_partial = front->is_partial || merge.is_partial;
	take_scores(front, &pipeline, promise);
	return STORE_OK;
}

/* How many promised articles stand above entry by score. */
static size_t
promised_above(const struct promise *promise, const struct entry *entry)
{
	size_t above = 0;

	while (above < promise->count &&
	    merge_compare(&promise->entries[above], entry) < 0)
		above++;
	return above;
}

static bool
is_promised(const struct promise *promise, uint64_t id)
{
	for (size_t i = 0; i < promise->count; i++)
		if (promise->entries[i].id == id)
			return true;
	return false;
}

/* All articles by score. */
static enum store_result
read_plain(struct front *front, uint64_t start, uint64_t count,
    struct entry *entries, size_t *got)
{
	struct merge merge = merge_of(front, key_of_scores);
	enum store_result result =
	    merge_read(&merge, start, count, entries, got);

	front->is_partial = front->is_partial || merge.is_partial;
	return result;
}

/* The promised places, and where the plain order goes on after them. */
struct top {
	struct entry *entries;
	size_t count;
	uint64_t cut; /* rank of the first entry after the last other */
	struct promise lifted; /* the promised that stand below cut by score */
	bool rest;	       /* whether anything may follow */
};

static enum store_result
read_top(struct front *front, struct top *top)
{
	struct arena *arena = front->arena;
	size_t places = (size_t)front->store->rules.pinned_places, got, others;
	size_t above = 0;
	struct entry *plain = arena_new(arena, struct entry, places);
	struct promise promise;

	if (read_promise(front, &promise) != STORE_OK ||
	    read_plain(front, 0, places, plain, &got) != STORE_OK)
		return STORE_DOWN;
	*top =
	    (struct top){ .entries = arena_new(arena, struct entry, places) };
	others = places - promise.count;
	for (size_t i = 0; i < promise.count; i++)
		top->entries[top->count++] = promise.entries[i];
	for (size_t i = 0; i < got && others > 0; i++) {
		if (is_promised(&promise, plain[i].id))
			continue;
		top->entries[top->count++] = plain[i];
		top->cut = i + 1;
		others--;
	}
	top->rest = others == 0;
	top->count = sort_and_cut(top->entries, top->count, (int64_t)places);
	if (top->cut > 0)
		above = promised_above(&promise, &plain[top->cut - 1]);
	top->lifted =
	    (struct promise){ promise.entries + above, promise.count - above };
	return STORE_OK;
}

/*
 * The entries at start of what follows the promised places: the plain order
 * below the cut without the lifted ones. Read from rank cut + start on: so far
 * as lifted ones stand above that rank, it is too early by their number.
 */
static enum store_result
read_rest(struct front *front, const struct top *top, uint64_t start,
    uint64_t count, struct entry *entries, size_t *got)
{
	uint64_t size = count + top->lifted.count;
	struct entry *plain = arena_new(front->arena, struct entry, size);
	size_t read, skip;
	enum store_result result =
	    read_plain(front, top->cut + start, size, plain, &read);

	*got = 0;
	if (result != STORE_OK || read == 0)
		return result;
	skip = promised_above(&top->lifted, &plain[0]);
	for (size_t i = 0; i < read && *got < count; i++) {
		if (is_promised(&top->lifted, plain[i].id))
			continue;
		if (skip > 0)
			skip--;
		else
			entries[(*got)++] = plain[i];
	}
	return STORE_OK;
}

STORE_CALL
front_read(struct front *front, uint64_t start, uint64_t count,
    struct entry *entries, size_t *got)
{
	const struct rules *rules = &front->store->rules;
	uint64_t plain_places =
	    (uint64_t)(rules->pinned_places - rules->pinned_articles);
	enum store_result result;
	struct top top;
	size_t more;

	/* So far down even all promised ones at the end would change
	 * nothing. */
	if (start + count <= plain_places)
		return read_plain(front, start, count, entries, got);
	result = read_top(front, &top);
	if (result != STORE_OK)
		return result;
	for (*got = 0; start + *got < top.count && *got < count; ++*got)
		entries[*got] = top.entries[start + *got];
	if (*got == count || !top.rest)
		return STORE_OK;
	start = start > top.count ? start - top.count : 0;
	result =
	    read_rest(front, &top, start, count - *got, entries + *got, &more);
	*got += more;
	return result;
}
