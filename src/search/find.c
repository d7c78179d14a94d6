#include "search/find.h"

#include <math.h>

#include "base/arena.h"
#include "search/best.h"
#include "search/expression.h"
#include "search/tags.h"
#include "store/encoding.h"

enum {
	POINTS_WALK = 20000,
	RANK_WALK = 2000,
	RANK_CANDIDATES = 200,
};

struct finding {
	struct index *index;
	struct sql *sql;
	struct arena *arena;
	const struct find_request *request;
	enum query_order order;
	size_t offset, limit;
	struct text expression;
	int64_t first, last; /* rows between which to look */
	struct best best;

	/* Of the first walk, from the newest hit down. */
	size_t seen;
	int64_t lowest;
	int64_t newest[FIND_HITS_MAX]; /* of the page, by newest */
	size_t newest_count;
};

/* Walks over hits. */

static struct sql_statement *
prepare_walk(const struct finding *finding, struct text expression,
    int64_t last, size_t limit)
{
	/* Only relevance needs what FTS5 has to compute for it. */
	struct sql_statement *statement = sql_bind(finding->sql,
	    finding->order == QUERY_RELEVANCE
		? "SELECT rowid, tally_score(words) FROM words"
		  " WHERE rowid BETWEEN ?1 AND ?2 AND words MATCH ?4"
		  " ORDER BY rowid DESC LIMIT ?3"
		: "SELECT rowid, 0 FROM words"
		  " WHERE rowid BETWEEN ?1 AND ?2 AND words MATCH ?4"
		  " ORDER BY rowid DESC LIMIT ?3",
	    SQL_NUMBERS(finding->first, last, (int64_t)limit));

	sql_bind_text(statement, 4, expression);
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

/* The first walk: it counts, and finds the page by newest. */
static enum sql_result
walk_first(struct finding *finding, size_t limit)
{
	struct sql_statement *statement =
	    prepare_walk(finding, finding->expression, finding->last, limit);
	enum sql_result result;

	if (statement == NULL)
		return sql_failure(finding->sql);
	while ((result = sql_step(statement)) == SQL_ROW) {
		struct hit hit = take_hit(finding, statement);

		if (finding->seen++ >= finding->offset &&
		    finding->newest_count < finding->limit)
			finding->newest[finding->newest_count++] = hit.row;
		if (finding->order != QUERY_NEWEST)
			best_offer(&finding->best, hit);
		finding->lowest = hit.row;
	}
	sql_reset(statement);
	return result;
}

/* Further hits, which the first walk did not reach. */
static enum sql_result
walk_below(struct finding *finding, struct text expression, size_t limit,
    size_t *count)
{
	struct sql_statement *statement =
	    prepare_walk(finding, expression, finding->lowest - 1, limit);
	enum sql_result result;

	if (statement == NULL)
		return sql_failure(finding->sql);
	while ((result = sql_step(statement)) == SQL_ROW) {
		best_offer(&finding->best, take_hit(finding, statement));
		++*count;
	}
	sql_reset(statement);
	return result;
}

/* The levels together: few posts are on the highest. */
static const int first_levels[] = { 11, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0 };
enum { LEVELS = sizeof(first_levels) / sizeof(first_levels[0]) };

static struct text
expression_of_step(const struct finding *finding, size_t step)
{
	int last = step > 0 ? first_levels[step - 1] - 1 : TAGS_LEVEL_MAX;

	return expression_of_levels(
	    finding->arena, finding->expression, first_levels[step], last);
}

/* True when no post of lower levels can be among the best. */
static bool
is_enough(const struct finding *finding, size_t step)
{
	int first = first_levels[step];

	return first == 0 ||
	    best_least(&finding->best) >= (double)(1 << (first - 1));
}

static enum sql_result
find_by_points(struct finding *finding)
{
	enum sql_result result = walk_first(finding, POINTS_WALK);
	size_t count = 0;

	if (finding->seen < POINTS_WALK)
		return result;
	for (size_t step = 0; step < LEVELS && result == SQL_DONE; step++) {
		result = walk_below(finding, expression_of_step(finding, step),
		    POINTS_WALK, &count);
		if (is_enough(finding, step))
			break;
	}
	return result;
}

/* Candidates of which the first walk, the newest, was not all. */
static enum sql_result
walk_candidates(struct finding *finding)
{
	size_t count = 0;
	enum sql_result result = walk_below(finding,
	    expression_of(finding->arena, finding->request->query,
		finding->request->names, EXPRESSION_IN_TITLES),
	    RANK_CANDIDATES, &count);
	count = 0;
	for (size_t step = 0;
	    step < LEVELS && count < RANK_CANDIDATES && result == SQL_DONE;
	    step++)
		result = walk_below(finding, expression_of_step(finding, step),
		    RANK_CANDIDATES - count, &count);
	return result;
}

static enum sql_result
find_by_relevance(struct finding *finding)
{
	enum sql_result result = walk_first(finding, RANK_WALK);

	if (result == SQL_DONE && finding->seen == RANK_WALK)
		result = walk_candidates(finding);
	/* Fewer were ranked, but all that are counted. */
	if (result == SQL_LATE && finding->seen > FIND_COUNT_MAX)
		return SQL_DONE;
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
		return walk_first(finding, FIND_COUNT_MAX + 1);
	}
}

