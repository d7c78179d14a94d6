#include "lists/list.h"

#include "base/buffer.h"
#include "lists/author_lists.h"
#include "lists/front.h"
#include "lists/list_sources.h"
#include "redis/redis.h"
#include "store/user.h"

const struct text list_order_words[] = {
	[ORDER_TOP] = TEXT_INIT("top"),
	[ORDER_BOTTOM] = TEXT_INIT("bottom"),
	[ORDER_NEW] = TEXT_INIT("new"),
	[ORDER_OLDEST] = TEXT_INIT("oldest"),
};

bool
list_order_parse(struct text word, enum list_order *order)
{
	size_t index;

	if (!text_index(word, list_order_words, 4, &index))
		return false;
	*order = (enum list_order)index;
	return true;
}

bool
list_match_parse(struct text word, enum list_match *match)
{
	*match = text_equal(word, TEXT("all")) ? MATCH_ALL : MATCH_ANY;
	return *match == MATCH_ALL || text_equal(word, TEXT("any"));
}

static bool
is_front(const struct list_query *query)
{
	return query->kind == LIST_FRONT && query->order == ORDER_TOP;
}

/* How many entries come before a page. Ids have twelve digits: after as many
 * pages there is nothing, and a number that Redis can read. */
static uint64_t
page_start(uint64_t page, uint64_t size)
{
	const uint64_t max = 1000000000000;

	return ((page < max ? page : max) - 1) * size;
}

/* Which part of which order; because of the promise, the front order also depends
 * on the time. */
static struct text
order_name(struct arena *arena, const struct list_query *query, uint64_t start,
    uint64_t count, int64_t now)
{
	struct buffer name = buffer_in(arena, 128);
	const int64_t numbers[] = { query->kind, query->order, query->match,
		(int64_t)query->author, (int64_t)start, (int64_t)count,
		is_front(query) ? now : 0 };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		buffer_add_number(&name, numbers[i]);
		buffer_add_char(&name, ' ');
	}
	for (size_t g = 0; g < query->group_count; g++) {
		buffer_add(&name, query->groups[g]);
		buffer_add_char(&name, ' ');
	}
	return buffer_text(&name);
}

static enum store_result
read_merged(const struct article_rows *details, const struct list_query *query,
    uint64_t start, uint64_t count, struct order *order)
{
	struct merge merge;
	enum store_result result = list_sources_open(details, query, &merge);

	if (result == STORE_OK)
		result = merge_read(
		    &merge, start, count, order->entries, &order->count);
	order->search_ended = merge.search_ended;
	order->is_partial = merge.is_partial;
	return result;
}

static enum store_result
read_front(const struct article_rows *details, uint64_t start, uint64_t count,
    struct order *order)
{
	struct front front = { .store = details->store,
		.arena = details->arena,
		.versions = details->versions,
		.cache = details->cache };
	enum store_result result =
	    front_read(&front, start, count, order->entries, &order->count);

	order->is_partial = front.is_partial;
	return result;
}

static enum store_result
read_order(const struct article_rows *details, const struct list_query *query,
    uint64_t start, uint64_t count, struct order *order)
{
	order->entries = arena_new(details->arena, struct entry, count);
	if (is_front(query))
		return read_front(details, start, count, order);
	if (query->kind == LIST_AUTHOR && list_sources_by_score(query))
		return author_list_read(details->store, details->arena,
		    query->author, list_sources_direction(query), start, count,
		    order);
	return read_merged(details, query, start, count, order);
}

static bool
is_expensive(const struct store *store, const struct list_query *query,
    uint64_t start, uint64_t count)
{
	return list_sources_are_searched(query) ||
	    (list_sources_are_merged(store, query) &&
		start + count > MERGE_EXPENSIVE_ENTRIES);
}

/* The same, unless it is an expensive one and too many of those are read already. */
static enum store_result
read_in_turn(const struct article_rows *details, const struct list_query *query,
    uint64_t start, uint64_t count, struct order *order)
{
	enum store_result result;

	if (!is_expensive(details->store, query, start, count))
		return read_order(details, query, start, count, order);
	if (!merge_enter(query->expensive))
		return STORE_LIMITED;
	result = read_order(details, query, start, count, order);
	merge_leave(query->expensive);
	return result;
}

/* The order from start on, as the worker kept it or read now and kept. */
static enum store_result
find_order(const struct article_rows *details, const struct list_query *query,
    uint64_t start, uint64_t count, struct order *order)
{
	struct arena *arena = details->arena;
	struct stamp stamp = versions_lists_stamp(details->versions);
	struct text name =
	    order_name(arena, query, start, count, details->versions->now);
	enum store_result result;

	*order = (struct order){ .count = 0 };
	if (read_cache_get_order(details->cache, arena, stamp, name, order))
		return STORE_OK;
	result = read_in_turn(details, query, start, count, order);
	if (result == STORE_OK && !order->is_partial)
		read_cache_put_order(details->cache, arena, stamp, name, order);
	return result;
}

/*
 * How many entries an order has, of max. To know that all of them are read, so the
 * number is kept, as an order of no entries has room for it: one with this id.
 */
