#include "lists/list_sources.h"

#include "store/keys.h"

/* The kinds of lists. */
static const struct {
	size_t max; /* articles on its only page; 0: it has pages */
	enum key_kind
	    key; /* the sorted sets of a list that has one order; KEY_OTHER:
			   KEY_TIME, or by score, as the order is */
	bool is_by_time_alone; /* there are none by score */
} kinds[] = {
	[LIST_FRONT] = { .key = KEY_OTHER },
	[LIST_GROUPS] = { .key = KEY_OTHER },
	[LIST_AUTHOR] = { .key = KEY_OTHER, .is_by_time_alone = true },
	[LIST_PUBLISHER] = { .key = KEY_OTHER, .is_by_time_alone = true },
	[LIST_INTERESTING] = { RULE_INTERESTING_MAX, KEY_INTERESTING, true },
};

bool
list_sources_have_orders(const struct list_query *query)
{
	return kinds[query->kind].key == KEY_OTHER;
}

size_t
list_sources_max(const struct list_query *query)
{
	return kinds[query->kind].max;
}

bool
list_sources_have(enum list_kind kind, enum list_order order)
{
	return order <= ORDER_OLDEST || kind == LIST_FRONT ||
	    kind == LIST_GROUPS;
}

bool
list_sources_by_score(const struct list_query *query)
{
	return list_sources_have_orders(query) &&
	    (query->order == ORDER_TOP || query->order == ORDER_BOTTOM);
}

bool
list_sources_are_sorted(const struct list_query *query)
{
	return list_sources_by_score(query) &&
	    kinds[query->kind].is_by_time_alone;
}

bool
list_sources_are_merged(
    const struct store *store, const struct list_query *query)
{
	return store->buckets.count > 1 || query->order == ORDER_ACTIVE ||
	    (query->kind == LIST_GROUPS && query->group_count > 1);
}

bool
list_sources_are_searched(const struct list_query *query)
{
	return query->kind == LIST_GROUPS && query->group_count > 1 &&
	    query->match == MATCH_ALL;
}

enum merge_direction
list_sources_direction(const struct list_query *query)
{
	return list_sources_have_orders(query) &&
		(query->order == ORDER_BOTTOM || query->order == ORDER_OLDEST)
	    ? MERGE_LOW_TO_HIGH
	    : MERGE_HIGH_TO_LOW;
}

enum key_kind
list_sources_kind(
    const struct list_query *query, const struct versions *versions)
{
	if (!list_sources_have_orders(query))
		return kinds[query->kind].key;
	if (!list_sources_by_score(query))
		return KEY_TIME;
	return scale_kind(versions->scale);
}

/* Searches the smallest list of each bucket for what is in the others, too. */
static enum store_result
add_searches(struct merge *merge, const struct text *lists, size_t count,
    enum key_kind kind)
{
	const struct buckets *buckets = &merge->store->buckets;
	struct pipeline pipeline =
	    pipeline_begin(merge->store->redis, merge->arena);

	for (uint64_t b = 0; b < buckets->count; b++)
		for (size_t i = 0; i < count; i++)
			pipeline_add(&pipeline, TEXT("ZCARD"),
			    key_in_bucket(
				merge->arena, buckets, b, kind, lists[i]));
	if (store_run_partial(merge->store, &pipeline, &merge->is_partial) !=
	    STORE_OK)
		return STORE_DOWN;
	for (uint64_t b = 0; b < buckets->count; b++) {
		const struct reply *sizes = &pipeline.replies[b * count];
		size_t smallest = 0;

		for (size_t i = 1; i < count; i++)
			if (reply_number(&sizes[i]) <
			    reply_number(&sizes[smallest]))
				smallest = i;
		merge_add_search(merge, b, kind, lists, count, smallest);
	}
	return STORE_OK;
}

struct text
list_sources_list(struct arena *arena, const struct list_query *query)
{
	switch (query->kind) {
	case LIST_GROUPS:
		return query->group_count > 0 ? query->groups[0] : TEXT("");
	case LIST_AUTHOR:
		return key_list_of_author(arena, query->author);
	case LIST_PUBLISHER:
		return key_list_of_publisher(arena, query->publisher);
	default:
		return TEXT("");
	}
}

/* Finds the lists of a query: what it asks for is in all of them, or in any. Returns their
 * number. */
static size_t
find_lists(struct arena *arena, const struct list_query *query,
    const struct text **lists)
{
	struct text *list;

	if (query->kind == LIST_GROUPS) {
		*lists = query->groups;
		return query->group_count;
	}
	list = arena_new(arena, struct text, 1);
	*list = list_sources_list(arena, query);
	*lists = list;
	return 1;
}

static enum store_result
add_lists(struct merge *merge, const struct list_query *query,
    const struct text *lists, size_t count, enum key_kind kind)
{
	if (list_sources_are_searched(query))
		return add_searches(merge, lists, count, kind);
	for (size_t i = 0; i < count; i++)
		merge_add(merge, kind, lists[i]);
	return STORE_OK;
}

STORE_CALL
list_sources_open(const struct article_rows *rows,
    const struct list_query *query, struct merge *merge)
{
	struct arena *arena = rows->arena;
	const struct text *lists;
	size_t count = find_lists(arena, query, &lists);

	/* What has comments, and everything by time: the first is higher there. */
	const enum key_kind kinds_read[] = {
		list_sources_kind(query, rows->versions), KEY_ACTIVE
	};
	size_t kind_count = query->order == ORDER_ACTIVE ? 2 : 1;
	enum store_result result = STORE_OK;

	*merge =
	    merge_open(rows->store, arena, rows->versions, kind_count * count);
	merge->cache = rows->cache;
	merge->direction = list_sources_direction(query);
	/* Of one list of an article the cached beginning may be older than what is read of another. */
	merge->repeats = kind_count > 1 || count > 1;
	for (size_t k = 0; k < kind_count && result == STORE_OK; k++)
		result = add_lists(merge, query, lists, count, kinds_read[k]);
	return result;
}

STORE_CALL
list_sources_open_points(const struct article_rows *rows,
    const struct list_query *query, const struct text *months,
    size_t month_count, struct merge *merge)
{
	struct arena *arena = rows->arena;
	const struct text *lists;
	size_t count = find_lists(arena, query, &lists);
	enum store_result result = STORE_OK;

	*merge = merge_open(rows->store, arena, rows->versions,
	    count * (month_count > 0 ? month_count : 1));
	merge->shares = true;
	if (month_count == 0)
		return add_lists(merge, query, lists, count, KEY_POINTS);
	for (size_t m = 0; m < month_count && result == STORE_OK; m++) {
		struct text *of_month = arena_new(arena, struct text, count);

		for (size_t i = 0; i < count; i++)
			of_month[i] =
			    key_list_of_month(arena, months[m], lists[i]);
		result = add_lists(merge, query, of_month, count, KEY_MONTH);
	}
	return result;
}

STORE_CALL
list_sources_read(const struct article_rows *rows,
    const struct list_query *query, uint64_t start, uint64_t count,
    struct order *order)
{
	struct merge merge;
	enum store_result result = list_sources_open(rows, query, &merge);

	if (result == STORE_OK)
		result = merge_read(
		    &merge, start, count, order->entries, &order->count);
	order->search_ended = merge.search_ended;
	order->is_partial = merge.is_partial;
	return result;
}
