#include "lists/threshold.h"

#include <stdlib.h>
#include <string.h>

#include "lists/list_sources.h"
#include "lists/lookup.h"

/* An article that was found in one list or in both. */
struct found {
	uint64_t id;
	bool has_posted, has_score;
	int64_t posted, score;
	double worth;
};

/* The list by time, or by score. */
struct side {
	struct merge merge;
	enum key_kind kind;
	int64_t reach; /* the last one that was read */
	bool ended;
};

struct reading {
	const struct article_rows *rows;
	const struct worth *worth;
	struct side by_time, by_score;
	struct found *found;
	size_t count, room;
	uint64_t read; /* entries of each side */
	bool is_partial;
};

static enum store_result
open_side(const struct article_rows *rows, const struct list_query *query,
    enum list_order order, struct side *side)
{
	struct list_query part = *query;

	part.order = order;
	side->kind = list_sources_kind(&part, rows->versions);
	return list_sources_open(rows, &part, &side->merge);
}

static void
make_room(struct reading *reading, size_t count)
{
	struct found *found;

	if (reading->count + count <= reading->room)
		return;
	reading->room = 2 * (reading->count + count);
	found = arena_new(reading->rows->arena, struct found, reading->room);
	if (reading->count > 0)
		memcpy(found, reading->found, reading->count * sizeof(*found));
	reading->found = found;
}

static void
add_found(
    struct reading *reading, const struct side *side, const struct entry *entry)
{
	bool is_time = side == &reading->by_time;

	reading->found[reading->count++] = (struct found){ .id = entry->id,
		.has_posted = is_time,
		.has_score = !is_time,
		.posted = is_time ? entry->score : 0,
		.score = is_time ? 0 : entry->score };
}

/* Reads the next entries of a list. */
static enum store_result
read_side(struct reading *reading, struct side *side, uint64_t count)
{
	struct entry *entries =
	    arena_new(reading->rows->arena, struct entry, count);
	size_t got;

	if (side->ended)
		return STORE_OK;
	if (merge_read(&side->merge, 0, count, entries, &got) != STORE_OK)
		return STORE_DOWN;
	make_room(reading, got);
	for (size_t i = 0; i < got; i++)
		add_found(reading, side, &entries[i]);
	if (got > 0)
		side->reach = entries[got - 1].score;
	side->ended = got < count && !side->merge.search_ended;
	reading->is_partial = reading->is_partial || side->merge.is_partial;
	return STORE_OK;
}

static int
compare_ids(const void *a, const void *b)
{
	const struct found *one = a, *other = b;

	return (one->id > other->id) - (one->id < other->id);
}

static int
compare_worth(const void *a, const void *b)
{
	const struct found *one = a, *other = b;

	if (one->worth != other->worth)
		return one->worth > other->worth ? -1 : 1;
	if (one->posted != other->posted)
		return one->posted > other->posted ? -1 : 1;
	return compare_ids(other, one);
}

static void
sort(struct reading *reading, int (*compare)(const void *, const void *))
{
	if (reading->count > 0)
		qsort(reading->found, reading->count, sizeof(*reading->found),
		    compare);
}

static void
join(struct found *found, const struct found *other)
{
	if (other->has_posted)
		found->posted = other->posted;
	if (other->has_score)
		found->score = other->score;
	found->has_posted = found->has_posted || other->has_posted;
	found->has_score = found->has_score || other->has_score;
}

/* Makes one of what both lists had. */
static void
join_sides(struct reading *reading)
{
	struct found *found = reading->found;
	size_t count = 0;

	sort(reading, compare_ids);
	for (size_t i = 0; i < reading->count; i++)
		if (count > 0 && found[count - 1].id == found[i].id)
			join(&found[count - 1], &found[i]);
		else
			found[count++] = found[i];
	reading->count = count;
}

/* Asks for what is missing of the articles that one of the lists had. */
static size_t
list_missing(const struct reading *reading, struct lookup *lookups)
{
	size_t count = 0;

	for (size_t i = 0; i < reading->count; i++) {
		const struct found *found = &reading->found[i];

		if (!found->has_posted || !found->has_score)
			lookups[count++] =
			    (struct lookup){ .article = found->id,
				    .kind = found->has_posted
					? reading->by_score.kind
					: reading->by_time.kind };
	}
	return count;
}

