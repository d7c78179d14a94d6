#include "lists/overlooked.h"

#include <stdlib.h>

#include "base/sort.h"
#include "lists/article_rows.h"
#include "lists/hidden.h"
#include "redis/redis.h"
#include "store/encoding.h"
#include "store/newcomer.h"

enum { MINUTE = 60, FIRST_PLACE = 10, PLACES = 10 };

struct candidate {
	uint64_t id, author;
	uint64_t hash; /* of the article, and then of its author */
};

/* The output function of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
 * generators", 2014). */
uint64_t
overlooked_hash(int64_t minute, uint64_t id)
{
	uint64_t z = (uint64_t)minute * UINT64_C(0x9e3779b97f4a7c15) + id;

	z += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* Reads authors and votes, and drops articles with many of these, and that are removed. */
static enum store_result
read_candidates(struct store *store, struct arena *arena, int64_t minute,
    const struct entry *entries, size_t count, struct candidate *candidates,
    size_t *got)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	bool is_partial;

	for (size_t i = 0; i < count; i++)
		pipeline_add(&pipeline, TEXT("HMGET"),
		    key_post(arena, &store->buckets, article_id(entries[i].id)),
		    TEXT("author"), TEXT("up"), TEXT("down"), TEXT("removed"));
	if (store_run_partial(store, &pipeline, &is_partial) != STORE_OK)
		return STORE_DOWN;
	*got = 0;
	for (size_t i = 0; i < count; i++) {
		const struct reply *reply = &pipeline.replies[i];
		struct text member = reply_text(reply_item(reply, 0)), author;
		struct candidate candidate = { .id = entries[i].id,
			.hash = overlooked_hash(minute, entries[i].id) };

		text_cut(&member, ' ', &author);
		if (text_to_u64(author, &candidate.author) &&
		    reply_number(reply_item(reply, 1)) +
			    reply_number(reply_item(reply, 2)) <=
			OVERLOOKED_VOTES &&
		    reply_item(reply, 3)->kind == REPLY_NIL)
			candidates[(*got)++] = candidate;
	}
	return STORE_OK;
}

static int
compare_of_author(const void *a, const void *b)
{
	const struct candidate *one = a, *other = b;
	int order = sort_compare(one->author, other->author);

	return order != 0 ? order : sort_compare(one->hash, other->hash);
}

static int
compare_hashes(const void *a, const void *b)
{
	return sort_compare(((const struct candidate *)a)->hash,
	    ((const struct candidate *)b)->hash);
}

/* Leaves one of each author, in order of the hashes of authors. */
static size_t
keep_one_an_author(struct candidate *candidates, size_t count, int64_t minute)
{
	size_t left = 0;

	if (count == 0)
		return 0;
	qsort(candidates, count, sizeof(*candidates), compare_of_author);
	for (size_t i = 0; i < count; i++)
		if (left == 0 ||
		    candidates[left - 1].author != candidates[i].author)
			candidates[left++] = candidates[i];
	for (size_t i = 0; i < left; i++)
		candidates[i].hash =
		    overlooked_hash(minute, candidates[i].author);
	qsort(candidates, left, sizeof(*candidates), compare_hashes);
	return left;
}

/* Adds those that are not in the queue, and not by new members. */
static enum store_result
examine(struct store *store, struct arena *arena,
    const struct candidate *candidates, size_t count, struct order *choices)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	const struct reply *replies;
	bool is_partial;

	if (count > OVERLOOKED_EXAMINED)
		count = OVERLOOKED_EXAMINED;
	for (size_t i = 0; i < count; i++) {
		uint64_t id = candidates[i].id;

		pipeline_add(&pipeline, TEXT("ZSCORE"),
		    key_queue(arena, &store->buckets,
			key_bucket_of(&store->buckets, id)),
		    encode_post(arena, article_id(id)));
		schema_ask(&pipeline, &user_schema, SCHEMA_WHOLE,
		    key_user(arena, candidates[i].author));
	}
	if (store_run_partial(store, &pipeline, &is_partial) != STORE_OK)
		return STORE_DOWN;
	replies = pipeline.replies;
	for (size_t i = 0; i < count && choices->count < OVERLOOKED_CHOICES;
	    i++) {
		struct user author = { .role = ROLE_MEMBER };

		if (replies[2 * i].kind == REPLY_NIL &&
		    schema_read(&user_schema, SCHEMA_WHOLE, &replies[2 * i + 1],
			&author) &&
		    !newcomer_is(&author))
			choices->entries[choices->count++] =
			    (struct entry){ candidates[i].id, 0 };
	}
	return STORE_OK;
}

/* Those that were posted in the two days before a minute. */
static void
cut_entries(struct order *newest, int64_t minute)
{
	int64_t end = minute * MINUTE;
	size_t start = 0, count = newest->count;

	while (start < count && newest->entries[start].score >= end)
		start++;
	while (count > start &&
	    newest->entries[count - 1].score < end - OVERLOOKED_SECONDS)
		count--;
	newest->entries += start;
	newest->count = count - start;
}

