#include "store/changes.h"

#include "redis/redis.h"

/* TRIMMED_MIN: no release has trimmed a stream to fewer entries. */
enum { BATCH = 100, TRIMMED_MIN = 10000 }; /* of a bucket */

STORE_CALL
changes_end(struct store *store, struct arena *arena,
    struct changes_position *positions)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (uint64_t b = 0; b < store->buckets.count; b++)
		pipeline_add(&pipeline, TEXT("XREVRANGE"),
		    key_changes(arena, &store->buckets, b), TEXT("+"),
		    TEXT("-"), TEXT("COUNT"), TEXT("1"));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (uint64_t b = 0; b < store->buckets.count; b++) {
		const struct reply *last = reply_item(&pipeline.replies[b], 0);

		positions[b] = (struct changes_position){ .last = { 0, 0 } };
		if (pipeline.replies[b].count > 0 &&
		    !outbox_read_id(
			reply_text(reply_item(last, 0)), &positions[b].last))
			return STORE_DOWN;
	}
	return STORE_OK;
}

static bool
position_is_none(const struct changes_position *position)
{
	return position->last.moment == 0 && position->last.number == 0;
}

/* Asks for the entry at the position as well, if there is one. */
static void
ask_changes(struct pipeline *pipeline, struct text stream,
    const struct changes_position *position)
{
	struct text from = text_format(pipeline->arena, "%llu-%llu",
	    (unsigned long long)position->last.moment,
	    (unsigned long long)position->last.number);

	pipeline_add(pipeline, TEXT("XRANGE"), stream, from, TEXT("+"),
	    TEXT("COUNT"), text_number(pipeline->arena, BATCH + 1));
	pipeline_add(pipeline, TEXT("XLEN"), stream);
}

/* Whether entries may be missing between a position and those that were answered; before the first
 * of all, where there are as many as may have been trimmed. */
static bool
has_gap(const struct reply *entries, const struct reply *length,
    const struct changes_position *position)
{
	struct text first = reply_text(reply_item(reply_item(entries, 0), 0));
	struct outbox_id id;

	if (position_is_none(position))
		return reply_number(length) >= TRIMMED_MIN;
	return !outbox_read_id(first, &id) ||
	    id.moment != position->last.moment ||
	    id.number != position->last.number;
}

static void
take_entry(struct changes *changes, struct changes_position *position,
    const struct reply *entry)
{
	const struct reply *fields = reply_item(entry, 1);
	struct text name = reply_text(reply_item(fields, 0));

	if (!outbox_read_id(reply_text(reply_item(entry, 0)), &position->last))
		return;
	if (changes->first_ms == 0 ||
	    changes->first_ms > (int64_t)position->last.moment)
		changes->first_ms = (int64_t)position->last.moment;
	if (text_equal(name, TEXT("post")) &&
	    key_read_post_name(reply_text(reply_item(fields, 1)),
		&changes->posts[changes->count]))
		changes->count++;
}

static void
take_changes(struct changes *changes, struct changes_position *position,
    const struct reply *entries)
{
	size_t first = position_is_none(position) ? 0 : 1;

	changes->has_more = changes->has_more || entries->count > BATCH;
	for (size_t i = first; i < entries->count; i++)
		take_entry(changes, position, reply_item(entries, i));
}

enum changes_result
changes_read(struct store *store, struct arena *arena,
    struct changes_position *positions, struct changes *changes)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	const struct buckets *buckets = &store->buckets;

	*changes = (struct changes){ .count = 0 };
	for (uint64_t b = 0; b < buckets->count; b++)
		ask_changes(
		    &pipeline, key_changes(arena, buckets, b), &positions[b]);
	if (!redis_run(&pipeline))
		return CHANGES_DOWN;
	for (uint64_t b = 0; b < buckets->count; b++) {
		const struct reply *entries = &pipeline.replies[2 * b];

		if (has_gap(entries, entries + 1, &positions[b]))
			return CHANGES_GAP;
		changes->count += entries->count;
	}
	changes->posts = arena_new(arena, struct post_id, changes->count);
	changes->count = 0;
	for (uint64_t b = 0; b < buckets->count; b++)
		take_changes(changes, &positions[b], &pipeline.replies[2 * b]);
	return CHANGES_OK;
}