/* Looks those up; the articles that are not found were removed meanwhile. */
static enum store_result
look_up(struct reading *reading)
{
	struct lookup *lookups =
	    arena_new(reading->rows->arena, struct lookup, reading->count);
	size_t count = list_missing(reading, lookups), whole = 0;

	if (lookup_read(reading->rows->store, reading->rows->arena, lookups,
		count, &reading->is_partial) != STORE_OK)
		return STORE_DOWN;
	make_room(reading, count);
	for (size_t i = 0; i < count; i++) {
		const struct entry entry = { lookups[i].article,
			lookups[i].score };

		if (lookups[i].is_there)
			add_found(reading,
			    lookups[i].kind == reading->by_time.kind
				? &reading->by_time
				: &reading->by_score,
			    &entry);
	}
	join_sides(reading);
	for (size_t i = 0; i < reading->count; i++)
		if (reading->found[i].has_posted && reading->found[i].has_score)
			reading->found[whole++] = reading->found[i];
	reading->count = whole;
	return STORE_OK;
}

static void
rank(struct reading *reading)
{
	const struct worth *worth = reading->worth;

	for (size_t i = 0; i < reading->count; i++) {
		struct found *found = &reading->found[i];

		found->worth = worth->of(worth, found->posted,
		    (found->score - found->posted) / worth->vote_score);
	}
	sort(reading, compare_worth);
}

/* True when nothing that was not read comes before the first articles of that number. */
static bool
is_known(const struct reading *reading, uint64_t count)
{
	const struct side *by_time = &reading->by_time;
	const struct found *last;
	double most;

	if (by_time->ended || reading->by_score.ended)
		return true;
	if (count == 0 || reading->count < count)
		return count == 0;
	last = &reading->found[count - 1];
	most = reading->worth->most(
	    reading->worth, by_time->reach, reading->by_score.reach);
	/* The last digits of a double are uncertain. */
	most += most * 1e-9;
	return last->worth > most ||
	    (last->worth == most && last->posted > by_time->reach);
}

static bool
search_ended(const struct reading *reading)
{
	return reading->by_time.merge.search_ended ||
	    reading->by_score.merge.search_ended;
}

/* Reads blocks until the first articles of that number are known, or too many were read. */
static enum store_result
read_blocks(struct reading *reading, uint64_t wanted, size_t *expensive)
{
	uint64_t size = THRESHOLD_FIRST;
	enum store_result result = STORE_OK;
	bool is_counted = false;

	do {
		if (!is_counted && expensive != NULL &&
		    reading->read + size > MERGE_EXPENSIVE_ENTRIES) {
			if (!merge_begin_expensive(expensive))
				return STORE_LIMITED;
			is_counted = true;
		}
		if (read_side(reading, &reading->by_time, size) != STORE_OK ||
		    read_side(reading, &reading->by_score, size) != STORE_OK) {
			result = STORE_DOWN;
			break;
		}
		reading->read += size;
		join_sides(reading);
		result = look_up(reading);
		rank(reading);
		size = 2 * size < THRESHOLD_MAX - reading->read
		    ? 2 * size
		    : THRESHOLD_MAX - reading->read;
	} while (result == STORE_OK && size > 0 && !search_ended(reading) &&
	    !is_known(reading, wanted));
	if (is_counted)
		merge_end_expensive(expensive);
	return result;
}

STORE_CALL
threshold_read(const struct article_rows *rows, const struct list_query *query,
    const struct worth *worth, uint64_t start, uint64_t count,
    struct order *order)
{
	struct reading reading = { .rows = rows, .worth = worth };
	/* Searches are counted by the caller. */
	size_t *expensive =
	    list_sources_are_searched(query) ? NULL : query->expensive;
	enum store_result result;

	if (open_side(rows, query, ORDER_NEW, &reading.by_time) != STORE_OK ||
	    open_side(rows, query, ORDER_TOP, &reading.by_score) != STORE_OK)
		return STORE_DOWN;
	result = read_blocks(&reading, start + count, expensive);
	if (result != STORE_OK)
		return result;
	order->search_ended = search_ended(&reading);
	/* The last one is asked for to see whether another page follows. */
	order->is_approximate =
	    !order->search_ended && !is_known(&reading, start + count - 1);
	order->is_partial = reading.is_partial;
	for (size_t i = start; i < reading.count && order->count < count; i++)
		order->entries[order->count++] =
		    (struct entry){ reading.found[i].id,
			    reading.found[i].score };
	return STORE_OK;
}
