#include "lists/mod_log.h"

#include "base/arena.h"
#include "lists/merge.h"
#include "lists/newest.h"
#include "store/article.h"
#include "store/versions.h"

enum { FILTERS_MAX = 4 };

/* One list per filter; without a filter, the list of all actions. */
static size_t
filter_lists(struct arena *arena, const struct mod_log_query *query,
    struct text lists[FILTERS_MAX])
{
	size_t count = 0;

	if (query->kind.size > 0)
		lists[count++] = key_log_of_kind(arena, query->kind);
	if (query->member != 0)
		lists[count++] = key_log_of_member(arena, query->member);
	if (query->moderator != 0)
		lists[count++] = key_log_of_moderator(arena, query->moderator);
	if (query->decision != 0)
		lists[count++] = key_log_of_decision(arena, query->decision);
	if (count == 0)
		lists[count++] = TEXT("");
	return count;
}

/* What its author has withdrawn, or was never shown, is named to nobody. */
static struct text
title_of(const struct reply *fields)
{
	struct text removed = reply_text(reply_item(fields, 1));
	struct text by = reply_text(reply_item(fields, 3));
	bool is_withdrawn = removed.size > 0 && by.size > 0 &&
	    text_equal(by, reply_text(reply_item(fields, 4)));

	return is_withdrawn || reply_text(reply_item(fields, 2)).size > 0
	    ? TEXT("")
	    : reply_text(reply_item(fields, 0));
}

static enum store_result
add_titles(struct store *store, struct arena *arena, struct mod_log_page *log)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	const struct reply *reply;
	bool is_partial;

	for (size_t i = 0; i < log->count; i++)
		if (log->actions[i].article != 0)
			pipeline_add(&pipeline, TEXT("HMGET"),
			    key_post(arena, &store->buckets,
				article_id(log->actions[i].article)),
			    TEXT("title"), TEXT("removed"), TEXT("held"),
			    TEXT("removed_by"), TEXT("author"));
	if (pipeline.count == 0)
		return STORE_OK;
	if (store_run_partial(store, &pipeline, &is_partial) != STORE_OK)
		return STORE_DOWN;
	reply = pipeline.replies;
	for (size_t i = 0; i < log->count; i++)
		if (log->actions[i].article != 0)
			log->actions[i].title = title_of(reply++);
	return STORE_OK;
}

STORE_CALL
mod_log_get(struct store *store, struct arena *arena, const uint64_t *ids,
    size_t count, struct mod_log_page *log)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (size_t i = 0; i < count; i++)
		schema_ask(&pipeline, &mod_action_schema, SCHEMA_WHOLE,
		    key_mod_action(arena, &store->buckets, ids[i]));
	if (store_run_partial(store, &pipeline, &log->is_partial) != STORE_OK)
		return STORE_DOWN;
	log->actions = arena_new(arena, struct mod_action, count);
	for (size_t i = 0; i < count; i++) {
		struct mod_action *action = &log->actions[log->count];

		action->id = ids[i];
		log->count += schema_read(&mod_action_schema, SCHEMA_WHOLE,
		    &pipeline.replies[i], action);
	}
	return add_titles(store, arena, log);
}

static enum store_result
read_actions(struct store *store, struct arena *arena,
    const struct entry *entries, size_t count, struct mod_log_page *log)
{
	uint64_t *ids = arena_new(arena, uint64_t, count);

	for (size_t i = 0; i < count; i++)
		ids[i] = entries[i].id;
	return mod_log_get(store, arena, ids, count, log);
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
	struct text lists[FILTERS_MAX];
	size_t list_count = filter_lists(arena, query, lists), count;
	size_t size = query->is_feed ? NEWEST_MAX : MOD_LOG_PAGE;
	struct entry entries[NEWEST_MAX + 1];
	struct versions versions;
	struct merge merge;
	enum store_result result;

	if (versions_get_list(store, arena, &versions) != STORE_OK)
		return STORE_DOWN;
	*log = (struct mod_log_page){ .now = versions.now };
	merge = merge_open(store, arena, &versions, 1);
	for (uint64_t b = 0; b < store->buckets.count; b++)
		merge_add_search(&merge, b, KEY_LOG, lists, list_count, 0);
	result = merge_read_page(&merge, query->expensive, query->page, size,
	    entries, &count, &log->more);
	if (result != STORE_OK)
		return result;
	if (query->is_feed)
		count =
		    newest_count(entries, count, MOD_LOG_PAGE, versions.now);
	log->search_ended = merge.search_ended;
	log->is_partial = merge.is_partial || versions.is_partial;
	return read_actions(store, arena, entries, count, log);
}
