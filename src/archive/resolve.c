#include "archive/resolve.h"

#include "archive/existing.h"
#include "archive/inboxes.h"
#include "base/arena.h"
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

static void
refuse_post(const struct batch *batch, struct import *import, struct post_id id)
{
	if (import->refusal.size == 0)
		import->refusal =
		    text_format(batch->arena, "there is no %s %.*s",
			id.comment == 0 ? "article" : "comment",
			TEXT_ARGS(key_post_name(batch->arena, id)));
}

/* Whose a record is: a post's author, or the creator of a group. */
static struct member *
owner_of(struct record *record)
{
	struct post *post = record_post(record);

	return post != NULL ? &post->author : &record->group.by;
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

/* Ids of some names, which have to be members'. */
static enum store_result
resolve_names(struct batch *batch, struct import *import,
    const struct text *names, size_t count, uint64_t *ids)
{
	if (names_find(batch->names, batch->arena, names, count, ids) !=
	    STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		if (ids[i] == 0 && names[i].size > 0)
			refuse(batch, import, "member", names[i]);
	return STORE_OK;
}

/* A vote has one state: nobody is named twice, be it in several lists or in one. */
static enum store_result
resolve_voters(struct batch *batch, struct import *import)
{
	struct voters *all = import->record.voters;
	size_t count = 0, known = 0;
	uint64_t *ids, *sorted;

	for (size_t i = 0; i < VOTERS_KINDS; i++)
		count += all[i].names.count;
	ids = arena_new(batch->arena, uint64_t, count);
	for (size_t i = 0; i < VOTERS_KINDS; i++) {
		const struct json_names *names = &all[i].names;

		all[i].ids = &ids[known];
		if (resolve_names(batch, import, names->items, names->count,
			&ids[known]) != STORE_OK)
			return STORE_DOWN;
		known += names->count;
	}
	sorted = arena_new(batch->arena, uint64_t, count);
	for (size_t i = 0; i < count; i++)
		sorted[i] = ids[i];
	sort_ids(sorted, count);
	for (size_t i = 1; i < count; i++)
		if (sorted[i] == sorted[i - 1] && import->refusal.size == 0)
			import->refusal = TEXT("a voter is named twice");
	return STORE_OK;
}

static enum store_result
resolve_flags(struct batch *batch, struct import *import)
{
	struct record *record = &import->record;
	size_t count = record->flag_count;
	struct text *names = arena_new(batch->arena, struct text, count);
	uint64_t *ids = arena_new(batch->arena, uint64_t, count);

	for (size_t i = 0; i < count; i++)
		names[i] = record->flags[i].by;
	if (resolve_names(batch, import, names, count, ids) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		record->flags[i].flagged.user = ids[i];
	return STORE_OK;
}

/* A member whom a record may name, whatever case was given. */
static enum store_result
resolve_member(
    struct batch *batch, struct import *import, struct member *member)
{
	if (member->name.size == 0)
		return STORE_OK;
	if (resolve_names(batch, import, &member->name, 1, &member->id) !=
	    STORE_OK)
		return STORE_DOWN;
	return member->id == 0 ? STORE_OK
			       : names_of(batch->names, batch->arena,
				     &member->id, 1, &member->name);
}

static enum store_result
resolve_act(struct batch *batch, struct import *import)
{
	struct mod_action *act = &import->record.act;
	enum store_result result = resolve_member(batch, import, &act->by);

	return result == STORE_OK ? resolve_member(batch, import, &act->member)
				  : result;
}

static enum store_result
resolve_post(struct batch *batch, struct import *import)
{
	struct post *post = record_post(&import->record);
	enum store_result result = resolve_voters(batch, import);

	if (result == STORE_OK)
		result = resolve_flags(batch, import);
	return result == STORE_OK
	    ? resolve_member(batch, import, &post->removed_by)
	    : result;
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
		while (text_next_word(&rest, &name))
			pipeline_add(&pipeline, TEXT("EXISTS"),
			    key_group(batch->arena, name));
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < batch->count; i++) {
		rest = batch->imports[i]->record.article.groups;
		while (text_next_word(&rest, &name))
			if (reply_number(&pipeline.replies[answer++]) == 0)
				refuse(batch, batch->imports[i], "group", name);
	}
	return STORE_OK;
}

static struct post_id
answered_by(const struct import *import)
{
	const struct comment *comment = &import->record.comment;

	return (struct post_id){ comment->post.id.article,
		(uint64_t)comment->parent };
}

/* Whether a post is about to be written with those before import. */
static bool
comes_before(
    const struct batch *batch, const struct import *import, struct post_id id)
{
	for (size_t i = 0; batch->imports[i] != import; i++) {
		struct post_id other =
		    record_post(&batch->imports[i]->record)->id;

		if (batch->imports[i]->refusal.size == 0 &&
		    other.article == id.article && other.comment == id.comment)
			return true;
	}
	return false;
}

/* The article of each comment, and what it answers there, in one round trip. */
static enum store_result
resolve_answered(struct batch *batch)
{
	struct arena *arena = batch->arena;
	const struct buckets *buckets = &batch->store->buckets;
	struct pipeline pipeline = pipeline_begin(batch->store->redis, arena);
	const struct reply *answer;

	for (size_t i = 0; i < batch->count; i++) {
		struct post_id id = answered_by(batch->imports[i]);

		pipeline_add(&pipeline, TEXT("EXISTS"),
		    key_post(arena, buckets, article_id(id.article)));
		pipeline_add(
		    &pipeline, TEXT("EXISTS"), key_post(arena, buckets, id));
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	answer = pipeline.replies;
	for (size_t i = 0; i < batch->count; i++, answer += 2) {
		struct import *import = batch->imports[i];
		struct post_id id = answered_by(import);

		if (reply_number(&answer[0]) == 0)
			refuse_post(batch, import, article_id(id.article));
		else if (reply_number(&answer[1]) == 0 &&
		    !comes_before(batch, import, id))
			refuse_post(batch, import, id);
	}
	return STORE_OK;
}

/* A member whom a record has to name. */
static enum store_result
need_member(struct batch *batch, struct import *import, struct member *member)
{
	enum store_result result = resolve_member(batch, import, member);

	if (result == STORE_OK && member->id == 0)
		refuse(batch, import, "member", member->name);
	return result;
}

static enum store_result
resolve_mute(struct batch *batch, struct import *import)
{
	struct record_mute *mute = &import->record.mute;
	enum store_result result = need_member(batch, import, &mute->by);

	return result == STORE_OK && mute->article == 0
	    ? need_member(batch, import, &mute->member)
	    : result;
}

/* The comment of each notice, or the article of each mute, in one round trip. */
static enum store_result
resolve_posts(
    struct batch *batch, struct post_id (*named)(const struct record *record))
{
	struct pipeline pipeline =
	    pipeline_begin(batch->store->redis, batch->arena);

	for (size_t i = 0; i < batch->count; i++)
		pipeline_add(&pipeline, TEXT("EXISTS"),
		    key_post(batch->arena, &batch->store->buckets,
			named(&batch->imports[i]->record)));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < batch->count; i++) {
		struct post_id id = named(&batch->imports[i]->record);

		if (id.article != 0 && reply_number(&pipeline.replies[i]) == 0)
			refuse_post(batch, batch->imports[i], id);
	}
	return STORE_OK;
}

static struct post_id
comment_told(const struct record *record)
{
	return record->notice.comment;
}

static struct post_id
article_muted(const struct record *record)
{
	return article_id(record->mute.article);
}

static enum store_result
resolve_notices(struct batch *batch)
{
	enum store_result result = resolve_posts(batch, comment_told);

	return result == STORE_OK ? inboxes_refuse_notices(batch) : result;
}

static enum store_result
resolve_mutes(struct batch *batch)
{
	enum store_result result = resolve_posts(batch, article_muted);

	return result == STORE_OK ? inboxes_refuse_mutes(batch) : result;
}

static enum store_result
resolve_one(struct batch *batch, struct import *import)
{
	struct record *record = &import->record;

	switch (record->kind) {
	case RECORD_ARTICLE:
	case RECORD_COMMENT:
		return resolve_post(batch, import);
	case RECORD_ACT:
		return resolve_act(batch, import);
	case RECORD_NOTICE:
		return need_member(batch, import, &record->notice.to);
	case RECORD_MUTE:
		return resolve_mute(batch, import);
	default:
		return STORE_OK;
	}
}

/* What some records name besides members, all of them at once. */
static enum store_result
resolve_others(struct batch *batch)
{
	switch (batch->imports[0]->record.kind) {
	case RECORD_ARTICLE:
		return resolve_groups(batch);
	case RECORD_COMMENT:
		return resolve_answered(batch);
	case RECORD_NOTICE:
		return resolve_notices(batch);
	case RECORD_MUTE:
		return resolve_mutes(batch);
	default:
		return STORE_OK;
	}
}

/* What is named is decided on in order: something before it in the batch may be. */
static void
settle(struct batch *batch)
{
	for (size_t i = 0; i < batch->count; i++) {
		struct import *import = batch->imports[i];

		if (import->refusal.size == 0)
			import->refusal = plan_vet_named(
			    batch->plan, batch->arena, &import->record);
		plan_settle(batch->plan, &import->record,
		    import->refusal.size == 0 ? PLAN_THERE : PLAN_REFUSED);
	}
}

STORE_CALL
resolve_batch(struct batch *batch)
{
	const struct record *first = &batch->imports[0]->record;
	enum store_result result = STORE_OK;

	if (first->kind == RECORD_GROUP || record_post(first) != NULL)
		result = resolve_owners(batch);
	if (result == STORE_OK)
		result = existing_compare(batch);
	for (size_t i = 0; i < batch->count && result == STORE_OK; i++)
		result = resolve_one(batch, batch->imports[i]);
	if (result == STORE_OK)
		result = resolve_others(batch);
	if (result == STORE_OK)
		settle(batch);
	return result;
}
