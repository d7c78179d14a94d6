#include "archive/import.h"

#include <string.h>

#include "base/sort.h"
#include "redis/redis.h"
#include "store/keys.h"

/* Of what is wrong, the first is kept. */
static void
refuse(const struct batch *batch, struct import *import, const char *what,
    struct text name)
{
	if (import->refusal.size == 0)
		import->refusal = text_format(batch->arena,
		    "there is no %s \"%.*s\"", what, TEXT_ARGS(name));
}

/* Whose a record is: an article's author, or the creator of a group. */
static struct member *
owner_of(struct record *record)
{
	return record->kind == RECORD_GROUP ? &record->group.by
					    : &record->article.post.author;
}

/* Ids of owners, and their names as registered, whatever case was given. */
static enum store_result
resolve_owners(struct batch *batch)
{
	struct text owners[BATCH_MAX], registered[BATCH_MAX];
	uint64_t ids[BATCH_MAX];

	for (size_t i = 0; i < batch->count; i++)
		owners[i] = owner_of(&batch->imports[i]->record)->name;
	if (names_find(batch->names, batch->arena, owners, batch->count, ids) !=
		STORE_OK ||
	    names_of(batch->names, batch->arena, ids, batch->count,
		registered) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < batch->count; i++) {
		struct record *record = &batch->imports[i]->record;
		bool has_none =
		    record->kind == RECORD_GROUP && owners[i].size == 0;

		if (registered[i].size > 0)
			*owner_of(record) =
			    (struct member){ ids[i], registered[i] };
		else if (!has_none)
			refuse(batch, batch->imports[i], "member", owners[i]);
	}
	return STORE_OK;
}

/* A vote has one state: nobody is named twice, be it in both lists or in one. */
static enum store_result
resolve_voters(struct batch *batch, struct import *import)
{
	struct voters *both[] = { &import->record.up, &import->record.down };
	size_t count = both[0]->count + both[1]->count, known = 0;
	uint64_t *ids = arena_new(batch->arena, uint64_t, count);

	for (int way = 0; way < 2; way++) {
		struct voters *voters = both[way];

		voters->ids = arena_new(batch->arena, uint64_t, voters->count);
		if (names_find(batch->names, batch->arena, voters->names,
			voters->count, voters->ids) != STORE_OK)
			return STORE_DOWN;
		for (size_t i = 0; i < voters->count; i++) {
			ids[known++] = voters->ids[i];
			if (voters->ids[i] == 0)
				refuse(
				    batch, import, "member", voters->names[i]);
		}
	}
	sort_ids(ids, count);
	for (size_t i = 1; i < count; i++)
		if (ids[i] == ids[i - 1] && import->refusal.size == 0)
			import->refusal = TEXT("a voter is named twice");
	return STORE_OK;
}

/* Every group of every article is asked for in one round trip. */
static enum store_result
resolve_groups(struct batch *batch)
{
	struct pipeline pipeline =
	    pipeline_begin(batch->store->redis, batch->arena);
	struct text rest, name;
	size_t answer = 0;

	for (size_t i = 0; i < batch->count; i++) {
		rest = batch->imports[i]->record.article.groups;
		while (text_word(&rest, &name))
			pipeline_add(&pipeline, TEXT("EXISTS"),
			    key_group(batch->arena, name));
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < batch->count; i++) {
		rest = batch->imports[i]->record.article.groups;
		while (text_word(&rest, &name))
			if (reply_number(&pipeline.replies[answer++]) == 0)
				refuse(batch, batch->imports[i], "group", name);
	}
	return STORE_OK;
}

STORE_CALL
import_resolve(struct batch *batch)
{
	enum record_kind kind = batch->imports[0]->record.kind;
	enum store_result result = STORE_OK;

	if (kind == RECORD_GROUP || kind == RECORD_ARTICLE)
		result = resolve_owners(batch);
	if (kind != RECORD_ARTICLE)
		return result;
	for (size_t i = 0; i < batch->count && result == STORE_OK; i++)
		result = resolve_voters(batch, batch->imports[i]);
	return result == STORE_OK ? resolve_groups(batch) : result;
}

