#include "lists/best.h"

#include <stdlib.h>
#include <string.h>

#include "lists/list_sources.h"
#include "lists/lookup.h"
#include "store/points.h"

enum {
	MONTHS_MAX = 13, /* that a year may touch */
	/* Entries of lists by points that are read at once, at least: some are dropped. */
	POINTS_READ_MIN = 100
};

struct candidate {
	uint64_t id;
	int64_t posted, points;
};

/* What was read by time, or by points. */
struct part {
	struct merge merge;
	struct candidate *found;
	size_t count;
	uint64_t read; /* entries, of the period or not */
	bool ended;
};

struct reading {
	const struct article_rows *rows;
	const struct list_query *query;
	int64_t from, to;
	/* Of each bucket, and the first and the last: what was posted before is read by points. */
	int64_t *placed, placed_first, placed_last;
	uint64_t wanted; /* places of the order */
	struct part by_time, by_points;
	bool is_settled, is_partial, is_counted;
};

static void
find_period(struct reading *reading)
{
	const struct period *period = &reading->query->period;

	/* Without one it is all time. */
	reading->from = period->from;
	reading->to = period->to != 0 ? period->to : INT64_MAX;
}

static void
find_range(struct reading *reading)
{
	reading->placed_first = reading->placed_last = reading->placed[0];
	for (uint64_t b = 1; b < reading->rows->store->buckets.count; b++) {
		int64_t placed = reading->placed[b];

		if (placed < reading->placed_first)
			reading->placed_first = placed;
		if (placed > reading->placed_last)
			reading->placed_last = placed;
	}
}

/* Whether articles of the last days alone are wanted, on which voting may be open. */
static bool
is_recent(const struct list_query *query)
{
	return query->period.kind <= PERIOD_WEEK && query->period.to != 0;
}

/* Finds which articles are read by points. */
static enum store_result
read_placed(struct reading *reading)
{
	const struct article_rows *rows = reading->rows;
	const struct list_query *query = reading->query;
	uint64_t buckets = rows->store->buckets.count;

	reading->placed = arena_new(rows->arena, int64_t, buckets);
	if (is_recent(query))
		return STORE_OK;
	if (points_read_placed(rows->store, rows->arena, reading->placed,
		&reading->is_partial) != STORE_OK)
		return STORE_DOWN;
	find_range(reading);
	reading->is_settled = reading->to <= reading->placed_first;
	if (query->period.kind != PERIOD_DATE)
		return STORE_OK;
	memset(reading->placed, 0, buckets * sizeof(*reading->placed));
	reading->placed_first = reading->placed_last = 0;
	return STORE_OK;
}

static bool
is_of_period(const struct reading *reading, int64_t posted)
{
	return posted >= reading->from && posted < reading->to;
}

static bool
is_placed(const struct reading *reading, uint64_t id, int64_t posted)
{
	return posted <
	    reading->placed[key_bucket_of(&reading->rows->store->buckets, id)];
}

static void
add_found(struct part *part, uint64_t id, int64_t posted, int64_t points)
{
	part->found[part->count++] =
	    (struct candidate){ .id = id, .posted = posted, .points = points };
}

/* Counts the reading as an expensive one once it is; searches are counted by the caller. */
static bool
count_expensive(struct reading *reading, uint64_t read)
{
	if (reading->is_counted || list_sources_are_searched(reading->query) ||
	    read < MERGE_EXPENSIVE_ENTRIES)
		return true;
	reading->is_counted = merge_begin_expensive(reading->query->expensive);
	return reading->is_counted;
}

/* Reads the next articles that are not placed, from the newest on. */
static enum store_result
read_time_step(struct reading *reading)
{
	struct part *part = &reading->by_time;
	struct entry *entries =
	    arena_new(reading->rows->arena, struct entry, MERGE_STEP);
	int64_t first = reading->from > reading->placed_first
	    ? reading->from
	    : reading->placed_first;
	size_t got;

	if (merge_read(&part->merge, 0, MERGE_STEP, entries, &got) != STORE_OK)
		return STORE_DOWN;
	part->read += got;
	part->ended = got < MERGE_STEP;
	for (size_t i = 0; i < got; i++) {
		int64_t posted = entries[i].score;

		part->ended = part->ended || posted < first;
		if (is_of_period(reading, posted) &&
		    !is_placed(reading, entries[i].id, posted))
			add_found(part, entries[i].id, posted, 0);
	}
	return STORE_OK;
}