static enum store_result
count_order(const struct article_rows *details, const struct list_query *query,
    uint64_t max, uint64_t *total)
{
	struct arena *arena = details->arena;
	struct stamp stamp = versions_lists_stamp(details->versions);
	struct text name =
	    order_name(arena, query, 0, 0, details->versions->now);
	struct order order;
	struct entry number = { .id = 0 };
	enum store_result result = STORE_OK;

	if (read_cache_get_order(details->cache, arena, stamp, name, &order)) {
		*total = order.entries[0].id;
		return STORE_OK;
	}
	result = find_order(details, query, 0, max, &order);
	if (result != STORE_OK)
		return result;
	*total = number.id = order.count;
	if (!order.is_partial)
		read_cache_put_order(details->cache, arena, stamp, name,
		    &(struct order){ .entries = &number, .count = 1 });
	return STORE_OK;
}

static enum store_result
read_page(struct article_rows *details, const struct list_query *query,
    struct list *list)
{
	const struct store *store = details->store;
	bool is_limited = query->kind == LIST_INTERESTING, follows, is_last;
	size_t size =
	    is_limited ? RULE_INTERESTING_MAX : (size_t)store->rules.page_size;
	size_t count;
	struct order order;
	/* One more than the page has tells whether another follows. */
	enum store_result result = find_order(
	    details, query, page_start(query->page, size), size + 1, &order);

	if (result != STORE_OK)
		return result;
	follows = !is_limited && order.count > size;
	is_last = list_sources_are_merged(store, query) &&
	    query->page >= LIST_MERGED_PAGES;
	list->more = follows && !is_last;
	list->cut_off = follows && is_last;
	list->search_ended = order.search_ended;
	list->is_partial = order.is_partial;
	count = order.count < size ? order.count : size;
	list->articles = arena_new(details->arena, struct article, count);
	list->stamps = arena_new(details->arena, struct stamp, count);
	if (article_rows_read(details, order.entries, count, list->articles,
		list->stamps, &list->count) != STORE_OK)
		return STORE_DOWN;
	list->is_partial = list->is_partial || details->is_partial ||
	    details->versions->is_partial;
	return STORE_OK;
}

/*
 * What the viewer has done is seen at once: the versions of those buckets are read
 * again for a while, and so are the articles' counts.
 */
static enum store_result
open_details(struct article_rows *details, const struct versions *known,
    struct versions *versions)
{
	struct store *store = details->store;
	struct user viewer = { .votes = 0 };

	if (known != NULL) {
		*versions = *known;
		if (versions_are_lost(versions))
			return STORE_DOWN;
	} else {
		if (details->viewer != 0 &&
		    user_get(store, details->arena, details->viewer, &viewer) ==
			STORE_DOWN)
			return STORE_DOWN;
		if (versions_get(store, details->arena, viewer.votes,
			versions) != STORE_OK ||
		    versions_are_lost(versions))
			return STORE_DOWN;
	}
	details->versions = versions;
	if (details->viewer == 0)
		return STORE_OK;
	if (article_rows_find_recent(details) != STORE_OK)
		return STORE_DOWN;
	return versions_refresh(store, details->arena, details->recent.articles,
	    details->recent.count, versions);
}

STORE_CALL
list_read(struct store *store, struct arena *arena,
    const struct list_query *query, struct list *list)
{
	struct versions versions;
	struct article_rows details = { .store = store,
		.arena = arena,
		.cache = query->cache,
		.viewer = query->viewer,
		.by_score = list_sources_by_score(query) };

	if (open_details(&details, query->versions, &versions) != STORE_OK)
		return STORE_DOWN;
	*list = (struct list){ .now = versions.now,
		.stamp = versions_lists_stamp(&versions) };
	list->cut_off = list_sources_are_merged(store, query) &&
	    query->page > LIST_MERGED_PAGES;
	return list->cut_off ? STORE_OK : read_page(&details, query, list);
}

STORE_CALL
list_front_place(struct store *store, struct arena *arena,
    struct read_cache *kept, const struct versions *versions, uint64_t article,
    uint64_t *place)
{
	const struct list_query front = { .kind = LIST_FRONT };
	const struct article_rows details = { .store = store,
		.arena = arena,
		.cache = kept,
		.versions = versions };
	uint64_t places = LIST_FRONT_PLACES;
	struct order order;

	*place = 0;
	if (find_order(&details, &front, 0, places, &order) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < order.count && *place == 0; i++)
		if (order.entries[i].id == article)
			*place = i + 1;
	return STORE_OK;
}

/* One sorted set of each bucket has all of it. */
static enum store_result
count_entries(struct store *store, struct arena *arena,
    const struct list_query *query, uint64_t *total)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text list = list_sources_list(arena, query);

	for (uint64_t b = 0; b < store->buckets.count; b++)
		pipeline_add(&pipeline, TEXT("ZCARD"),
		    key_time(arena, &store->buckets, b, list));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (uint64_t b = 0; b < store->buckets.count; b++)
		*total += (uint64_t)reply_number(&pipeline.replies[b]);
	return STORE_OK;
}

STORE_CALL
list_pages(struct store *store, struct arena *arena,
    const struct list_query *query, uint64_t *pages)
{
	uint64_t size = (uint64_t)store->rules.page_size, total = 0;
	uint64_t max = size * LIST_MERGED_PAGES;
	struct article_rows details = {
		.store = store, .arena = arena, .cache = query->cache
	};
	struct versions versions;
	enum store_result result;

	if (query->kind != LIST_GROUPS || query->group_count == 1) {
		result = count_entries(store, arena, query, &total);
	} else {
		/* It is read to its end, or as far as it goes. */
		result = open_details(&details, query->versions, &versions);
		if (result == STORE_OK)
			result = count_order(&details, query, max, &total);
	}
	if (list_sources_are_merged(store, query) && total > max)
		total = max;
	*pages = (total + size - 1) / size;
	return result;
}
