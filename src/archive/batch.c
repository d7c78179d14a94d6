#include "archive/batch.h"

#include "archive/noun.h"
#include "archive/references.h"
#include "base/arena.h"
#include "redis/redis.h"
#include "store/function_call.h"
#include "store/keys.h"

void
batch_refuse(struct batch_line *line, struct text reason)
{
	if (line->refusal.size == 0)
		line->refusal = reason;
}

void
batch_refuse_missing(const struct batch *batch, struct batch_line *line,
    enum record_kind kind, struct text name)
{
	batch_refuse(line,
	    text_format(batch->arena, "there is no %s \"%.*s\"",
		nouns[kind]->label, TEXT_ARGS(name)));
}

void
batch_refuse_missing_post(
    const struct batch *batch, struct batch_line *line, struct post_id id)
{
	batch_refuse(line,
	    text_format(batch->arena, "there is no %.*s",
		TEXT_ARGS(record_post_name(batch->arena, id))));
}

void
batch_refuse_other(const struct batch *batch, struct batch_line *line)
{
	batch_refuse(line,
	    text_format(batch->arena, "the site has another %.*s",
		TEXT_ARGS(nouns[line->record.kind]->describe(
		    batch->arena, &line->record))));
}

void
batch_compare(const struct batch *batch, struct batch_line *line, bool is_same)
{
	if (is_same)
		line->outcome = BATCH_EXISTED;
	else
		batch_refuse_other(batch, line);
}

STORE_CALL
batch_find_ids(struct batch *batch, struct batch_line *line,
    struct member *const *members, size_t count)
{
	if (name_cache_find_ids(batch->names, batch->arena, members, count) !=
	    STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		if (members[i]->id == 0 && members[i]->name.size > 0)
			batch_refuse_missing(
			    batch, line, RECORD_USER, members[i]->name);
	return STORE_OK;
}

STORE_CALL
batch_find_member(
    struct batch *batch, struct batch_line *line, struct member *member)
{
	if (name_cache_find(batch->names, batch->arena, &member, 1) != STORE_OK)
		return STORE_DOWN;
	if (member->id == 0)
		batch_refuse_missing(batch, line, RECORD_USER, member->name);
	return STORE_OK;
}

/* A line of a batch, whose references are visited. */
struct visited {
	struct batch *batch;
	struct batch_line *line;
};

static enum store_result
find_reference(void *data, const struct reference *reference)
{
	struct visited *visited = data;

	if (reference->member == NULL ||
	    (reference->may_be_nobody && reference->name.size == 0))
		return STORE_OK;
	return batch_find_member(
	    visited->batch, visited->line, reference->member);
}

STORE_CALL
batch_find_members(struct batch *batch)
{
	enum store_result result = STORE_OK;

	for (size_t i = 0; i < batch->count && result == STORE_OK; i++) {
		struct visited visited = { batch, batch->lines[i] };

		result = references_visit(
		    &visited.line->record, find_reference, &visited);
	}
	return result;
}

STORE_CALL
batch_find_owners(
    struct batch *batch, batch_member *owner, enum batch_need need)
{
	struct member *owners[BATCH_MAX];

	for (size_t i = 0; i < batch->count; i++)
		owners[i] = owner(&batch->lines[i]->record);
	if (name_cache_find(batch->names, batch->arena, owners, batch->count) !=
	    STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < batch->count; i++)
		if (owners[i]->id == 0 &&
		    (need == BATCH_REQUIRED || owners[i]->name.size > 0))
			batch_refuse_missing(batch, batch->lines[i],
			    RECORD_USER, owners[i]->name);
	return STORE_OK;
}

STORE_CALL
batch_find_posts(struct batch *batch, batch_post *named)
{
	struct pipeline pipeline =
	    pipeline_begin(batch->store->redis, batch->arena);

	for (size_t i = 0; i < batch->count; i++)
		pipeline_add(&pipeline, TEXT("EXISTS"),
		    key_post(batch->arena, &batch->store->buckets,
			named(&batch->lines[i]->record)));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < batch->count; i++) {
		struct post_id id = named(&batch->lines[i]->record);

		if (id.article != 0 && reply_number(&pipeline.replies[i]) == 0)
			batch_refuse_missing_post(batch, batch->lines[i], id);
	}
	return STORE_OK;
}