static int
compare_ids(const void *a, const void *b)
{
	const struct candidate *one = a, *other = b;

	return (one->id > other->id) - (one->id < other->id);
}

static int
compare_times(const void *a, const void *b)
{
	const struct candidate *one = a, *other = b;

	if (one->posted != other->posted)
		return one->posted > other->posted ? -1 : 1;
	return compare_ids(other, one);
}

static int
compare_points(const void *a, const void *b)
{
	const struct candidate *one = a, *other = b;

	if (one->points != other->points)
		return one->points > other->points ? -1 : 1;
	return compare_times(one, other);
}

static int
compare_lookups(const void *a, const void *b)
{
	const struct lookup *one = a, *other = b;

	return (one->article > other->article) -
	    (one->article < other->article);
}

/* Looks the points up; what is not found was removed meanwhile. Leaves the articles by id. */
static enum store_result
add_points(struct reading *reading)
{
	const struct article_rows *rows = reading->rows;
	struct part *part = &reading->by_time;
	struct lookup *lookups =
	    arena_new(rows->arena, struct lookup, part->count);
	size_t count = 0;

	for (size_t i = 0; i < part->count; i++)
		lookups[i] = (struct lookup){ .article = part->found[i].id,
			.kind = scale_kind(rows->versions->scale) };
	if (lookup_read(rows->store, rows->arena, lookups, part->count,
		&reading->is_partial) != STORE_OK)
		return STORE_DOWN;
	qsort(lookups, part->count, sizeof(*lookups), compare_lookups);
	qsort(part->found, part->count, sizeof(*part->found), compare_ids);
	for (size_t i = 0; i < part->count; i++) {
		struct candidate found = part->found[i];

		if (!lookups[i].is_there)
			continue;
		found.points = (lookups[i].score - found.posted) /
		    rows->versions->scale.vote_score;
		part->found[count++] = found;
	}
	part->count = count;
	return STORE_OK;
}

static enum store_result
read_by_time(struct reading *reading)
{
	struct part *part = &reading->by_time;
	struct list_query query = *reading->query;
	enum store_result result;

	part->ended = reading->to <= reading->placed_first;
	if (part->ended)
		return STORE_OK;
	query.order = ORDER_NEW;
	if (list_sources_open(reading->rows, &query, &part->merge) != STORE_OK)
		return STORE_DOWN;
	if (query.period.kind >= PERIOD_DATE)
		part->merge.before = reading->to;
	part->found = arena_new(
	    reading->rows->arena, struct candidate, BEST_MAX + MERGE_STEP);
	do {
		if (!count_expensive(reading, part->read))
			return STORE_LIMITED;
		result = read_time_step(reading);
	} while (result == STORE_OK && !part->ended && part->read < BEST_MAX);
	if (result != STORE_OK || part->count == 0)
		return result;
	if (add_points(reading) != STORE_OK)
		return STORE_DOWN;
	qsort(part->found, part->count, sizeof(*part->found),
	    reading->query->order == ORDER_BEST ? compare_points
						: compare_times);
	return STORE_OK;
}

/* The months that the placed articles of the period are of; none for all time. */
static size_t
find_months(const struct reading *reading, struct text *months)
{
	int64_t to = reading->to < reading->placed_last ? reading->to
							: reading->placed_last;
	size_t count = 0;

	if (reading->query->period.kind == PERIOD_ALL ||
	    reading->query->period.to == 0)
		return 0;
	for (int64_t at = reading->from; at < to && count < MONTHS_MAX;
	    at = period_month_after(at))
		months[count++] = key_month(reading->rows->arena, at);
	return count;
}