/* Articles that have their second chance, in order of their hashes. */
static enum store_result
add_second_chances(struct store *store, struct arena *arena, int64_t now,
    struct order *choices)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct candidate *candidates;
	size_t count = 0;
	bool is_partial;

	for (uint64_t b = 0; b < store->buckets.count; b++)
		pipeline_add(&pipeline, TEXT("ZRANGE"),
		    key_again(arena, &store->buckets, b),
		    text_number(arena, now - ARTICLE_AGAIN_SECONDS + 1),
		    TEXT("+inf"), TEXT("BYSCORE"), TEXT("LIMIT"), TEXT("0"),
		    text_number(arena, OVERLOOKED_CHOICES));
	if (store_run_partial(store, &pipeline, &is_partial) != STORE_OK)
		return STORE_DOWN;
	candidates = arena_new(
	    arena, struct candidate, pipeline.count * OVERLOOKED_CHOICES);
	for (size_t i = 0; i < pipeline.count; i++)
		for (size_t m = 0; m < pipeline.replies[i].count; m++) {
			uint64_t id = decode_post(
			    reply_text(reply_item(&pipeline.replies[i], m)))
					  .article;

			candidates[count++] = (struct candidate){ .id = id,
				.hash = overlooked_hash(now / MINUTE, id) };
		}
	if (count > 0)
		qsort(candidates, count, sizeof(*candidates), compare_hashes);
	for (size_t i = 0; i < count && choices->count < OVERLOOKED_CHOICES;
	    i++)
		choices->entries[choices->count++] =
		    (struct entry){ candidates[i].id, 0 };
	return STORE_OK;
}

STORE_CALL
overlooked_choose(struct store *store, struct arena *arena,
    const struct list_query *query, int64_t now, struct order *choices)
{
	const struct list_query by_time = { .kind = LIST_FRONT,
		.order = ORDER_NEW,
		.versions = query->versions,
		.cache = query->cache,
		.expensive = query->expensive };
	int64_t minute = now / MINUTE;
	struct candidate candidates[OVERLOOKED_NEWEST];
	struct versions versions;
	struct order newest;
	size_t count;
	enum store_result result = list_read_order(
	    store, arena, &by_time, OVERLOOKED_NEWEST, &newest, &versions);

	*choices = (struct order){ .entries = arena_new(arena, struct entry,
				       OVERLOOKED_CHOICES) };
	if (result == STORE_OK)
		result = add_second_chances(store, arena, now, choices);
	if (result != STORE_OK)
		return result;
	cut_entries(&newest, minute);
	choices->is_partial = newest.is_partial || versions.is_partial;
	if (newest.count == 0)
		return STORE_OK;
	result = read_candidates(store, arena, minute, newest.entries,
	    newest.count, candidates, &count);
	if (result != STORE_OK)
		return result;
	count = keep_one_an_author(candidates, count, minute);
	return count == 0 ? STORE_OK
			  : examine(store, arena, candidates, count, choices);
}

/* From the cache, or chosen and cached for the rest of the minute. */
static enum store_result
find_choices(struct store *store, struct arena *arena,
    const struct list_query *query, int64_t now, struct order *choices)
{
	const struct text name = TEXT("overlooked");
	struct stamp stamp = { store_epoch(store), (uint64_t)(now / MINUTE) };
	enum store_result result;

	if (read_cache_get_order(query->cache, arena, stamp, name, choices))
		return STORE_OK;
	result = overlooked_choose(store, arena, query, now, choices);
	if (result == STORE_OK && !choices->is_partial)
		read_cache_put_order(query->cache, arena, stamp, name, choices);
	return result;
}

static bool
is_on_page(const struct list *list, uint64_t id)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->articles[i].post.id.article == id)
			return true;
	return false;
}

/* Reads a choice. Its score is cached as long as no list changes. STORE_ABSENT when it was
 * removed. */
static enum store_result
read_choice(
    struct article_rows *rows, uint64_t id, struct overlooked *overlooked)
{
	struct arena *arena = rows->arena;
	struct stamp stamp = versions_lists_stamp(rows->versions);
	struct text name =
	    text_format(arena, "overlooked %llu", (unsigned long long)id);
	struct entry entry = { id, 0 };
	struct order cached;
	size_t got;

	rows->by_score =
	    read_cache_get_order(rows->cache, arena, stamp, name, &cached) &&
	    cached.count == 1;
	if (rows->by_score)
		entry = cached.entries[0];
	if (article_rows_read(rows, &entry, 1, &overlooked->article,
		&overlooked->stamp, &got) != STORE_OK)
		return STORE_DOWN;
	if (got == 0)
		return STORE_ABSENT;
	entry.score = overlooked->article.score;
	cached = (struct order){ .entries = &entry, .count = 1 };
	if (!rows->by_score && !rows->is_partial)
		read_cache_put_order(rows->cache, arena, stamp, name, &cached);
	return STORE_OK;
}

STORE_CALL
overlooked_find(struct store *store, struct arena *arena,
    const struct list_query *query, const struct list *list,
    struct overlooked *overlooked)
{
	int64_t now = query->versions->now;
	struct article_rows rows = { .store = store,
		.arena = arena,
		.cache = query->cache,
		.viewer = query->viewer,
		.versions = query->versions };
	struct order choices;
	enum store_result result;

	overlooked->place =
	    FIRST_PLACE + (size_t)(overlooked_hash(now / MINUTE, 0) % PLACES);
	if (list->count <= overlooked->place)
		return STORE_ABSENT;
	result = find_choices(store, arena, query, now, &choices);
	if (result == STORE_OK && rows.viewer != 0)
		result = article_rows_find_recent(&rows);
	for (size_t i = 0; i < choices.count && result == STORE_OK; i++) {
		if (is_on_page(list, choices.entries[i].id))
			continue;
		result = read_choice(&rows, choices.entries[i].id, overlooked);
		if (result == STORE_OK &&
		    !hidden_article(query->hidden, &overlooked->article))
			return STORE_OK;
		if (result == STORE_ABSENT)
			result = STORE_OK;
	}
	return result == STORE_DOWN ? STORE_DOWN : STORE_ABSENT;
}