/* The name may be twice in the batch, or registered by somebody meanwhile. */
static enum store_result
drop_unclaimed(struct batch *batch, const struct reply *claim)
{
	struct pipeline pipeline =
	    pipeline_begin(batch->store->redis, batch->arena);

	for (size_t i = 0; i < batch->count; i++) {
		struct import *import = batch->imports[i];

		if (import->outcome != IMPORT_LOADED)
			continue;
		if (!user_has_name(&import->record.user, claim++)) {
			import->outcome = IMPORT_THERE;
			pipeline_protect(&pipeline, TEXT("DEL"),
			    key_user(batch->arena, import->record.user.id));
		}
	}
	return redis_run(&pipeline) ? STORE_OK : STORE_DOWN;
}

static enum store_result
claim_names(struct batch *batch)
{
	struct pipeline pipeline =
	    pipeline_begin(batch->store->redis, batch->arena);

	for (size_t i = 0; i < batch->count; i++)
		if (batch->imports[i]->outcome == IMPORT_LOADED)
			user_send_claim(
			    &pipeline, &batch->imports[i]->record.user);
	return redis_run(&pipeline) ? drop_unclaimed(batch, pipeline.replies)
				    : STORE_DOWN;
}

/* The ids are given out in the order of the records. */
static enum store_result
write_users(struct batch *batch)
{
	struct redis *redis = batch->store->redis;
	struct pipeline pipeline = pipeline_begin(redis, batch->arena);
	struct text wanted[BATCH_MAX];
	uint64_t ids[BATCH_MAX], fresh = 0, id;

	for (size_t i = 0; i < batch->count; i++)
		wanted[i] = batch->imports[i]->record.user.name;
	if (names_find(batch->names, batch->arena, wanted, batch->count, ids) !=
	    STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < batch->count; i++) {
		batch->imports[i]->outcome =
		    ids[i] != 0 ? IMPORT_THERE : IMPORT_LOADED;
		fresh += ids[i] == 0;
	}
	if (fresh == 0)
		return STORE_OK;
	pipeline_protect(&pipeline, TEXT("INCRBY"), KEY_USERS,
	    text_number(batch->arena, (int64_t)fresh));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	id = (uint64_t)reply_number(&pipeline.replies[0]) - fresh;
	pipeline = pipeline_begin(redis, batch->arena);
	for (size_t i = 0; i < batch->count; i++) {
		if (batch->imports[i]->outcome != IMPORT_LOADED)
			continue;
		batch->imports[i]->record.user.id = ++id;
		user_send(&pipeline, &batch->imports[i]->record.user);
	}
	return redis_run(&pipeline) ? claim_names(batch) : STORE_DOWN;
}

static void
note_outcome(struct import *import, enum store_result result)
{
	import->outcome = result == STORE_TAKEN ? IMPORT_THERE : IMPORT_LOADED;
}

static enum store_result
write_groups(struct batch *batch)
{
	for (size_t i = 0; i < batch->count; i++) {
		struct import *import = batch->imports[i];
		enum store_result result = group_create(
		    batch->store, batch->arena, &import->record.group);

		if (result == STORE_DOWN)
			return result;
		note_outcome(import, result);
	}
	return STORE_OK;
}

/* As they stand in a record: negated who voted down. */
static void
add_ids(struct call *call, const struct voters *voters, enum vote vote)
{
	for (size_t i = 0; i < voters->count; i++) {
		int64_t id = (int64_t)voters->ids[i];

		call_add_number(call, vote == VOTE_DOWN ? -id : id);
	}
}

static void
add_article(struct pipeline *pipeline, const struct store *store,
    const struct record *record)
{
	const struct article *article = &record->article;
	const struct voters *up = &record->up, *down = &record->down;
	uint64_t id = article->post.id.article;
	struct call call = call_begin(pipeline->arena, CALL_WRITES, "load_3",
	    key_post(pipeline->arena, &store->buckets, article_id(id)));

	call_add_number(&call, store->rules.vote_score);
	call_add_number(&call,
	    article->post.voters_known ? (int64_t)(up->count + down->count)
				       : -1);
	add_ids(&call, up, VOTE_UP);
	add_ids(&call, down, VOTE_DOWN);
	schema_add(&call, &article_schema, article);
	call_send(&call, pipeline);
}