/* Reads the next articles by points. */
static enum store_result
read_points_step(struct reading *reading)
{
	struct part *part = &reading->by_points;
	uint64_t missing = reading->wanted - part->count;
	size_t asked = missing < MERGE_STEP ? (size_t)missing : MERGE_STEP;
	struct entry *entries;
	size_t got;

	asked = asked > POINTS_READ_MIN ? asked : POINTS_READ_MIN;
	entries = arena_new(reading->rows->arena, struct entry, asked);
	if (merge_read(&part->merge, 0, asked, entries, &got) != STORE_OK)
		return STORE_DOWN;
	part->read += got;
	part->ended = got < asked;
	for (size_t i = 0; i < got; i++) {
		int64_t score = entries[i].score;
		int64_t posted = points_posted(score);

		if (is_of_period(reading, posted) &&
		    is_placed(reading, entries[i].id, posted))
			add_found(part, entries[i].id, posted,
			    points_of_score(score));
	}
	return STORE_OK;
}

static enum store_result
read_by_points(struct reading *reading)
{
	struct part *part = &reading->by_points;
	struct text months[MONTHS_MAX];
	size_t count = find_months(reading, months);
	enum store_result result = STORE_OK;

	part->ended = reading->from >= reading->placed_last;
	if (part->ended)
		return STORE_OK;
	if (list_sources_open_points(reading->rows, reading->query, months,
		count, &part->merge) != STORE_OK)
		return STORE_DOWN;
	part->found = arena_new(reading->rows->arena, struct candidate,
	    reading->wanted + POINTS_READ_MIN);
	while (result == STORE_OK && !part->ended &&
	    part->count < reading->wanted && part->read < BEST_MAX)
		result = count_expensive(reading,
			     part->read + reading->wanted +
				 MERGE_SHARE_MIN * part->merge.count)
		    ? read_points_step(reading)
		    : STORE_LIMITED;
	return result;
}

/* Whether nothing that was not read comes before the places that are wanted. */
static bool
is_exact(const struct reading *reading)
{
	return reading->by_time.ended &&
	    (reading->by_points.ended ||
		reading->by_points.count >= reading->wanted);
}

/* The article that comes next of both parts; NULL at the end. */
static const struct candidate *
take_next(
    struct part *one, size_t *one_used, struct part *other, size_t *other_used)
{
	bool one_ended = *one_used == one->count;
	bool other_ended = *other_used == other->count;

	if (one_ended && other_ended)
		return NULL;
	if (other_ended ||
	    (!one_ended &&
		compare_points(
		    &one->found[*one_used], &other->found[*other_used]) < 0))
		return &one->found[(*one_used)++];
	return &other->found[(*other_used)++];
}

static void
give_entries(struct reading *reading, uint64_t start, struct order *order)
{
	int64_t vote_score = reading->rows->versions->scale.vote_score;
	size_t by_time = 0, by_points = 0;
	const struct candidate *next;

	for (uint64_t place = 0; place < reading->wanted; place++) {
		next = take_next(&reading->by_time, &by_time,
		    &reading->by_points, &by_points);
		if (next == NULL)
			return;
		if (place >= start)
			order->entries[order->count++] =
			    (struct entry){ next->id,
				    next->posted + vote_score * next->points };
	}
}

static enum store_result
read_parts(struct reading *reading)
{
	enum store_result result = read_placed(reading);

	if (result == STORE_OK)
		result = read_by_time(reading);
	if (result == STORE_OK)
		result = read_by_points(reading);
	if (reading->is_counted)
		merge_end_expensive(reading->query->expensive);
	return result;
}

STORE_CALL
best_read(const struct article_rows *rows, const struct list_query *query,
    uint64_t start, uint64_t count, struct order *order)
{
	struct reading reading = {
		.rows = rows, .query = query, .wanted = start + count
	};
	enum store_result result;

	find_period(&reading);
	result = read_parts(&reading);
	if (result != STORE_OK)
		return result;
	give_entries(&reading, start, order);
	order->search_ended = reading.by_time.merge.search_ended ||
	    reading.by_points.merge.search_ended;
	order->is_approximate = !order->search_ended && !is_exact(&reading);
	order->is_settled = reading.is_settled;
	order->is_partial = reading.is_partial ||
	    reading.by_time.merge.is_partial ||
	    reading.by_points.merge.is_partial;
	return STORE_OK;
}
