#include "lists/list.h"

#include "base/buffer.h"
#include "lists/front.h"
#include "lists/hot.h"
#include "lists/list_sources.h"
#include "lists/time_lists.h"
#include "redis/redis.h"
#include "store/user.h"

const struct text list_order_words[] = {
	[ORDER_TOP] = TEXT_INIT("top"),
	[ORDER_BOTTOM] = TEXT_INIT("bottom"),
	[ORDER_NEW] = TEXT_INIT("new"),
	[ORDER_OLDEST] = TEXT_INIT("oldest"),
	[ORDER_HOT] = TEXT_INIT("hot"),
	[ORDER_ACTIVE] = TEXT_INIT("active"),
};

bool
list_order_parse(enum list_kind kind, struct text word, enum list_order *order)
{
	size_t index;

	if (!text_index(word, list_order_words, LIST_ORDERS, &index) ||
	    !list_sources_have(kind, (enum list_order)index))
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

/* The stamp of all that the order follows from. */
static struct stamp
order_stamp(const struct versions *versions, const struct list_query *query)
{
	return query->order == ORDER_ACTIVE ? versions_posts_stamp(versions)
					    : versions_lists_stamp(versions);
}

/* The number of entries before a page. Ids have twelve digits: there are fewer pages than
 * that, and Redis can read the number. */
static uint64_t
page_start(uint64_t page, uint64_t size)
{
	const uint64_t max = 1000000000000;

	return ((page < max ? page : max) - 1) * size;
}

/* The moment on which an order depends, besides the lists: articles are pinned for a while, and
 * get colder. */
static int64_t
order_moment(const struct list_query *query, int64_t now)
{
	if (is_front(query))
		return now;
	return query->order == ORDER_HOT ? hot_minute(now) : 0;
}

/* Names a part of an order for the cache. */
static struct text
order_name(struct arena *arena, const struct list_query *query, uint64_t start,
    uint64_t count, int64_t now)
{
	struct buffer name = buffer_in(arena, 128);
	const int64_t numbers[] = { query->kind, query->order, query->match,
		(int64_t)query->author, (int64_t)start, (int64_t)count,
		query->gravity, order_moment(query, now) };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		buffer_add_number(&name, numbers[i]);
		buffer_add_char(&name, ' ');
	}
	buffer_add(&name, query->publisher);
	for (size_t g = 0; g < query->group_count; g++) {
		buffer_add(&name, query->groups[g]);
		buffer_add_char(&name, ' ');
	}
	return buffer_text(&name);
}

static enum store_result
read_order(const struct article_rows *rows, const struct list_query *query,
    uint64_t start, uint64_t count, struct order *order)
{
	order->entries = arena_new(rows->arena, struct entry, count);
	if (is_front(query))
		return front_read(rows, start, count, order);
	if (query->order == ORDER_HOT)
		return hot_read(rows, query, start, count, order);
	if (list_sources_are_sorted(query))
		return time_list_read(rows->store, rows->arena,
		    list_sources_list(rows->arena, query),
		    rows->versions->scale, list_sources_direction(query), start,
		    count, order);
	return list_sources_read(rows, query, start, count, order);
}

static bool
is_expensive(const struct store *store, const struct list_query *query,
    uint64_t start, uint64_t count)
{
	return list_sources_are_searched(query) ||
	    (list_sources_are_merged(store, query) &&
		start + count > MERGE_EXPENSIVE_ENTRIES);
}

/* STORE_LIMITED when the order is expensive, and too many of those are being read. */
static enum store_result
read_limited(const struct article_rows *rows, const struct list_query *query,
    uint64_t start, uint64_t count, struct order *order)
{
	enum store_result result;

	if (!is_expensive(rows->store, query, start, count))
		return read_order(rows, query, start, count, order);
	if (!merge_begin_expensive(query->expensive))
		return STORE_LIMITED;
	result = read_order(rows, query, start, count, order);
	merge_end_expensive(query->expensive);
	return result;
}

/* Finds the order from start on in the cache, or reads it and caches it. */
static enum store_result
find_order(const struct article_rows *rows, const struct list_query *query,
    uint64_t start, uint64_t count, struct order *order)
{
	struct arena *arena = rows->arena;
	struct stamp stamp = order_stamp(rows->versions, query);
	struct text name =
	    order_name(arena, query, start, count, rows->versions->now);
	enum store_result result;

	*order = (struct order){ .count = 0 };
	if (read_cache_get_order(rows->cache, arena, stamp, name, order))
		return STORE_OK;
	result = read_limited(rows, query, start, count, order);
	if (result == STORE_OK && !order->is_partial)
		read_cache_put_order(rows->cache, arena, stamp, name, order);
	return result;
}

/* Counts the entries of an order, max at most. All of them are read for that, so the
 * number is cached. */
static enum store_result
count_order(const struct article_rows *rows, const struct list_query *query,
    uint64_t max, uint64_t *total)
{
	struct arena *arena = rows->arena;
	struct stamp stamp = order_stamp(rows->versions, query);
	struct text name =
	    order_name(arena, query, 0, max, rows->versions->now);
	struct order order;
	enum store_result result;

	if (read_cache_get_count(rows->cache, arena, stamp, name, total))
		return STORE_OK;
	result = find_order(rows, query, 0, max, &order);
	if (result != STORE_OK)
		return result;
	*total = order.count;
	if (!order.is_partial)
		read_cache_put_count(rows->cache, arena, stamp, name, *total);
	return STORE_OK;
}

uint64_t
list_last_page(const struct store *store, const struct list_query *query)
{
	uint64_t size = (uint64_t)store->rules.page_size;

	if (query->order == ORDER_HOT)
		return (LIST_RANKED_MAX + size - 1) / size;
	return list_sources_are_merged(store, query) ? LIST_MERGED_PAGES : 0;
}

