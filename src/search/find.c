#include "search/find.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "search/expression.h"
#include "store/encoding.h"

enum {
	POINTS_WALK = 20000,
	RANK_WALK = 2000,
	RANK_CANDIDATES = 200,
	BEST_MAX = (FIND_OFFSET_MAX + FIND_HITS_MAX) * 2
};

struct hit {
	int64_t row;
	double key;
};

/* The best hits, as a heap with the worst at the top. */
struct best {
	struct hit hits[BEST_MAX];
	size_t count;
};

struct finding {
	struct index *index;
	struct arena *arena;
	const struct find_request *request;
	enum query_order order;
	size_t offset, limit;
	struct text expression;
	int64_t first, last; /* rows between which to look */
	int64_t lowest;	     /* down to which all hits were seen */
	size_t seen;
	int64_t newest[FIND_HITS_MAX]; /* of the page, by newest */
	size_t newest_count;
	struct best best;
};

static bool
is_worse(struct hit a, struct hit b)
{
	return a.key < b.key || (a.key == b.key && a.row < b.row);
}

static void
swap_hits(struct hit *a, struct hit *b)
{
	struct hit former = *a;

	*a = *b;
	*b = former;
}

static void
sink_worst(struct best *best)
{
	size_t at = 0, child;

	while ((child = at * 2 + 1) < best->count) {
		if (child + 1 < best->count &&
		    is_worse(best->hits[child + 1], best->hits[child]))
			child++;
		if (!is_worse(best->hits[child], best->hits[at]))
			return;
		swap_hits(&best->hits[child], &best->hits[at]);
		at = child;
	}
}

static void
best_offer(struct best *best, struct hit hit)
{
	size_t at = best->count;

	if (best->count == BEST_MAX) {
		if (!is_worse(best->hits[0], hit))
			return;
		best->hits[0] = hit;
		sink_worst(best);
		return;
	}
	best->hits[best->count++] = hit;
	for (; at > 0 && is_worse(best->hits[at], best->hits[(at - 1) / 2]);
	    at = (at - 1) / 2)
		swap_hits(&best->hits[at], &best->hits[(at - 1) / 2]);
}

static int
compare_hits(const void *a, const void *b)
{
	const struct hit *one = a, *other = b;

	return is_worse(*one, *other) - is_worse(*other, *one);
}

/* Sorts the best first, each once. */
static void
best_sort(struct best *best)
{
	size_t count = 0;

	qsort(best->hits, best->count, sizeof(best->hits[0]), compare_hits);
	for (size_t i = 0; i < best->count; i++)
		if (count == 0 ||
		    best->hits[count - 1].row != best->hits[i].row)
			best->hits[count++] = best->hits[i];
	best->count = count;
}

/* Walks. */

static struct sql_statement *
prepare_walk(const struct finding *finding, struct text expression,
    int64_t last, size_t limit)
{
	/* Only relevance needs what FTS5 has to compute for it. */
	struct sql_statement *statement = sql_prepare(index_sql(finding->index),
	    finding->order == QUERY_RELEVANCE
		? "SELECT rowid, tally_score(words) FROM words WHERE words"
		  " MATCH ?1 AND rowid BETWEEN ?2 AND ?3 ORDER BY rowid DESC"
		  " LIMIT ?4"
		: "SELECT rowid, 0 FROM words WHERE words MATCH ?1 AND rowid"
		  " BETWEEN ?2 AND ?3 ORDER BY rowid DESC LIMIT ?4");

	if (statement == NULL)
		return NULL;
	sql_bind_text(statement, 1, expression);
	sql_bind_number(statement, 2, finding->first);
	sql_bind_number(statement, 3, last);
	sql_bind_number(statement, 4, (int64_t)limit);
	return statement;
}

static struct hit
take_hit(const struct finding *finding, struct sql_statement *statement)
{
	struct hit hit = { .row = sql_number(statement, 0) };
	int64_t points = index_points(finding->index, hit.row);

	if (finding->order == QUERY_POINTS)
		hit.key = (double)points;
	else if (finding->order == QUERY_RELEVANCE)
		hit.key = sql_real(statement, 1) +
		    0.3 * log2(1 + (double)(points > 0 ? points : 0)) +
		    0.5 * (double)hit.row / (double)index_rows(finding->index);
	return hit;
}

