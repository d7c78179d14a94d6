#include "lists/list.h"

#include "base/buffer.h"
#include "base/single_flight.h"
#include "lists/best.h"
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
	[ORDER_BEST] = TEXT_INIT("best"),
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

/* True when the articles of a period are read. */
static bool
is_of_period(const struct list_query *query)
{
	return query->order == ORDER_BEST || query->period.to != 0;
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
		query->gravity, order_moment(query, now), query->period.from,
		query->period.to };

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
	if (is_of_period(query))
		return best_read(rows, query, start, count, order);
	if (query->order == ORDER_HOT)
		return hot_read(rows, query, start, count, order);
	if (list_sources_are_sorted(query))
		return time_list_read(rows->store, rows->arena,
		    list_sources_list(rows->arena, query),
		    rows->versions->scale, list_sources_direction(query),
		    query->expensive, start, count, order);
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

/* Names a part of an order that votes do not change, but for the scores of its entries, in which
 * is what a vote is worth. */
static struct text
settled_name(const struct article_rows *rows, struct text name)
{
	return text_format(rows->arena, "%.*s settled %lld", TEXT_ARGS(name),
	    (long long)rows->versions->scale.vote_score);
}

/* Finds in the cache what votes do not change. */
static bool
get_settled(const struct article_rows *rows, const struct list_query *query,
    struct text name, struct order *order)
{
	return is_of_period(query) &&
	    read_cache_get_order(rows->cache, rows->arena,
		versions_edits_stamp(rows->versions), settled_name(rows, name),
		order);
}

static void
put_order(const struct article_rows *rows, struct stamp stamp, struct text name,
    const struct order *order)
{
	if (order->is_settled) {
		stamp = versions_edits_stamp(rows->versions);
		name = settled_name(rows, name);
	}
	if (!order->is_partial)
		read_cache_put_order(
		    rows->cache, rows->arena, stamp, name, order);
}

/* Finds an order in the cache. */
static bool
get_order(const struct article_rows *rows, const struct list_query *query,
    struct stamp stamp, struct text name, struct order *order)
{
	return read_cache_get_order(
		   rows->cache, rows->arena, stamp, name, order) ||
	    get_settled(rows, query, name, order);
}

/* Reads an order and caches it. One fiber does, for all that want it at once: after a vote the
 * next readers of the best of a year would all count as reading something expensive. */
static enum store_result
read_and_cache(const struct article_rows *rows, const struct list_query *query,
    struct stamp stamp, struct text name, uint64_t start, uint64_t count,
    struct order *order)
{
	static struct single_flights flights;
	struct text key = read_cache_key(rows->arena, stamp, 0, name);
	struct single_flight own;
	int result;

	if (key.size > 0 && single_flight_wait(&flights, key, &result) &&
	    (result != STORE_OK || get_order(rows, query, stamp, name, order)))
		return result;
	single_flight_begin(&flights, &own, key);
	result = read_limited(rows, query, start, count, order);
	if (result == STORE_OK)
		put_order(rows, stamp, name, order);
	single_flight_end(&flights, &own, result);
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

	*order = (struct order){ .count = 0 };
	return get_order(rows, query, stamp, name, order)
	    ? STORE_OK
	    : read_and_cache(rows, query, stamp, name, start, count, order);
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

/* The last page that a list may have; 0: it may have any number. */
static uint64_t
last_page_of(const struct store *store, const struct list_query *query)
{
	uint64_t size = (uint64_t)store->rules.page_size;

	if (query->order == ORDER_HOT || is_of_period(query))
		return (LIST_RANKED_MAX + size - 1) / size;
	return list_sources_are_merged(store, query) ? LIST_MERGED_PAGES : 0;
}

/* True when that page or one before it is the last that a list may have, or the entry at is behind
 * that. */
static bool
is_behind_last(const struct store *store, const struct list_query *query,
    uint64_t page, uint64_t at)
{
	uint64_t last = last_page_of(store, query);

	return last != 0 &&
	    (page >= last || at >= last * (uint64_t)store->rules.page_size);
}

/* A page while it is read. */
struct page_reading {
	struct article_rows *rows;
	const struct list_query *query;
	struct list *list;
	size_t size;
	uint64_t at;  /* the entry that is read next, from 0 */
	bool is_full; /* and that entry is to be shown */
	bool follows; /* there may be more to show */
};

/* Reads the articles of entries into the list, which has room for them. */
static enum store_result
read_articles(
    struct page_reading *reading, const struct entry *entries, size_t count)
{
	struct list *list = reading->list;
	size_t got;

	if (article_rows_read(reading->rows, entries, count,
		list->articles + list->count, list->stamps + list->count,
		&got) != STORE_OK)
		return STORE_DOWN;
	list->count += got;
	return STORE_OK;
}

/* The index of the entry of an article, from one on. */
static size_t
find_entry(const struct order *order, size_t i, uint64_t article)
{
	while (order->entries[i].id != article)
		i++;
	return i;
}

/* Drops what is hidden of the articles from first on, which were read from the order; what is
 * not, and has no room, is where the next page begins. */
static void
drop_hidden(struct page_reading *reading, const struct order *order,
    size_t first, size_t entry, uint64_t start)
{
	struct list *list = reading->list;
	size_t count = first, end = list->count;

	for (size_t i = first; i < end && !reading->is_full; i++) {
		const struct article *article = &list->articles[i];

		entry = find_entry(order, entry, article->post.id.article);
		if (hidden_article(reading->query->hidden, article)) {
			list->hidden++;
		} else if (count == reading->size) {
			reading->is_full = true;
			reading->at = start + entry;
		} else {
			list->articles[count] = *article;
			list->stamps[count++] = list->stamps[i];
		}
	}
	list->count = count;
}

/* Reads what is not hidden of a part of the order into the page, some articles at a time. */
static enum store_result
filter_order(
    struct page_reading *reading, const struct order *order, uint64_t start)
{
	const struct list *list = reading->list;