/* True when that page or one before it is the last that a list may have. */
static bool
is_last_page(
    const struct store *store, const struct list_query *query, uint64_t page)
{
	uint64_t last = list_last_page(store, query);

	return last != 0 && page >= last;
}

static enum store_result
read_page(struct article_rows *rows, const struct list_query *query,
    struct list *list)
{
	const struct store *store = rows->store;
	size_t max = list_sources_max(query), count;
	size_t size = max > 0 ? max : (size_t)store->rules.page_size;
	bool follows, is_last;
	struct order order;
	/* One more than the page has shows that another follows. */
	enum store_result result = find_order(
	    rows, query, page_start(query->page, size), size + 1, &order);

	if (result != STORE_OK)
		return result;
	follows = max == 0 && order.count > size;
	is_last = is_last_page(store, query, query->page);
	list->more = follows && !is_last;
	list->cut_off = follows && is_last;
	list->search_ended = order.search_ended;
	list->is_approximate = order.is_approximate;
	list->is_partial = order.is_partial;
	count = order.count < size ? order.count : size;
	list->articles = arena_new(rows->arena, struct article, count);
	list->stamps = arena_new(rows->arena, struct stamp, count);
	if (article_rows_read(rows, order.entries, count, list->articles,
		list->stamps, &list->count) != STORE_OK)
		return STORE_DOWN;
	list->is_partial =
	    list->is_partial || rows->is_partial || rows->versions->is_partial;
	return STORE_OK;
}

/*
 * Reads the versions. Viewers see their own actions at once: the versions of buckets in which
 * they have voted are read again for a while, and so are the articles' counts.
 */
static enum store_result
read_versions(struct article_rows *rows, const struct versions *known,
    struct versions *versions)
{
	struct store *store = rows->store;
	struct user viewer = { .votes = 0 };

	if (known != NULL) {
		*versions = *known;
		if (versions_are_lost(versions))
			return STORE_DOWN;
	} else {
		if (rows->viewer != 0 &&
		    user_get(store, rows->arena, rows->viewer, &viewer) ==
			STORE_DOWN)
			return STORE_DOWN;
		if (versions_get(store, rows->arena, viewer.votes, versions) !=
			STORE_OK ||
		    versions_are_lost(versions))
			return STORE_DOWN;
	}
	rows->versions = versions;
	if (rows->viewer == 0)
		return STORE_OK;
	if (article_rows_find_recent(rows) != STORE_OK)
		return STORE_DOWN;
	return versions_refresh(store, rows->arena, rows->recent.articles,
	    rows->recent.count, versions);
}

STORE_CALL
list_read(struct store *store, struct arena *arena,
    const struct list_query *query, struct list *list)
{
	struct versions versions;
	struct article_rows rows = { .store = store,
		.arena = arena,
		.cache = query->cache,
		.viewer = query->viewer,
		.by_score =
		    list_sources_by_score(query) || query->order == ORDER_HOT };

	if (read_versions(&rows, query->versions, &versions) != STORE_OK)
		return STORE_DOWN;
	*list = (struct list){ .now = versions.now,
		.last_page = list_last_page(store, query),
		.stamp = order_stamp(&versions, query) };
	list->cut_off =
	    query->page > 1 && is_last_page(store, query, query->page - 1);
	return list->cut_off ? STORE_OK : read_page(&rows, query, list);
}

STORE_CALL
list_read_order(struct store *store, struct arena *arena,
    const struct list_query *query, uint64_t count, struct order *order,
    struct versions *versions)
{
	struct article_rows rows = {
		.store = store, .arena = arena, .cache = query->cache
	};

	if (read_versions(&rows, query->versions, versions) != STORE_OK)
		return STORE_DOWN;
	return find_order(&rows, query, 0, count, order);
}

STORE_CALL
list_front_place(struct store *store, struct arena *arena,
    struct read_cache *cache, const struct versions *versions, uint64_t article,
    uint64_t *place)
{
	const struct list_query front = { .kind = LIST_FRONT };
	const struct article_rows rows = { .store = store,
		.arena = arena,
		.cache = cache,
		.versions = versions };
	uint64_t places = LIST_FRONT_PLACES;
	struct order order;

	*place = 0;
	if (find_order(&rows, &front, 0, places, &order) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < order.count && *place == 0; i++)
		if (order.entries[i].id == article)
			*place = i + 1;
	return STORE_OK;
}

/* Counts a list of which one sorted set of each bucket has all. */
static enum store_result
count_entries(struct store *store, struct arena *arena,
    const struct list_query *query, uint64_t *total)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text list = list_sources_list(arena, query);
	enum key_kind kind = list_sources_have_orders(query)
	    ? KEY_TIME
	    : list_sources_kind(query, NULL);

	for (uint64_t b = 0; b < store->buckets.count; b++)
		pipeline_add(&pipeline, TEXT("ZCARD"),
		    key_in_bucket(arena, &store->buckets, b, kind, list));
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
	uint64_t last = list_last_page(store, query), max = size * last;
	struct article_rows rows = {
		.store = store, .arena = arena, .cache = query->cache
	};
	struct versions versions;
	enum store_result result;

	if (query->kind != LIST_GROUPS || query->group_count == 1) {
		result = count_entries(store, arena, query, &total);
	} else {
		result = read_versions(&rows, query->versions, &versions);
		if (result == STORE_OK)
			result = count_order(&rows, query, max, &total);
	}
	if (last != 0 && total > max)
		total = max;
	*pages = (total + size - 1) / size;
	return result;
}
