#include "search/positions.h"

#include <string.h>

#include "base/arena.h"

struct positions
positions_new(struct arena *arena, const struct store *store)
{
	return (struct positions){ .changes =
				       arena_new(arena, struct changes_position,
					   store->buckets.count) };
}

void
positions_copy(struct positions *to, const struct positions *from,
    const struct store *store)
{
	memcpy(to->changes, from->changes,
	    store->buckets.count * sizeof(*to->changes));
	to->refreshed = from->refreshed;
}

/* The moment is noted as that of a bucket behind the last. */
static bool
take_position(struct positions *positions, const struct store *store,
    const struct index_position *position)
{
	if (position->bucket < store->buckets.count)
		return outbox_read_id(position->position,
		    &positions->changes[position->bucket].last);
	return position->bucket == store->buckets.count &&
	    text_to_i64(position->position, &positions->refreshed);
}

enum index_result
positions_read(
    struct index *index, const struct store *store, struct positions *positions)
{
	struct arena arena = { 0 };
	struct index_position *items;
	size_t count;
	enum index_result result =
	    index_positions(index, &arena, &items, &count);

	if (result == INDEX_OK && count != store->buckets.count + 1)
		result = INDEX_BROKEN;
	for (size_t i = 0; result == INDEX_OK && i < count; i++)
		if (!take_position(positions, store, &items[i]))
			result = INDEX_BROKEN;
	arena_free(&arena);
	return result;
}

enum index_result
positions_commit(struct index *index, const struct store *store,
    const struct positions *positions)
{
	struct arena arena = { 0 };
	uint64_t buckets = store->buckets.count;
	struct index_position *items =
	    arena_new(&arena, struct index_position, buckets + 1);
	enum index_result result;

	for (uint64_t b = 0; b < buckets; b++) {
		const struct outbox_id *last = &positions->changes[b].last;

		items[b] = (struct index_position){ b,
			text_format(&arena, "%llu-%llu",
			    (unsigned long long)last->moment,
			    (unsigned long long)last->number) };
	}
	items[buckets] = (struct index_position){ buckets,
		text_number(&arena, positions->refreshed) };
	result = index_commit(index, items, buckets + 1);
	arena_free(&arena);
	return result;
}
