#include "archive/existing.h"

#include "base/arena.h"
#include "redis/redis.h"
#include "store/keys.h"

enum { GROUP_STEPS_MAX = 100 }; /* from a group to what it became */

static void
judge(struct batch *batch, struct import *import, bool is_same)
{
	if (is_same)
		import->outcome = IMPORT_THERE;
	else
		import_refuse_other(batch, import);
}

/* Two lines of a batch may have one name. */
static void
judge_namesakes(struct batch *batch)
{
	for (size_t i = 1; i < batch->count; i++) {
		const struct user *user = &batch->imports[i]->record.user;
		struct text name = text_lower(batch->arena, user->name);

		for (size_t j = 0; j < i; j++) {
			const struct user *other =
			    &batch->imports[j]->record.user;

			if (batch->imports[j]->refusal.size == 0 &&
			    other->created != user->created &&
			    text_equal(
				text_lower(batch->arena, other->name), name))
				import_refuse_other(batch, batch->imports[i]);
		}
	}
}

static enum store_result
compare_users(struct batch *batch)
{
	struct pipeline pipeline =
	    pipeline_begin(batch->store->redis, batch->arena);
	struct text names[BATCH_MAX];
	uint64_t ids[BATCH_MAX];

	for (size_t i = 0; i < batch->count; i++)
		names[i] = batch->imports[i]->record.user.name;
	if (names_find(batch->names, batch->arena, names, batch->count, ids) !=
	    STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < batch->count; i++)
		pipeline_add(&pipeline, TEXT("HGET"),
		    key_user(batch->arena, ids[i]), TEXT("created"));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < batch->count; i++)
		if (ids[i] != 0)
			judge(batch, batch->imports[i],
			    reply_number(&pipeline.replies[i]) ==
				batch->imports[i]->record.user.created);
	judge_namesakes(batch);
	return STORE_OK;
}

/* What a group leads to, in the site or by a line before it; empty for nothing. */
static enum store_result
find_next(struct batch *batch, const struct import *import, struct text name,
    struct text *into)
{
	struct group group = { .created = 0 };
	enum store_result result;

	for (size_t i = 0; batch->imports[i] != import; i++)
		if (batch->imports[i]->refusal.size == 0 &&
		    text_equal(batch->imports[i]->record.group.name, name)) {
			*into = batch->imports[i]->record.group.into;
			return STORE_OK;
		}
	result = group_get(batch->store, batch->arena, name, &group);
	*into = group.into;
	return result == STORE_DOWN ? result : STORE_OK;
}

static enum store_result
refuse_circle(struct batch *batch, struct import *import)
{
	const struct group *group = &import->record.group;
	struct text name = group->into;

	for (int i = 0; name.size > 0 && i < GROUP_STEPS_MAX; i++) {
		if (text_equal(name, group->name))
			break;
		if (find_next(batch, import, name, &name) != STORE_OK)
			return STORE_DOWN;
	}
	if (name.size > 0)
		import->refusal = text_format(batch->arena,
		    "\"into\" leads from \"%.*s\" in a circle",
		    TEXT_ARGS(group->name));
	return STORE_OK;
}

static enum store_result
compare_group(struct batch *batch, struct import *import)
{
	struct group there;
	enum store_result result = group_get(
	    batch->store, batch->arena, import->record.group.name, &there);

	if (result == STORE_OK)
		judge(batch, import,
		    there.created == import->record.group.created);
	return result == STORE_ABSENT ? refuse_circle(batch, import) : result;
}

static bool
is_same_act(const struct mod_action *there, const struct mod_action *act,
    uint64_t by, uint64_t member)
{
	return there->at == act->at && text_equal(there->what, act->what) &&
	    there->by.id == by && there->member.id == member &&
	    there->article == act->article && there->comment == act->comment;
}

static enum store_result
compare_acts(struct batch *batch)
{
	struct arena *arena = batch->arena;
	struct pipeline pipeline = pipeline_begin(batch->store->redis, arena);
	struct text names[2 * BATCH_MAX];
	uint64_t ids[2 * BATCH_MAX];

	for (size_t i = 0; i < batch->count; i++) {
		const struct mod_action *act = &batch->imports[i]->record.act;

		names[2 * i] = act->by.name;
		names[2 * i + 1] = act->member.name;
		schema_ask(&pipeline, &mod_action_schema, SCHEMA_WHOLE,
		    key_mod_action(arena, &batch->store->buckets, act->id));
	}
	if (names_find(batch->names, arena, names, 2 * batch->count, ids) !=
		STORE_OK ||
	    !redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < batch->count; i++) {
		struct mod_action there = { .id = 0 };

		if (schema_read(&mod_action_schema, SCHEMA_WHOLE,
			&pipeline.replies[i], &there))
			judge(batch, batch->imports[i],
			    is_same_act(&there, &batch->imports[i]->record.act,
				ids[2 * i], ids[2 * i + 1]));
	}
	return STORE_OK;
}

/* Their authors are known, or they are refused. */
static enum store_result
compare_posts(struct batch *batch)
{
	struct pipeline pipeline =
	    pipeline_begin(batch->store->redis, batch->arena);
	const struct reply *answer;

	for (size_t i = 0; i < batch->count; i++) {
		const struct record *record = &batch->imports[i]->record;
		struct call call =
		    call_begin(batch->arena, CALL_READS, "same_1",
			key_post(batch->arena, &batch->store->buckets,
			    record_post(record)->id));

		if (batch->imports[i]->refusal.size > 0)
			continue;
		schema_add(
		    &call, record_schema(record->kind), record_noun(record));
		call_send(&call, &pipeline);
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	answer = pipeline.replies;
	for (size_t i = 0; i < batch->count; i++) {
		enum store_result result;

		if (batch->imports[i]->refusal.size > 0)
			continue;
		result = call_outcome(answer);
		if (result == STORE_DOWN)
			return result;
		if (result == STORE_TAKEN &&
		    reply_number(reply_item(answer, 1)) != 1)
			import_refuse_other(batch, batch->imports[i]);
		answer++;
	}
	return STORE_OK;
}

static enum store_result
compare_groups(struct batch *batch)
{
	enum store_result result = STORE_OK;

	for (size_t i = 0; i < batch->count && result == STORE_OK; i++)
		result = compare_group(batch, batch->imports[i]);
	return result;
}

STORE_CALL
existing_compare(struct batch *batch)
{
	switch (batch->imports[0]->record.kind) {
	case RECORD_USER:
		return compare_users(batch);
	case RECORD_GROUP:
		return compare_groups(batch);
	case RECORD_ARTICLE:
	case RECORD_COMMENT:
		return compare_posts(batch);
	case RECORD_ACT:
		return compare_acts(batch);
	default:
		return STORE_OK;
	}
}