/* Offers the newest hits of an expression, down from a row; *count of them. */
static enum sql_result
walk(struct finding *finding, struct text expression, int64_t last,
    size_t limit, size_t *count)
{
	struct sql_statement *statement =
	    prepare_walk(finding, expression, last, limit);
	enum sql_result result;

	*count = 0;
	if (statement == NULL)
		return sql_failure(index_sql(finding->index));
	while ((result = sql_step(statement)) == SQL_ROW) {
		best_offer(&finding->best, take_hit(finding, statement));
		++*count;
	}
	sql_reset(statement);
	return result;
}

/* The first walk, which counts, and finds the page by newest. */
static enum sql_result
walk_newest(struct finding *finding, size_t limit)
{
	struct sql_statement *statement =
	    prepare_walk(finding, finding->expression, finding->last, limit);
	enum sql_result result;

	if (statement == NULL)
		return sql_failure(index_sql(finding->index));
	while ((result = sql_step(statement)) == SQL_ROW) {
		struct hit hit = take_hit(finding, statement);

		if (finding->seen >= finding->offset &&
		    finding->newest_count < finding->limit)
			finding->newest[finding->newest_count++] = hit.row;
		if (finding->order != QUERY_NEWEST)
			best_offer(&finding->best, hit);
		finding->lowest = hit.row;
		finding->seen++;
	}
	sql_reset(statement);
	return result;
}

/* Hits of levels, from the highest down. Enough are those that fill a page by points, with
 * none on a lower level better than the worst of them; or so many candidates. */
static enum sql_result
walk_levels(struct finding *finding, size_t candidates)
{
	static const int firsts[] = { 11, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0 };
	enum sql_result result = SQL_DONE;
	int last = INDEX_LEVEL_MAX;
	size_t count, sum = 0;

	for (size_t i = 0; i < sizeof(firsts) / sizeof(firsts[0]) &&
	    result == SQL_DONE && sum < candidates;
	    i++) {
		result = walk(finding,
		    expression_of_levels(
			finding->arena, finding->expression, firsts[i], last),
		    finding->lowest - 1, POINTS_WALK, &count);
		sum += count;
		last = firsts[i] - 1;
		if (finding->order == QUERY_POINTS && firsts[i] > 0 &&
		    finding->best.count == BEST_MAX &&
		    finding->best.hits[0].key >= (double)(1 << (firsts[i] - 1)))
			break;
	}
	return result;
}

static enum sql_result
find_by_points(struct finding *finding)
{
	enum sql_result result = walk_newest(finding, POINTS_WALK);

	if (result != SQL_DONE || finding->seen < POINTS_WALK)
		return result;
	return walk_levels(finding, SIZE_MAX);
}

static enum sql_result
find_by_relevance(struct finding *finding)
{
	enum sql_result result = walk_newest(finding, RANK_WALK);
	size_t count;

	if (result != SQL_DONE || finding->seen < RANK_WALK)
		return result;
	result = walk(finding,
	    expression_of(finding->arena, finding->request->query,
		finding->request->names, EXPRESSION_IN_TITLES),
	    finding->lowest - 1, RANK_CANDIDATES, &count);
	if (result == SQL_DONE)
		result = walk_levels(finding, RANK_CANDIDATES);
	return result;
}

static enum sql_result
find_rows(struct finding *finding)
{
	switch (finding->order) {
	case QUERY_POINTS:
		return find_by_points(finding);
	case QUERY_RELEVANCE:
		return find_by_relevance(finding);
	default:
		return walk_newest(finding, FIND_COUNT_MAX + 1);
	}
}

/* Dates. */

/* The first row posted at a moment or later. */
static enum index_result
find_first(struct finding *finding, int64_t moment, int64_t *first)
{
	struct sql_statement *statement = sql_prepare(index_sql(finding->index),
	    "SELECT posted FROM post WHERE row = ?1");
	int64_t low = 1, high = index_rows(finding->index) + 1;

	if (statement == NULL)
		return index_result_of(sql_failure(index_sql(finding->index)));
	while (low < high) {
		int64_t middle = low + (high - low) / 2;
		enum sql_result result;
		bool is_before;

		sql_bind_number(statement, 1, middle);
		result = sql_step(statement);
		is_before =
		    result == SQL_ROW && sql_number(statement, 0) < moment;
		sql_reset(statement);
		/* Rows are numbered without a gap. */
		if (result != SQL_ROW)
			return INDEX_BROKEN;
		if (is_before)
			low = middle + 1;
		else
			high = middle;
	}
	*first = low;
	return INDEX_OK;
}

