#include "lists/held.h"

#include <stdlib.h>

#include "base/sort.h"
#include "redis/redis.h"
#include "store/encoding.h"
#include "store/keys.h"

/* The newest of those that were removed or wait, of all buckets. */
static enum store_result
find_candidates(struct store *store, struct arena *arena, uint64_t author,
    struct post_id **ids, size_t *count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text list = key_list_of_author(arena, author);
	bool is_partial;

	for (uint64_t b = 0; b < store->buckets.count; b++)
		pipeline_add(&pipeline, TEXT("ZREVRANGE"),
		    key_removed(arena, &store->buckets, b, list), TEXT("0"),
		    text_number(arena, HELD_MAX - 1));
	if (store_run_partial(store, &pipeline, &is_partial) != STORE_OK)
		return STORE_DOWN;
	*count = 0;
	*ids = arena_new(arena, struct post_id, pipeline.count * HELD_MAX);
	for (size_t i = 0; i < pipeline.count; i++)
		for (size_t m = 0; m < pipeline.replies[i].count; m++)
			(*ids)[(*count)++] = decode_post(
			    reply_text(reply_item(&pipeline.replies[i], m)));
	return STORE_OK;
}

/* Newer ones first. */
static int
compare_held(const void *a, const void *b)
{
	const struct held_post *one = a, *other = b;

	return one->since != other->since
	    ? (one->since > other->since ? -1 : 1)
	    : sort_compare(
		  post_id_to_number(other->id), post_id_to_number(one->id));
}

STORE_CALL
held_read(struct store *store, struct arena *arena, uint64_t author,
    struct held_post *posts, size_t *count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct held_post *found;
	struct post_id *ids;
	size_t candidates, waiting = 0;
	bool is_partial;

	*count = 0;
	if (find_candidates(store, arena, author, &ids, &candidates) !=
	    STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < candidates; i++)
		pipeline_add(&pipeline, TEXT("HMGET"),
		    key_post(arena, &store->buckets, ids[i]), TEXT("held"),
		    TEXT("removed"),
		    ids[i].comment == 0 ? TEXT("title") : TEXT("text"));
	if (store_run_partial(store, &pipeline, &is_partial) != STORE_OK)
		return STORE_DOWN;
	found = arena_new(arena, struct held_post, candidates);
	for (size_t i = 0; i < candidates; i++) {
		const struct reply *reply = &pipeline.replies[i];
		struct post post = { .held = reply_number(reply_item(reply, 0)),
			.removed = reply_number(reply_item(reply, 1)) };

		if (post_is_waiting(&post))
			found[waiting++] = (struct held_post){ ids[i],
				reply_text(reply_item(reply, 2)), post.held };
	}
	if (waiting > 0)
		qsort(found, waiting, sizeof(*found), compare_held);
	for (; *count < waiting && *count < HELD_MAX; ++*count)
		posts[*count] = found[*count];
	return STORE_OK;
}