/* References are decided in order: they may be to lines before in the batch. */
static void
settle_lines(struct batch *batch)
{
	for (size_t i = 0; i < batch->count; i++) {
		struct batch_line *line = batch->lines[i];

		if (line->refusal.size == 0)
			line->refusal = manifest_reference_problem(
			    batch->manifest, batch->arena, &line->record);
		manifest_set_state(batch->manifest, &line->record,
		    line->refusal.size == 0 ? MANIFEST_PRESENT
					    : MANIFEST_REFUSED);
	}
}

STORE_CALL
batch_resolve(struct batch *batch)
{
	const struct noun *noun = nouns[batch->lines[0]->record.kind];
	enum store_result result =
	    noun->resolve == NULL ? STORE_OK : noun->resolve(batch);

	if (result == STORE_OK)
		settle_lines(batch);
	return result;
}

STORE_CALL
batch_take_outcome(
    struct batch *batch, struct batch_line *line, const struct reply *reply)
{
	enum store_result result = call_outcome(reply);

	if (result != STORE_OK && result != STORE_TAKEN)
		return STORE_DOWN;
	line->outcome = result == STORE_TAKEN ? BATCH_EXISTED : BATCH_LOADED;
	/* Functions that compare also answer 1 when what exists is the same. */
	if (result == STORE_TAKEN && !nouns[line->record.kind]->taken_is_same &&
	    reply_number(reply_item(reply, 1)) != 1)
		batch_refuse_other(batch, line);
	return STORE_OK;
}

/* Calls a function for each line that is not known to exist. */
static enum store_result
call_each(struct batch *batch, const struct noun *noun)
{
	struct pipeline pipeline =
	    pipeline_begin(batch->store->redis, batch->arena);
	const struct reply *reply;

	for (size_t i = 0; i < batch->count; i++)
		if (batch->lines[i]->outcome == BATCH_LOADED)
			noun->add(&pipeline, batch, &batch->lines[i]->record);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	reply = pipeline.replies;
	for (size_t i = 0; i < batch->count; i++)
		if (batch->lines[i]->outcome == BATCH_LOADED &&
		    batch_take_outcome(batch, batch->lines[i], reply++) !=
			STORE_OK)
			return STORE_DOWN;
	return STORE_OK;
}

STORE_CALL
batch_load(struct batch *batch)
{
	const struct noun *noun = nouns[batch->lines[0]->record.kind];

	return noun->load != NULL ? noun->load(batch) : call_each(batch, noun);
}

static void
raise_counters(struct pipeline *pipeline, const struct buckets *buckets,
    const struct noun *noun, uint64_t last)
{
	struct arena *arena = pipeline->arena;

	for (uint64_t b = 0; b < buckets->count && last > 0; b++) {
		struct call call = call_begin(arena, CALL_WRITES, "raise_1",
		    key_in_bucket(arena, buckets, b, noun->counter, TEXT("")));

		call_add_number(
		    &call, (int64_t)key_number_in(buckets, b, last));
		call_send(&call, pipeline);
	}
}

STORE_CALL
batch_reserve(
    struct store *store, struct arena *arena, const struct manifest *manifest)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (enum record_kind i = 0; i < RECORD_KINDS; i++)
		if (nouns[i]->counter != KEY_OTHER)
			raise_counters(&pipeline, &store->buckets, nouns[i],
			    manifest_last_number(manifest, i));
	return redis_run(&pipeline) ? STORE_OK : STORE_DOWN;
}
