#include "lists/mod_log.h"

#include "lists/merge.h"
#include "redis/redis.h"
#include "store/versions.h"

enum { FILTERS_MAX = 3 };

/* The lists whose acts are wanted: all acts, when there is no filter. */
static size_t
lists_of(struct arena *arena, const struct mod_log_query *query,
    struct text lists[FILTERS_MAX])
{
	size_t count = 0;

	if (query->kind.size > 0)
		lists[count++] = key_log_of_kind(arena, query->kind);
	if (query->member != 0)
		lists[count++] = key_log_of_member(arena, query->member);
	if (query->moderator != 0)
		lists[count++] = key_log_of_moderator(arena, query->moderator);
	if (count == 0)
		lists[count++] = TEXT("");
	return count;
}

static struct stream
stream_of(struct arena *arena, const struct buckets *buckets, uint64_t bucket,
    const struct text *lists, size_t count)
{
	struct text *others = arena_new(arena, struct text, count);
	struct stream stream = { .key =
				     key_log(arena, buckets, bucket, lists[0]),
		.bucket = bucket,
		.others = others };

	for (size_t i = 1; i < count; i++)
		others[stream.other_count++] =
		    key_log(arena, buckets, bucket, lists[i]);
	return stream;
}

static enum store_result
read_acts(struct store *store, struct arena *arena, const struct entry *entries,
    size_t count, struct mod_log_page *log)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (size_t i = 0; i < count; i++)
		schema_ask(&pipeline, &mod_action_schema, SCHEMA_WHOLE,
		    key_mod_action(arena, &store->buckets, entries[i].id));
	if (store_run_partial(store, &pipeline, &log->is_partial) != STORE_OK)
		return STORE_DOWN;
	log->acts = arena_new(arena, struct mod_action, count);
	for (size_t i = 0; i < count; i++) {
		struct mod_action *act = &log->acts[log->count];

		act->id = entries[i].id;
		log->count += schema_read(&mod_action_schema, SCHEMA_WHOLE,
		    &pipeline.replies[i], act);
	}
	return STORE_OK;
}

uint64_t
mod_log_pages(const struct store *store)
{
	return store->buckets.count > 1 ? MOD_LOG_PAGES : UINT64_MAX;
}

STORE_CALL
mod_log_read(struct store *store, struct arena *arena,
    const struct mod_log_query *query, struct mod_log_page *log)
{
	uint64_t buckets = store->buckets.count;
	struct text lists[FILTERS_MAX];
	size_t list_count = lists_of(arena, query, lists), got;
	struct entry entries[MOD_LOG_PAGE + 1];
	struct versions versions;
	struct merge merge = { .store = store,
		.arena = arena,
		.versions = &versions,
		.streams = arena_new(arena, struct stream, buckets),
		.count = buckets };
	enum store_result result;

	if (versions_get_list(store, arena, &versions) != STORE_OK)
		return STORE_DOWN;
	*log = (struct mod_log_page){ .now = versions.now };
	for (uint64_t b = 0; b < buckets; b++)
		merge.streams[b] =
		    stream_of(arena, &store->buckets, b, lists, list_count);
	result = merge_read_in_turn(&merge, query->expensive,
	    (query->page - 1) * MOD_LOG_PAGE, MOD_LOG_PAGE + 1, entries, &got);
	if (result != STORE_OK)
		return result;
	log->more = got > MOD_LOG_PAGE;
	log->search_ended = merge.search_ended;
	log->is_partial = merge.is_partial || versions.is_partial;
	return read_acts(store, arena, entries,
	    got < MOD_LOG_PAGE ? got : MOD_LOG_PAGE, log);
}