/* Dates. */

/* The first row posted at a moment or later. */
static enum sql_result
find_first(const struct finding *finding, int64_t moment, int64_t *first)
{
	int64_t low = 1, high = index_rows(finding->index) + 1;

	while (low < high) {
		int64_t middle = low + (high - low) / 2, posted;
		enum sql_result result = sql_read(finding->sql,
		    sql_bind(finding->sql,
			"SELECT posted FROM post WHERE row = ?1",
			SQL_NUMBERS(middle)),
		    &posted, 1);

		/* Rows are numbered without a gap. */
		if (result != SQL_ROW)
			return result == SQL_DONE ? SQL_BROKEN : result;
		if (posted < moment)
			low = middle + 1;
		else
			high = middle;
	}
	*first = low;
	return SQL_DONE;
}

static enum sql_result
find_range(struct finding *finding)
{
	const struct query *query = finding->request->query;
	enum sql_result result = SQL_DONE;

	finding->first = 1;
	finding->last = index_rows(finding->index) + 1;
	if (query->after != 0)
		result = find_first(finding, query->after, &finding->first);
	if (result == SQL_DONE && query->before != 0)
		result = find_first(finding, query->before, &finding->last);
	finding->last--;
	return result;
}

/* Answers. */

static enum sql_result
add_id(struct finding *finding, int64_t row, struct find_hits *hits)
{
	int64_t id;
	enum sql_result result = sql_read(finding->sql,
	    sql_bind(finding->sql, "SELECT id FROM post WHERE row = ?1",
		SQL_NUMBERS(row)),
	    &id, 1);

	/* Words of no post. */
	if (result != SQL_ROW)
		return result == SQL_DONE ? SQL_BROKEN : result;
	hits->ids[hits->size++] = post_id_from_number((uint64_t)id);
	return SQL_DONE;
}

static enum sql_result
add_newest(struct finding *finding, struct find_hits *hits)
{
	enum sql_result result = SQL_DONE;

	for (size_t i = 0; i < finding->newest_count && result == SQL_DONE; i++)
		result = add_id(finding, finding->newest[i], hits);
	return result;
}

static enum sql_result
add_best(struct finding *finding, struct find_hits *hits)
{
	enum sql_result result = SQL_DONE;

	best_sort(&finding->best);
	for (size_t i = finding->offset; i < finding->best.count &&
	    hits->size < finding->limit && result == SQL_DONE;
	    i++)
		result = add_id(finding, finding->best.hits[i].row, hits);
	return result;
}

static enum sql_result
find_page(struct finding *finding, struct find_hits *hits)
{
	enum sql_result result = find_range(finding);

	if (result != SQL_DONE)
		return result;
	sql_limit(finding->sql, finding->request->microseconds);
	result = find_rows(finding);
	sql_limit(finding->sql, 0);
	if (result != SQL_DONE && result != SQL_LATE)
		return result;
	hits->outcome = result == SQL_LATE ? FIND_LATE : FIND_EXACT;
	hits->count = finding->seen;
	if (hits->count > FIND_COUNT_MAX) {
		hits->count = FIND_COUNT_MAX;
		if (hits->outcome == FIND_EXACT)
			hits->outcome = FIND_MORE;
	}
	return result == SQL_LATE || finding->order == QUERY_NEWEST
	    ? add_newest(finding, hits)
	    : add_best(finding, hits);
}

static bool
has_words(const struct query *query)
{
	for (size_t i = 0; i < query->count; i++)
		if (query->items[i].word_count > 0 && !query->items[i].excluded)
			return true;
	return false;
}

static size_t
at_most(size_t number, size_t bound)
{
	return number < bound ? number : bound;
}

static struct finding *
make_finding(struct index *index, struct arena *arena,
    const struct find_request *request)
{
	struct finding *finding = arena_new(arena, struct finding, 1);

	finding->index = index;
	finding->sql = index_sql(index);
	finding->arena = arena;
	finding->request = request;
	finding->order = request->order;
	if (request->order == QUERY_RELEVANCE && !has_words(request->query))
		finding->order = QUERY_NEWEST;
	finding->offset = at_most(request->offset, FIND_OFFSET_MAX);
	finding->limit = at_most(request->limit, FIND_HITS_MAX);
	finding->expression = expression_of(
	    arena, request->query, request->names, EXPRESSION_ANYWHERE);
	/* By relevance a row may be offered twice. */
	finding->best.room = (finding->offset + finding->limit) *
	    (finding->order == QUERY_RELEVANCE ? 2 : 1);
	finding->best.hits =
	    arena_new(arena, struct hit, finding->best.room + 1);
	return finding;
}

enum index_result
find_posts(struct index *index, struct arena *arena,
    const struct find_request *request, struct find_hits *hits)
{
	enum index_result result;

	*hits = (struct find_hits){ 0 };
	if (!query_asks(request->query))
		return INDEX_OK;
	result = index_begin(index);
	if (result == INDEX_OK)
		result = index_result_of(
		    find_page(make_finding(index, arena, request), hits));
	index_end(index);
	return result;
}
