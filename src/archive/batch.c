#include "archive/batch.h"

#include <string.h>

#include "base/sort.h"
#include "redis/redis.h"
#include "store/keys.h"

/* "article 7", or "member \"ann\"". */
static struct text
words_for(struct arena *arena, const struct record *record)
{
	const char *word = record_word(record->kind);
	const struct post *post = record_post(record);

	if (record->kind == RECORD_ACT)
		return text_format(
		    arena, "%s %llu", word, (unsigned long long)record->act.id);
	if (post != NULL)
		return text_format(arena, "%s %.*s", word,
		    TEXT_ARGS(key_post_name(arena, post->id)));
	return text_format(arena, "%s \"%.*s\"", word,
	    TEXT_ARGS(record->kind == RECORD_GROUP ? record->group.name
						   : record->user.name));
}

void
import_refuse_other(struct batch *batch, struct import *import)
{
	if (import->refusal.size == 0)
		import->refusal =
		    text_format(batch->arena, "the site has another %.*s",
			TEXT_ARGS(words_for(batch->arena, &import->record)));
}

/* The name may be twice in the batch, or registered by somebody meanwhile. */
static bool
is_of_batch(const struct batch *batch, uint64_t user)
{
	for (size_t i = 0; i < batch->count; i++)
		if (batch->imports[i]->record.user.id == user)
			return true;
	return false;
}

