#include "lists/front.h"

#include <stdlib.h>

#include "redis/redis.h"
#include "store/call.h"
#include "store/keys.h"

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

void
front_ask(struct store *store, struct arena *arena, struct pipeline *holders)
{
	const struct rules *rules = &store->rules;

	*holders = pipeline_begin(store->redis, arena);
	if (rules->promise_articles > 0)
		pipeline_add_time(
		    holders, key_interesting(arena, &store->buckets, 0));
	for (uint64_t b = 0; b < store->buckets.count && holders->count > 0;
	    b++)
		pipeline_add(holders, TEXT("ZREVRANGE"),
		    key_interesting(arena, &store->buckets, b), TEXT("0"),
		    text_number(arena, rules->promise_articles - 1),
		    TEXT("WITHSCORES"));
	redis_send(holders);
}

STORE_CALL
front_wait(struct pipeline *holders)
{
	return redis_wait(holders) ? STORE_OK : STORE_DOWN;
}

/* Those whose promise holds, the newest first: ids with their moments. */
static void
read_holders(const struct store *store, const struct pipeline *holders,
    struct promise *promise)
{
	const struct rules *rules = &store->rules;
	int64_t since;

	*promise = (struct promise){ .count = 0 };
	if (holders->count == 0)
		return;
	since = reply_seconds(&holders->replies[0]) - rules->promise_seconds;
	promise->entries = arena_new(holders->arena, struct entry,
	    store->buckets.count * (uint64_t)rules->promise_articles);
	for (uint64_t b = 0; b < store->buckets.count; b++) {
		struct entry *entries;
		size_t count = merge_entries(&holders->replies[1 + b],
		    (size_t)rules->promise_articles, holders->arena, &entries);

		for (size_t i = 0; i < count; i++)
			if (entries[i].score > since)
				promise->entries[promise->count++] = entries[i];
	}
	promise->count = sort_and_cut(
	    promise->entries, promise->count, rules->promise_articles);
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
				words[count++] = key_member(
				    pipeline->arena, promise->entries[i].id);
		if (count > 2)
			pipeline_add_words(
			    pipeline, UNPROTECTED, PIPELINE_KEY, words, count);
	}
}

/* From the replies, in place of the moments. */
static void
take_scores(const struct pipeline *pipeline, const struct store *store,
    struct promise *promise)
{
	uint64_t buckets = store->buckets.count;
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
	*promise = (struct promise){ scored, count };
}

static enum store_result
read_promise(struct store *store, const struct pipeline *holders,
    struct promise *promise)
{
	struct pipeline pipeline = pipeline_begin(store->redis, holders->arena);

	read_holders(store, holders, promise);
	ask_scores(&pipeline, store, promise);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	take_scores(&pipeline, store, promise);
	promise->count = sort_and_cut(
	    promise->entries, promise->count, store->rules.promise_articles);
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
read_plain(struct store *store, struct arena *arena, uint64_t start,
    uint64_t count, struct entry *entries, size_t *got)
{
	uint64_t buckets = store->buckets.count;
	struct merge merge = { .store = store,
		.arena = arena,
		.streams = arena_new(arena, struct stream, buckets),
		.count = buckets };

	for (uint64_t b = 0; b < buckets; b++)
		merge.streams[b].key =
		    key_score(arena, &store->buckets, b, TEXT(""));
	return merge_read(&merge, start, count, entries, got);
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
read_top(struct store *store, struct arena *arena, struct top *top)
{
	size_t places = (size_t)store->rules.promise_places, got, others;
	size_t above = 0;
	struct entry *plain = arena_new(arena, struct entry, places);
	struct pipeline holders;
	struct promise promise;
	enum store_result result;

	front_ask(store, arena, &holders);
	result = front_wait(&holders);
	if (result == STORE_OK)
		result = read_promise(store, &holders, &promise);
	if (result == STORE_OK)
		result = read_plain(store, arena, 0, places, plain, &got);
	if (result != STORE_OK)
		return result;
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
read_rest(struct store *store, struct arena *arena, const struct top *top,
    uint64_t start, uint64_t count, struct entry *entries, size_t *got)
{
	uint64_t size = count + top->lifted.count;
	struct entry *plain = arena_new(arena, struct entry, size);
	size_t read, skip;
	enum store_result result =
	    read_plain(store, arena, top->cut + start, size, plain, &read);

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
front_read(struct store *store, struct arena *arena, uint64_t start,
    uint64_t count, struct entry *entries, size_t *got)
{
	uint64_t plain_places = (uint64_t)(store->rules.promise_places -
	    store->rules.promise_articles);
	enum store_result result;
	struct top top;
	size_t more;

	/* So far down even all promised ones at the end would change
	 * nothing. */
	if (start + count <= plain_places)
		return read_plain(store, arena, start, count, entries, got);
	result = read_top(store, arena, &top);
	if (result != STORE_OK)
		return result;
	for (*got = 0; start + *got < top.count && *got < count; ++*got)
		entries[*got] = top.entries[start + *got];
	if (*got == count || !top.rest)
		return STORE_OK;
	start = start > top.count ? start - top.count : 0;
	result = read_rest(
	    store, arena, &top, start, count - *got, entries + *got, &more);
	*got += more;
	return result;
}

/* How many stand above by score shares the round trip of the promise. */
STORE_CALL
front_place(struct store *store, struct arena *arena,
    const struct pipeline *holders, const struct article *article,
    uint64_t *place)
{
	struct entry entry = { article->post.id.article, article->score };
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct promise promise;
	enum store_result result;
	uint64_t above, others, before = 0;

	for (uint64_t b = 0; b < store->buckets.count; b++) {
		struct call call = call_begin(arena, CALL_READS, "rank_1",
		    key_score(arena, &store->buckets, b, TEXT("")));

		call_add_number(&call, entry.score);
		call_add(&call, key_member(arena, entry.id));
		call_send(&call, &pipeline);
	}
	redis_send(&pipeline);
	result = read_promise(store, holders, &promise);
	if (!redis_wait(&pipeline) || result != STORE_OK)
		return STORE_DOWN;
	above = promised_above(&promise, &entry);
	for (size_t i = 0; i < pipeline.count; i++)
		before += (uint64_t)reply_number(&pipeline.replies[i]);
	before -= above;
	others = (uint64_t)store->rules.promise_places - promise.count;
	/* At most that many others come before the last promised. */
	if (is_promised(&promise, entry.id))
		*place = 1 + above + (before < others ? before : others);
	else
		*place = 1 + before + (before < others ? above : promise.count);
	return STORE_OK;
}
