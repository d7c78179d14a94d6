#include "archive/import.h"

#include "redis/redis.h"
#include "store/keys.h"

static bool
is_refused(const struct import *import)
{
	return import->refusal.size > 0;
}

static bool
came_before(const struct import *imports, size_t index, struct arena *arena)
{
	struct text name = text_lower(arena, imports[index].record.user.name);

	for (size_t i = 0; i < index; i++)
		if (imports[i].outcome == IMPORT_LOADED &&
		    !is_refused(&imports[i]) &&
		    text_equal(
			name, text_lower(arena, imports[i].record.user.name)))
			return true;
	return false;
}

/* Notes who is new; returns how many are. */
static uint64_t
find_new_users(struct arena *arena, struct import *imports, size_t count,
    const uint64_t *ids)
{
	uint64_t fresh = 0;

	for (size_t i = 0; i < count; i++) {
		if (is_refused(&imports[i]))
			continue;
		imports[i].outcome =
		    ids[i] != 0 || came_before(imports, i, arena)
		    ? IMPORT_THERE
		    : IMPORT_LOADED;
		fresh += imports[i].outcome == IMPORT_LOADED;
	}
	return fresh;
}

static bool
is_written(const struct import *import)
{
	return !is_refused(import) && import->outcome == IMPORT_LOADED;
}

/* Somebody may have registered the name in the meantime. */
static enum store_result
drop_unclaimed(struct store *store, struct arena *arena, struct import *imports,
    size_t count, const struct pipeline *written)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	size_t answer = 0;

	for (size_t i = 0; i < count; i++) {
		if (!is_written(&imports[i]))
			continue;
		if (reply_number(&written->replies[answer + 1]) == 0) {
			imports[i].outcome = IMPORT_THERE;
			pipeline_add(&pipeline, TEXT("DEL"),
			    key_user(arena, imports[i].record.user.id));
		}
		answer += 2;
	}
	return redis_run(&pipeline) ? STORE_OK : STORE_DOWN;
}

/* The ids are given out in the order of the records. */
static enum store_result
write_users(struct store *store, struct names *names, struct arena *arena,
    struct import *imports, size_t count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text *wanted = arena_new(arena, struct text, count);
	uint64_t *ids = arena_new(arena, uint64_t, count);
	uint64_t fresh, id;

	for (size_t i = 0; i < count; i++)
		wanted[i] = imports[i].record.user.name;
	if (names_find(names, arena, wanted, count, ids) != STORE_OK)
		return STORE_DOWN;
	fresh = find_new_users(arena, imports, count, ids);
	if (fresh == 0)
		return STORE_OK;
	pipeline_add(&pipeline, TEXT("INCRBY"), KEY_USERS,
	    text_number(arena, (int64_t)fresh));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	id = (uint64_t)reply_number(&pipeline.replies[0]) - fresh;
	pipeline = pipeline_begin(store->redis, arena);
	for (size_t i = 0; i < count; i++) {
		if (!is_written(&imports[i]))
			continue;
		imports[i].record.user.id = ++id;
		user_send(&pipeline, &imports[i].record.user);
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	return drop_unclaimed(store, arena, imports, count, &pipeline);
}

static enum store_result
write_groups(struct store *store, struct arena *arena, struct import *imports,
    size_t count)
{
	for (size_t i = 0; i < count; i++) {
		enum store_result result;

		if (is_refused(&imports[i]))
			continue;
		result = group_create(store, arena, &imports[i].record.group);
		if (result == STORE_DOWN)
			return result;
		imports[i].outcome =
		    result == STORE_TAKEN ? IMPORT_THERE : IMPORT_LOADED;
	}
	return STORE_OK;
}

static void
add_ids(struct call *call, const struct voters *voters)
{
	for (size_t i = 0; i < voters->count; i++)
		call_add_number(call, (int64_t)voters->ids[i]);
}

static void
add_article(struct pipeline *pipeline, const struct store *store,
    const struct record *record)
{
	const struct article *article = &record->article;
	struct call call = call_begin(pipeline->arena, CALL_WRITES, "load_2",
	    key_post(pipeline->arena, store->rules.buckets, article->post.id));

	call_add_number(&call, store->rules.vote_score);
	call_add(&call,
	    article->post.voters_known ? TEXT("known") : TEXT("unknown"));
	call_add_number(&call, (int64_t)record->up.count);
	call_add_number(&call, (int64_t)record->down.count);
	add_ids(&call, &record->up);
	add_ids(&call, &record->down);
	schema_add(&call, &article_schema, article);
	call_send(&call, pipeline);
}

/* Keeps the link from being posted again, as posting does. */
static void
add_claim(struct pipeline *pipeline, const struct article *article)
{
	struct arena *arena = pipeline->arena;
	struct text link = article->url;

	if (link.size > 0 && rule_link(arena, &link).kind != PROBLEM_NONE)
		return;
	pipeline_add(pipeline, TEXT("SET"),
	    key_link(arena,
		rule_claim(arena, article->post.author.id, article->title, link,
		    article->text)),
	    text_number(arena, (int64_t)article->post.id.article), TEXT("NX"),
	    TEXT("EXAT"), text_number(arena, article->post.closes));
}

/*
 * Claims follow the articles. A crash in between leaves articles without them;
 * when the load is run again it finds these very articles, and claims for them.
 */
static enum store_result
write_claims(struct store *store, struct arena *arena, struct import *imports,
    size_t count, const struct reply *written, int64_t now)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (size_t i = 0; i < count; i++) {
		const struct article *article = &imports[i].record.article;
		enum store_result result;
		bool is_same;

		if (is_refused(&imports[i]))
			continue;
		result = call_outcome(written);
		is_same = reply_number(reply_item(written, 1)) == 1;
		written++;
		if (result == STORE_DOWN)
			return result;
		imports[i].outcome =
		    result == STORE_TAKEN ? IMPORT_THERE : IMPORT_LOADED;
		if (article->post.closes > now &&
		    (result == STORE_OK || is_same))
			add_claim(&pipeline, article);
	}
	return redis_run(&pipeline) ? STORE_OK : STORE_DOWN;
}

/*
 * The counter comes first: from then on no new article is given an id that is
 * about to be written.
 */
static enum store_result
write_articles(struct store *store, struct arena *arena, struct import *imports,
    size_t count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct call raise =
	    call_begin(arena, CALL_WRITES, "raise_1", KEY_ARTICLES);
	uint64_t highest = 0;

	for (size_t i = 0; i < count; i++)
		if (!is_refused(&imports[i]) &&
		    imports[i].record.article.post.id.article > highest)
			highest = imports[i].record.article.post.id.article;
	pipeline_add(&pipeline, TEXT("TIME"));
	call_add_number(&raise, (int64_t)highest);
	call_send(&raise, &pipeline);
	for (size_t i = 0; i < count; i++)
		if (!is_refused(&imports[i]))
			add_article(&pipeline, store, &imports[i].record);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	return write_claims(store, arena, imports, count, &pipeline.replies[2],
	    reply_seconds(&pipeline.replies[0]));
}

STORE_CALL
import_write(struct store *store, struct names *names, struct arena *arena,
    enum record_kind kind, struct import *imports, size_t count)
{
	switch (kind) {
	case RECORD_USER:
		return write_users(store, names, arena, imports, count);
	case RECORD_GROUP:
		return write_groups(store, arena, imports, count);
	case RECORD_ARTICLE:
		return write_articles(store, arena, imports, count);
	case RECORD_KINDS:
		break;
	}
	return STORE_OK;
}