/* Keeps the link from being posted again, as posting does. */
static void
add_claim(struct pipeline *pipeline, const struct buckets *buckets,
    const struct article *article)
{
	struct arena *arena = pipeline->arena;
	struct text link = article->url, claim;
	struct call call;

	if (link.size > 0 && rule_link(arena, &link).kind != PROBLEM_NONE)
		return;
	claim = rule_claim(arena, article->post.author.id, article->title, link,
	    article->text);
	call = call_begin(
	    arena, CALL_WRITES, "claim_1", key_claims(arena, buckets, claim));
	call_add(&call, key_claim_field(claim));
	call_add_number(&call, (int64_t)article->post.id.article);
	call_add_number(&call, article->post.closes);
	call_send(&call, pipeline);
}

/*
 * Claims follow the articles. A crash in between leaves articles without them;
 * when the load is run again it finds these very articles, and claims for them.
 */
static enum store_result
write_claims(struct batch *batch, const struct reply *written, int64_t now)
{
	struct pipeline pipeline =
	    pipeline_begin(batch->store->redis, batch->arena);

	for (size_t i = 0; i < batch->count; i++) {
		const struct article *article =
		    &batch->imports[i]->record.article;
		enum store_result result = call_outcome(&written[i]);
		bool is_same = reply_number(reply_item(&written[i], 1)) == 1;

		if (result == STORE_DOWN)
			return result;
		note_outcome(batch->imports[i], result);
		if (article->post.closes > now &&
		    (result == STORE_OK || is_same))
			add_claim(&pipeline, &batch->store->buckets, article);
	}
	return redis_run(&pipeline) ? STORE_OK : STORE_DOWN;
}

/*
 * From now on no new article is given an id that is about to be written, and in no
 * bucket one that is lower: ids go on growing with time.
 */
static enum store_result
raise_counters(struct batch *batch)
{
	struct pipeline pipeline =
	    pipeline_begin(batch->store->redis, batch->arena);
	const struct buckets *buckets = &batch->store->buckets;
	uint64_t highest = 0;

	for (size_t i = 0; i < batch->count; i++) {
		uint64_t id = batch->imports[i]->record.article.post.id.article;

		highest = id > highest ? id : highest;
	}
	for (uint64_t b = 0; b < buckets->count; b++) {
		struct call call = call_begin(batch->arena, CALL_WRITES,
		    "raise_1", key_articles(batch->arena, buckets, b));

		call_add_number(
		    &call, (int64_t)key_number_in(buckets, b, highest));
		call_send(&call, &pipeline);
	}
	return redis_run(&pipeline) ? STORE_OK : STORE_DOWN;
}

static enum store_result
write_articles(struct batch *batch)
{
	struct pipeline pipeline =
	    pipeline_begin(batch->store->redis, batch->arena);

	if (raise_counters(batch) != STORE_OK)
		return STORE_DOWN;
	pipeline_add_time(&pipeline, KEY_SITE);
	for (size_t i = 0; i < batch->count; i++)
		add_article(
		    &pipeline, batch->store, &batch->imports[i]->record);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	return write_claims(
	    batch, &pipeline.replies[1], reply_seconds(&pipeline.replies[0]));
}

/* A site that has settings keeps them. */
static enum store_result
write_settings(struct batch *batch)
{
	for (size_t i = 0; i < batch->count; i++) {
		struct import *import = batch->imports[i];
		struct settings there;
		enum store_result result =
		    settings_get(batch->store, batch->arena, &there);

		import->outcome = IMPORT_THERE;
		if (result == STORE_OK && settings_are_usual(&there)) {
			import->outcome = IMPORT_LOADED;
			result = settings_set(
			    batch->store, batch->arena, &import->record.site);
		}
		if (result != STORE_OK)
			return STORE_DOWN;
	}
	return STORE_OK;
}

STORE_CALL
import_write(struct batch *batch)
{
	static enum store_result (*const write[])(struct batch *batch) = {
		[RECORD_SITE] = write_settings,
		[RECORD_USER] = write_users,
		[RECORD_GROUP] = write_groups,
		[RECORD_ARTICLE] = write_articles,
	};

	return write[batch->imports[0]->record.kind](batch);
}
