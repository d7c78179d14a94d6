#include "lists/newest.h"

#include "lists/list.h"

size_t
newest_count(
    const struct entry *entries, size_t count, size_t page, int64_t now)
{
	size_t newest = 0;

	while (newest < count && newest < NEWEST_MAX &&
	    (newest < page || entries[newest].score > now - NEWEST_SECONDS))
		newest++;
	return newest;
}

/* Drops the entries with fewer points, or with points that are hidden. */
static enum store_result
drop_below(struct store *store, struct arena *arena, struct newest_least least,
    struct order *order)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	size_t kept = 0;

	for (size_t i = 0; i < order->count; i++)
		article_ask_counts(&pipeline, store, order->entries[i].id);
	if (store_run_partial(store, &pipeline, &order->is_partial) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < order->count; i++) {
		struct article article = { .score = 0 };

		if (pipeline.replies[i].kind == REPLY_LOST)
			continue;
		article_read_counts(&pipeline.replies[i], &article);
		if (article.post.points >= least.points &&
		    article.post.posted <= least.until)
			order->entries[kept++] = order->entries[i];
	}
	order->count = kept;
	return STORE_OK;
}

static enum store_result
read_articles(struct store *store, struct arena *arena,
    const struct order *order, size_t count, int64_t vote_score,
    struct newest_articles *newest)
{
	uint64_t *ids = arena_new(arena, uint64_t, count);
	enum store_result result;

	for (size_t i = 0; i < count; i++)
		ids[i] = order->entries[i].id;
	newest->articles = arena_new(arena, struct article, count);
	result = article_get_some(store, arena, SCHEMA_WHOLE, ids, count,
	    newest->articles, &newest->count, &newest->is_partial);
	for (size_t i = 0; result == STORE_OK && i < newest->count; i++)
		article_compute_score(vote_score, &newest->articles[i]);
	return result;
}

STORE_CALL
newest_articles_read(struct store *store, struct arena *arena,
    const struct list_query *query, struct newest_least least,
    struct newest_articles *newest)
{
	bool searches = least.points != NEWEST_ANY_POINTS;
	struct versions versions;
	struct order order;
	enum store_result result = list_read_order(store, arena, query,
	    searches ? NEWEST_SEARCHED : NEWEST_MAX, &order, &versions);
	size_t count;

	if (result == STORE_OK && searches)
		result = drop_below(store, arena, least, &order);
	if (result != STORE_OK)
		return result;
	*newest = (struct newest_articles){ .is_partial = order.is_partial ||
		    versions.is_partial };
	if (order.count > 0)
		newest->entered = order.entries[0].score;
	count = newest_count(order.entries, order.count,
	    (size_t)store->rules.page_size, versions.now);
	return read_articles(
	    store, arena, &order, count, versions.scale.vote_score, newest);
}