	for (size_t i = 0; i < order->count && !reading->is_full;) {
		size_t left = order->count - i, first = list->count;
		/* One more shows where the next page begins. */
		size_t count = left <= reading->size ? left : reading->size + 1;

		if (read_articles(reading, order->entries + i, count) !=
		    STORE_OK)
			return STORE_DOWN;
		drop_hidden(reading, order, first, i, start);
		i += count;
		if (!reading->is_full)
			reading->at = start + i;
	}
	return STORE_OK;
}

/* The entry before which reading for a page ends, from 0. */
static uint64_t
end_of_reading(const struct page_reading *reading)
{
	uint64_t last =
	    last_page_of(reading->rows->store, reading->query) * reading->size;
	uint64_t end = reading->at + HIDDEN_ENTRIES_MAX;

	return last != 0 && last < end ? last : end;
}

/* Reads parts of the order, each twice as long as the one before, since a merge is read from its
 * beginning each time. */
static enum store_result
read_filtered(struct page_reading *reading)
{
	const uint64_t end = end_of_reading(reading);
	struct list *list = reading->list;
	uint64_t count = reading->size + 1;
	struct order order;
	bool is_end = false;

	for (; !reading->is_full && !is_end && reading->at < end; count *= 2) {
		uint64_t start = reading->at, left = end - start;
		enum store_result result;

		count = count < left ? count : left;
		result = find_order(
		    reading->rows, reading->query, start, count, &order);
		if (result == STORE_OK)
			result = filter_order(reading, &order, start);
		if (result != STORE_OK)
			return result;
		list->is_partial = list->is_partial || order.is_partial;
		list->is_approximate =
		    list->is_approximate || order.is_approximate;
		list->search_ended = order.search_ended;
		is_end = order.count < count;
	}
	reading->follows = reading->is_full || !is_end;
	return STORE_OK;
}

static enum store_result
read_unfiltered(struct page_reading *reading)
{
	struct list *list = reading->list;
	struct order order;
	/* One more than the page has shows that another follows. */
	enum store_result result = find_order(reading->rows, reading->query,
	    reading->at, reading->size + 1, &order);

	if (result != STORE_OK)
		return result;
	list->is_partial = order.is_partial;
	list->is_approximate = order.is_approximate;
	list->search_ended = order.search_ended;
	reading->follows = order.count > reading->size;
	return read_articles(reading, order.entries,
	    order.count < reading->size ? order.count : reading->size);
}

/* The entry with which the page begins, from 0. */
static uint64_t
first_entry(const struct list_query *query, size_t size)
{
	return query->from > 1 ? query->from - 1
			       : page_start(query->page, size);
}

static enum store_result
read_page(struct article_rows *rows, const struct list_query *query,
    struct list *list)
{
	const struct store *store = rows->store;
	size_t max = list_sources_max(query);
	size_t size = max > 0 ? max : (size_t)store->rules.page_size;
	struct page_reading reading = { .rows = rows,
		.query = query,
		.list = list,
		.size = size,
		.at = first_entry(query, size) };
	bool follows, is_last;
	enum store_result result;
	size_t room;

	/* A full page, and what is read next to find the first of the next one. */
	room = query->hidden != NULL ? 2 * size + 1 : size;
	list->articles = arena_new(rows->arena, struct article, room);
	list->stamps = arena_new(rows->arena, struct stamp, room);
	result = query->hidden != NULL ? read_filtered(&reading)
				       : read_unfiltered(&reading);
	if (result != STORE_OK)
		return result;
	follows = max == 0 && reading.follows;
	is_last = is_behind_last(store, query, query->page, reading.at);
	list->more = follows && !is_last;
	list->cut_off = follows && is_last;
	list->hidden_ended = query->hidden != NULL && list->more &&
	    !reading.is_full && list->count < size;
	if (query->hidden != NULL && list->more)
		list->next = reading.at + 1;
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
		.by_score = list_sources_by_score(query) ||
		    query->order == ORDER_HOT || is_of_period(query) };

	if (read_versions(&rows, query->versions, &versions) != STORE_OK)
		return STORE_DOWN;
	*list = (struct list){ .now = versions.now,
		.last_page = last_page_of(store, query),
		.stamp = order_stamp(&versions, query) };
	list->cut_off = (query->page > 1 || query->from > 1) &&
	    is_behind_last(store, query, query->page - 1,
		query->from > 1 ? query->from - 1 : 0);
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
	for (size_t i = 0; i < order.count; i++)
		if (order.entries[i].id == article) {
			*place = i + 1;
			break;
		}
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
	uint64_t last = last_page_of(store, query), max = size * last;
	struct article_rows rows = {
		.store = store, .arena = arena, .cache = query->cache
	};
	struct versions versions;
	enum store_result result;

	if (!is_of_period(query) &&
	    (query->kind != LIST_GROUPS || query->group_count == 1)) {
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