static enum index_result
find_range(struct finding *finding)
{
	const struct query *query = finding->request->query;
	enum index_result result = INDEX_OK;

	finding->first = 1;
	finding->last = index_rows(finding->index) + 1;
	if (query->after != 0)
		result = find_first(finding, query->after, &finding->first);
	if (result == INDEX_OK && query->before != 0)
		result = find_first(finding, query->before, &finding->last);
	finding->last--;
	return result;
}

/* Answers. */

static enum index_result
add_id(struct finding *finding, int64_t row, struct find_hits *hits)
{
	struct sql_statement *statement = sql_prepare(
	    index_sql(finding->index), "SELECT id FROM post WHERE row = ?1");
	enum sql_result result;

	if (statement == NULL)
		return index_result_of(sql_failure(index_sql(finding->index)));
	sql_bind_number(statement, 1, row);
	result = sql_step(statement);
	if (result == SQL_ROW)
		hits->ids[hits->size++] =
		    post_id_from_number((uint64_t)sql_number(statement, 0));
	sql_reset(statement);
	/* A row of words without a post. */
	return result == SQL_DONE ? INDEX_BROKEN : index_result_of(result);
}

static enum index_result
add_page(struct finding *finding, bool is_late, struct find_hits *hits)
{
	enum index_result result = INDEX_OK;

	if (is_late || finding->order == QUERY_NEWEST) {
		for (size_t i = 0;
		    i < finding->newest_count && result == INDEX_OK; i++)
			result = add_id(finding, finding->newest[i], hits);
		return result;
	}
	best_sort(&finding->best);
	for (size_t i = finding->offset; i < finding->best.count &&
	    hits->size < finding->limit && result == INDEX_OK;
	    i++)
		result = add_id(finding, finding->best.hits[i].row, hits);
	return result;
}

static enum index_result
find_page(struct finding *finding, struct find_hits *hits)
{
	enum index_result result;
	enum sql_result found;

	result = find_range(finding);
	if (result != INDEX_OK)
		return result;
	sql_limit(index_sql(finding->index), finding->request->microseconds);
	found = find_rows(finding);
	sql_limit(index_sql(finding->index), 0);
	if (found != SQL_DONE && found != SQL_LATE)
		return index_result_of(found);
	hits->count =
	    finding->seen < FIND_COUNT_MAX ? finding->seen : FIND_COUNT_MAX;
	hits->outcome = found == SQL_LATE    ? FIND_LATE
	    : finding->seen > FIND_COUNT_MAX ? FIND_MORE
					     : FIND_EXACT;
	return add_page(finding, found == SQL_LATE, hits);
}

static bool
has_words(const struct query *query)
{
	for (size_t i = 0; i < query->count; i++)
		if (query->items[i].word_count > 0 && !query->items[i].excluded)
			return true;
	return false;
}

enum index_result
find_posts(struct index *index, struct arena *arena,
    const struct find_request *request, struct find_hits *hits)
{
	struct finding *finding = arena_new(arena, struct finding, 1);
	enum index_result result;

	*hits = (struct find_hits){ 0 };
	if (!query_asks(request->query))
		return INDEX_OK;
	finding->index = index;
	finding->arena = arena;
	finding->request = request;
	finding->order =
	    request->order == QUERY_RELEVANCE && !has_words(request->query)
	    ? QUERY_NEWEST
	    : request->order;
	finding->offset = request->offset < FIND_OFFSET_MAX ? request->offset
							    : FIND_OFFSET_MAX;
	finding->limit =
	    request->limit < FIND_HITS_MAX ? request->limit : FIND_HITS_MAX;
	finding->expression = expression_of(
	    arena, request->query, request->names, EXPRESSION_ANYWHERE);
	result = index_begin(index);
	if (result == INDEX_OK)
		result = find_page(finding, hits);
	index_end(index);
	return result;
}
