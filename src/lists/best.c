#include "lists/best.h"

#include <stdlib.h>
#include <string.h>

#include "lists/list_sources.h"
#include "lists/lookup.h"

struct candidate {
	uint64_t id;
	int64_t posted, points, score;
};

struct reading {
	const struct article_rows *rows;
	const struct list_query *query;
	struct merge merge;
	struct candidate *found;
	size_t count;
	bool ended, is_counted;
};

/* Reads the next articles of the period, from the newest on. */
static enum store_result
read_step(struct reading *reading)
{
	const struct period *period = &reading->query->period;
	struct entry *entries =
	    arena_new(reading->rows->arena, struct entry, MERGE_STEP);
	size_t got;

	if (merge_read(&reading->merge, 0, MERGE_STEP, entries, &got) !=
	    STORE_OK)
		return STORE_DOWN;
	reading->ended = got < MERGE_STEP;
	for (size_t i = 0; i < got && !reading->ended; i++)
		reading->ended = entries[i].score < period->from;
	for (size_t i = 0; i < got; i++)
		if (entries[i].score >= period->from)
			reading->found[reading->count++] =
			    (struct candidate){ .id = entries[i].id,
				    .posted = entries[i].score };
	return STORE_OK;
}

/* Counts the reading as an expensive one once it is; searches are counted by the caller. */
static bool
count_expensive(struct reading *reading)
{
	if (reading->is_counted || list_sources_are_searched(reading->query) ||
	    reading->count < MERGE_EXPENSIVE_ENTRIES)
		return true;
	reading->is_counted = merge_begin_expensive(reading->query->expensive);
	return reading->is_counted;
}

static enum store_result
read_period(struct reading *reading)
{
	enum store_result result = STORE_OK;

	while (
	    result == STORE_OK && !reading->ended && reading->count < BEST_MAX)
		result = count_expensive(reading) ? read_step(reading)
						  : STORE_LIMITED;
	return result;
}

static int
compare_ids(const void *a, const void *b)
{
	const struct candidate *one = a, *other = b;

	return (one->id > other->id) - (one->id < other->id);
}

static int
compare_points(const void *a, const void *b)
{
	const struct candidate *one = a, *other = b;

	if (one->points != other->points)
		return one->points > other->points ? -1 : 1;
	if (one->posted != other->posted)
		return one->posted > other->posted ? -1 : 1;
	return compare_ids(other, one);
}

static int
compare_lookups(const void *a, const void *b)
{
	const struct lookup *one = a, *other = b;

	return (one->article > other->article) -
	    (one->article < other->article);
}

/* Looks the scores up; what is not found was removed meanwhile. Leaves the articles by id. */
static enum store_result
add_points(struct reading *reading, bool *is_partial)
{
	const struct article_rows *rows = reading->rows;
	struct lookup *lookups =
	    arena_new(rows->arena, struct lookup, reading->count);
	size_t count = 0;

	for (size_t i = 0; i < reading->count; i++)
		lookups[i] = (struct lookup){ .article = reading->found[i].id,
			.kind = scale_kind(rows->versions->scale) };
	if (lookup_read(rows->store, rows->arena, lookups, reading->count,
		is_partial) != STORE_OK)
		return STORE_DOWN;
	qsort(lookups, reading->count, sizeof(*lookups), compare_lookups);
	qsort(reading->found, reading->count, sizeof(*reading->found),
	    compare_ids);
	for (size_t i = 0; i < reading->count; i++) {
		struct candidate found = reading->found[i];

		if (!lookups[i].is_there)
			continue;
		found.score = lookups[i].score;
		found.points = (found.score - found.posted) /
		    rows->versions->scale.vote_score;
		reading->found[count++] = found;
	}
	reading->count = count;
	return STORE_OK;
}

static void
sort(struct reading *reading)
{
	/* By time all have the same points. */
	for (size_t i = 0;
	    reading->query->order != ORDER_BEST && i < reading->count; i++)
		reading->found[i].points = 0;
	if (reading->count > 0)
		qsort(reading->found, reading->count, sizeof(*reading->found),
		    compare_points);
}

STORE_CALL
best_read(const struct article_rows *rows, const struct list_query *query,
    uint64_t start, uint64_t count, struct order *order)
{
	struct list_query by_time = *query;
	struct reading reading = { .rows = rows, .query = query };
	enum store_result result;

	by_time.order = ORDER_NEW;
	if (list_sources_open(rows, &by_time, &reading.merge) != STORE_OK)
		return STORE_DOWN;
	if (query->period.kind >= PERIOD_DATE)
		reading.merge.before = query->period.to;
	reading.found =
	    arena_new(rows->arena, struct candidate, BEST_MAX + MERGE_STEP);
	result = read_period(&reading);
	if (reading.is_counted)
		merge_end_expensive(query->expensive);
	if (result == STORE_OK && reading.count > 0)
		result = add_points(&reading, &order->is_partial);
	if (result != STORE_OK)
		return result;
	sort(&reading);
	order->search_ended = reading.merge.search_ended;
	order->is_approximate = !reading.ended && !order->search_ended;
	order->is_partial = order->is_partial || reading.merge.is_partial;
	for (size_t i = start; i < reading.count && order->count < count; i++)
		order->entries[order->count++] =
		    (struct entry){ reading.found[i].id,
			    reading.found[i].score };
	return STORE_OK;
}
