#include "lists/list_sources.h"

#include "redis/redis.h"
#include "store/keys.h"

bool
list_sources_by_score(const struct list_query *query)
{
	return query->kind != LIST_INTERESTING &&
	    (query->order == ORDER_TOP || query->order == ORDER_BOTTOM);
}

bool
list_sources_are_merged(
    const struct store *store, const struct list_query *query)
{
	return store->buckets.count > 1 ||
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
	return query->kind != LIST_INTERESTING &&
		(query->order == ORDER_BOTTOM || query->order == ORDER_OLDEST)
	    ? MERGE_LOW_TO_HIGH
	    : MERGE_HIGH_TO_LOW;
}

/* The sorted set of an order: LIST is as key_time and key_score take it. */
static struct text
key_of(const struct merge *merge, const struct list_query *query,
    uint64_t bucket, struct text list)
{
	const struct buckets *buckets = &merge->store->buckets;

	if (query->kind == LIST_INTERESTING)
		return key_interesting(merge->arena, buckets, bucket);
	return list_sources_by_score(query)
	    ? key_score(merge->arena, buckets, bucket, list)
	    : key_time(merge->arena, buckets, bucket, list);
}

/* A search in a bucket walks the smallest group and looks into the others. */
static struct stream
search_stream(const struct merge *merge, const struct list_query *query,
    uint64_t bucket, const struct reply *sizes)
{
	struct text *others =
	    arena_new(merge->arena, struct text, query->group_count);
	struct stream stream = { .others = others, .bucket = bucket };
	size_t smallest = 0;

	for (size_t g = 1; g < query->group_count; g++)
		if (reply_number(&sizes[g]) < reply_number(&sizes[smallest]))
			smallest = g;
	for (size_t g = 0; g < query->group_count; g++) {
		struct text key =
		    key_of(merge, query, bucket, query->groups[g]);

		if (g == smallest)
			stream.key = key;
		else
			others[stream.other_count++] = key;
	}
	return stream;
}

static enum store_result
search_streams(struct merge *merge, const struct list_query *query)
{
	struct arena *arena = merge->arena;
	struct pipeline pipeline = pipeline_begin(merge->store->redis, arena);
	uint64_t buckets = merge->store->buckets.count;

	for (uint64_t b = 0; b < buckets; b++)
		for (size_t g = 0; g < query->group_count; g++)
			pipeline_add(&pipeline, TEXT("ZCARD"),
			    key_of(merge, query, b, query->groups[g]));
	if (store_run_partial(merge->store, &pipeline, &merge->is_partial) !=
	    STORE_OK)
		return STORE_DOWN;
	for (uint64_t b = 0; b < buckets; b++)
		merge->streams[merge->count++] = search_stream(
		    merge, query, b, &pipeline.replies[b * query->group_count]);
	return STORE_OK;
}

struct text
list_sources_list(struct arena *arena, const struct list_query *query)
{
	if (query->kind == LIST_GROUPS)
		return query->groups[0];
	return query->kind == LIST_AUTHOR
	    ? key_list_of_author(arena, query->author)
	    : TEXT("");
}

STORE_CALL
list_sources_open(const struct article_rows *details,
    const struct list_query *query, struct merge *merge)
{
	struct store *store = details->store;
	struct arena *arena = details->arena;
	uint64_t buckets = store->buckets.count;
	struct text list = list_sources_list(arena, query);
	bool is_of_groups = query->kind == LIST_GROUPS;
	const struct text *lists = is_of_groups ? query->groups : &list;
	size_t count = is_of_groups ? query->group_count : 1;

	*merge = (struct merge){ .store = store,
		.arena = arena,
		.versions = details->versions,
		.cache = details->cache,
		.streams = arena_new(arena, struct stream, buckets * count),
		.direction = list_sources_direction(query) };
	if (list_sources_are_searched(query))
		return search_streams(merge, query);
	for (uint64_t b = 0; b < buckets; b++)
		for (size_t l = 0; l < count; l++)
			merge->streams[merge->count++] = (struct stream){
				.key = key_of(merge, query, b, lists[l]),
				.bucket = b
			};
	return STORE_OK;
}