static enum store_result
drop_unclaimed(struct batch *batch, const struct reply *claim)
{
	struct pipeline pipeline =
	    pipeline_begin(batch->store->redis, batch->arena);

	for (size_t i = 0; i < batch->count; i++) {
		struct import *import = batch->imports[i];

		if (import->outcome != IMPORT_LOADED)
			continue;
		if (!user_has_name(&import->record.user, claim)) {
			import->outcome = IMPORT_THERE;
			pipeline_add_replicated(&pipeline, TEXT("DEL"),
			    key_user(batch->arena, import->record.user.id));
			if (!is_of_batch(batch, reply_id(claim)))
				import_refuse_other(batch, import);
		}
		claim++;
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
	uint64_t fresh = 0, id;

	for (size_t i = 0; i < batch->count; i++)
		fresh += batch->imports[i]->outcome == IMPORT_LOADED;
	if (fresh == 0)
		return STORE_OK;
	pipeline_add_replicated(&pipeline, TEXT("INCRBY"), KEY_USERS,
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

/* Whether what was there as it was to be written is the same; of groups and acts that
 * was found out before. */
static bool
is_same(const struct import *import, const struct reply *taken)
{
	switch (import->record.kind) {
	case RECORD_ARTICLE:
	case RECORD_COMMENT:
		return reply_number(reply_item(taken, 1)) == 1;
	case RECORD_NOTICE:
	case RECORD_MUTE:
		return true;
	default:
		return false;
	}
}

/* What the function answered that wrote it. */
static enum store_result
take_outcome(
    struct batch *batch, struct import *import, const struct reply *written)
{
	enum store_result result = call_outcome(written);

	if (result != STORE_OK && result != STORE_TAKEN)
		return STORE_DOWN;
	import->outcome = result == STORE_TAKEN ? IMPORT_THERE : IMPORT_LOADED;
	if (result == STORE_TAKEN && !is_same(import, written))
		import_refuse_other(batch, import);
	return STORE_OK;
}

static enum store_result
write_groups(struct batch *batch)
{
	for (size_t i = 0; i < batch->count; i++) {
		struct import *import = batch->imports[i];
		bool is_known = import->outcome == IMPORT_THERE;
		/* One that is there may not be listed. */
		enum store_result result = group_create(
		    batch->store, batch->arena, &import->record.group);

		if (result == STORE_DOWN)
			return result;
		if (result == STORE_TAKEN)
			import->outcome = IMPORT_THERE;
		if (result == STORE_TAKEN && !is_known)
			import_refuse_other(batch, import);
	}
	return STORE_OK;
}

/* As they stand in a record of who voted. */
static void
add_voters(struct call *call, const struct record *record)
{
	static const int64_t signs[] = { 1, -1, 1, -1 };
	static const int64_t voids[] = { 0, 0, KEY_VOID_OFFSET,
		KEY_VOID_OFFSET };

	for (size_t v = 0; v < VOTERS_KINDS; v++)
		for (size_t i = 0; i < record->voters[v].names.count; i++)
			call_add_number(call,
			    signs[v] *
				(voids[v] + (int64_t)record->voters[v].ids[i]));
}

static void
add_flags(struct call *call, const struct record *record)
{
	for (size_t i = 0; i < record->flag_count; i++) {
		const struct flagged *flagged = &record->flags[i].flagged;

		call_add_number(call, (int64_t)flagged->user);
		call_add(call, flag_value(call->arena, flagged));
	}
}

static void
add_post(struct pipeline *pipeline, const struct batch *batch,
    const struct record *record)
{
	const struct store *store = batch->store;
	const struct post *post = record_post(record);
	struct call call = call_begin(pipeline->arena, CALL_WRITES, "load_5",
	    key_post(pipeline->arena, &store->buckets, post->id));
	int64_t voters = 0, reserved = 0;

	for (size_t v = 0; v < VOTERS_KINDS; v++)
		voters += (int64_t)record->voters[v].names.count;
	if (record->kind == RECORD_ARTICLE)
		reserved =
		    (int64_t)plan_last_comment(batch->plan, post->id.article);
	call_add_number(&call, store->rules.vote_score);
	call_add_number(&call, reserved);
	call_add_number(&call, post->voters_known ? voters : -1);
	call_add_number(&call, (int64_t)record->flag_count);
	add_voters(&call, record);
	add_flags(&call, record);
	schema_add(&call, record_schema(record->kind), record_noun(record));
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

		if (take_outcome(batch, batch->imports[i], &written[i]) !=
		    STORE_OK)
			return STORE_DOWN;
		if (article->post.closes > now &&
		    batch->imports[i]->refusal.size == 0)
			add_claim(&pipeline, &batch->store->buckets, article);
	}
	return redis_run(&pipeline) ? STORE_OK : STORE_DOWN;
}

static void
raise_counters(struct pipeline *pipeline, const struct buckets *buckets,
    struct text (*key)(
	struct arena *arena, const struct buckets *buckets, uint64_t bucket),
    uint64_t last)
{
	struct arena *arena = pipeline->arena;

	for (uint64_t b = 0; b < buckets->count && last > 0; b++) {
		struct call call = call_begin(
		    arena, CALL_WRITES, "raise_1", key(arena, buckets, b));

		call_add_number(
		    &call, (int64_t)key_number_in(buckets, b, last));
		call_send(&call, pipeline);
	}
}

STORE_CALL
import_reserve(
    struct store *store, struct arena *arena, const struct plan *plan)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	raise_counters(&pipeline, &store->buckets, key_article_counter,
	    plan_last_article(plan));
	raise_counters(&pipeline, &store->buckets, key_mod_action_counter,
	    plan_last_act(plan));
	return redis_run(&pipeline) ? STORE_OK : STORE_DOWN;
}

static enum store_result
write_articles(struct batch *batch)
{
	struct pipeline pipeline =
	    pipeline_begin(batch->store->redis, batch->arena);

	pipeline_add_time(&pipeline, KEY_SITE);
	for (size_t i = 0; i < batch->count; i++)
		add_post(&pipeline, batch, &batch->imports[i]->record);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	return write_claims(
	    batch, &pipeline.replies[1], reply_seconds(&pipeline.replies[0]));
}

typedef void import_adder(struct pipeline *pipeline, const struct batch *batch,
    const struct record *record);

/* With one function for each that is not known to be there. */
static enum store_result
write_each(struct batch *batch, import_adder *add)
{
	struct pipeline pipeline =
	    pipeline_begin(batch->store->redis, batch->arena);
	const struct reply *written;

	for (size_t i = 0; i < batch->count; i++)
		if (batch->imports[i]->outcome == IMPORT_LOADED)
			add(&pipeline, batch, &batch->imports[i]->record);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	written = pipeline.replies;
	for (size_t i = 0; i < batch->count; i++)
		if (batch->imports[i]->outcome == IMPORT_LOADED &&
		    take_outcome(batch, batch->imports[i], written++) !=
			STORE_OK)
			return STORE_DOWN;
	return STORE_OK;
}

/* Their articles count them as they come. */
static enum store_result
write_comments(struct batch *batch)
{
	return write_each(batch, add_post);
}

static void
add_notice(struct pipeline *pipeline, const struct batch *batch,
    const struct record *record)
{
	struct notice notice = record_told(&record->notice);

	(void)batch;
	inbox_load(pipeline, record->notice.to.id, &notice);
}

static enum store_result
write_notices(struct batch *batch)
{
	return write_each(batch, add_notice);
}

static void
add_mute(struct pipeline *pipeline, const struct batch *batch,
    const struct record *record)
{
	(void)batch;
	inbox_load_mute(
	    pipeline, record->mute.by.id, record_muted(&record->mute));
}

static enum store_result
write_mutes(struct batch *batch)
{
	return write_each(batch, add_mute);
}

static void
add_act(struct pipeline *pipeline, const struct batch *batch,
    const struct record *record)
{
	struct call call =
	    call_begin(pipeline->arena, CALL_WRITES, "load_act_1",
		key_mod_action(
		    pipeline->arena, &batch->store->buckets, record->act.id));

	schema_add(&call, &mod_action_schema, &record->act);
	call_send(&call, pipeline);
}

static enum store_result
write_acts(struct batch *batch)
{
	return write_each(batch, add_act);
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
		if (result == STORE_OK && settings_are_default(&there)) {
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
		[RECORD_COMMENT] = write_comments,
		[RECORD_ACT] = write_acts,
		[RECORD_NOTICE] = write_notices,
		[RECORD_MUTE] = write_mutes,
	};

	return write[batch->imports[0]->record.kind](batch);
}
