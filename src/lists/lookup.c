#include "lists/lookup.h"

#include <stdlib.h>

#include "store/post.h"

/* A part of the sorted lookups that one command reads: of one kind, in one bucket. */
struct part {
	enum key_kind kind;
	uint64_t bucket;
	size_t first, count;
};

/* The number of buckets follows the lookups: qsort passes nothing to its function. */
struct sorted {
	struct lookup lookup;
	uint64_t bucket;
};

static int
compare_places(const void *a, const void *b)
{
	const struct sorted *one = a, *other = b;

	if (one->lookup.kind != other->lookup.kind)
		return one->lookup.kind < other->lookup.kind ? -1 : 1;
	if (one->bucket != other->bucket)
		return one->bucket < other->bucket ? -1 : 1;
	return (one->lookup.article > other->lookup.article) -
	    (one->lookup.article < other->lookup.article);
}

static void
sort_by_place(const struct store *store, struct arena *arena,
    struct lookup *lookups, size_t count, struct sorted **sorted)
{
	*sorted = arena_new(arena, struct sorted, count);
	for (size_t i = 0; i < count; i++)
		(*sorted)[i] = (struct sorted){ lookups[i],
			key_bucket_of(&store->buckets, lookups[i].article) };
	qsort(*sorted, count, sizeof(**sorted), compare_places);
	for (size_t i = 0; i < count; i++)
		lookups[i] = (*sorted)[i].lookup;
}

static bool
belongs(const struct part *part, const struct sorted *sorted)
{
	return part->count < MERGE_STEP && part->kind == sorted->lookup.kind &&
	    part->bucket == sorted->bucket;
}

/* Splits them where the key changes, and where a command would be long. */
static size_t
split_parts(const struct sorted *sorted, size_t count, struct part *parts)
{
	size_t part_count = 0;

	for (size_t i = 0; i < count; i++)
		if (part_count > 0 &&
		    belongs(&parts[part_count - 1], &sorted[i]))
			parts[part_count - 1].count++;
		else
			parts[part_count++] =
			    (struct part){ sorted[i].lookup.kind,
				    sorted[i].bucket, i, 1 };
	return part_count;
}

static void
ask_part(struct pipeline *pipeline, const struct store *store,
    const struct lookup *lookups, const struct part *part)
{
	struct arena *arena = pipeline->arena;
	struct text *words = arena_new(arena, struct text, part->count + 2);

	words[0] = TEXT("ZMSCORE");
	words[1] = key_in_bucket(
	    arena, &store->buckets, part->bucket, part->kind, TEXT(""));
	for (size_t i = 0; i < part->count; i++)
		words[i + 2] = encode_post(
		    arena, article_id(lookups[part->first + i].article));
	pipeline_add_words(
	    pipeline, UNREPLICATED, PIPELINE_KEY, words, part->count + 2);
}

static void
read_part(const struct reply *reply, struct lookup *lookups, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct reply *score = reply_item(reply, i);

		lookups[i].is_there = score->kind != REPLY_NIL;
		lookups[i].score = reply_number(score);
	}
}

STORE_CALL
lookup_read(struct store *store, struct arena *arena, struct lookup *lookups,
    size_t count, bool *is_partial)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct sorted *sorted;
	struct part *parts;
	size_t part_count;

	if (count == 0)
		return STORE_OK;
	sort_by_place(store, arena, lookups, count, &sorted);
	parts = arena_new(arena, struct part, count);
	part_count = split_parts(sorted, count, parts);
	for (size_t i = 0; i < part_count; i++)
		ask_part(&pipeline, store, lookups, &parts[i]);
	if (store_run_partial(store, &pipeline, is_partial) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < part_count; i++)
		read_part(&pipeline.replies[i], lookups + parts[i].first,
		    parts[i].count);
	return STORE_OK;
}
