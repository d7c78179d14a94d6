#include <inttypes.h>

#include "archive/batch.h"
#include "archive/check_keys.h"
#include "archive/containments.h"
#include "archive/members.h"
#include "archive/noun.h"
#include "archive/references.h"
#include "archive/validate.h"
#include "archive/writer.h"
#include "base/arena.h"
#include "redis/redis.h"
#include "store/function_call.h"
#include "store/keys.h"
#include "store/mod_decision.h"
#include "store/refresh.h"

enum { DUMP_BATCH = 100, CHECK_BATCH = 25 };

static struct text
log_archive_describe(struct arena *arena, const struct record *record)
{
	return text_format(arena, "act %" PRIu64, record->act.id);
}

static uint64_t
log_archive_number(const struct record *record)
{
	return record->act.id;
}

/* The subjects of what is done to groups are their names. */
static void
log_archive_references(struct references *references, struct record *record)
{
	struct mod_action *act = &record->act;

	references_member_or_nobody(references, &act->by);
	references_member_or_nobody(references, &act->member);
	if (act->article != 0)
		references_post(
		    references, (struct post_id){ act->article, act->comment });
	if (!text_starts(act->what, TEXT("group-")))
		return;
	references_group(references, act->subject, REFERENCE_ANYWHERE);
	references_group(references, act->into, REFERENCE_ANYWHERE);
}

/* Dump. */

static enum store_result
read_acts(struct store *store, struct arena *arena, const struct place *places,
    size_t count, struct record *records)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (size_t i = 0; i < count; i++)
		schema_ask(&pipeline, &mod_action_schema, SCHEMA_WHOLE,
		    key_mod_action(
			arena, &store->buckets, places[i].id.article));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++) {
		records[i] = (struct record){ .kind = RECORD_ACT };
		if (schema_read(&mod_action_schema, SCHEMA_WHOLE,
			&pipeline.replies[i], &records[i].act))
			records[i].act.id = places[i].id.article;
		else
			records[i].kind = RECORD_KINDS;
	}
	return STORE_OK;
}

static bool
is_written_late(const struct writer *writer, uint64_t decision)
{
	const uint64_t *late =
	    (const uint64_t *)(const void *)writer->late_decisions.data;

	for (size_t i = writer->late_decisions.size / sizeof(*late); i-- > 0;)
		if (late[i] == decision)
			return true;
	return false;
}

/* A decision is logged before its parts, and the scan may have passed it when it finds one. */
static enum store_result
write_late_decision(struct writer *writer, uint64_t decision)
{
	struct place place = { key_bucket_of(&writer->store->buckets, decision),
		{ decision, 0 } };
	struct record record;

	if (keyscan_has_act(&writer->acts, &place) ||
	    is_written_late(writer, decision))
		return STORE_OK;
	if (read_acts(writer->store, &writer->portion, &place, 1, &record) !=
	    STORE_OK)
		return STORE_DOWN;
	buffer_add(&writer->late_decisions,
	    (struct text){ (char *)&decision, sizeof(decision) });
	return record.kind == RECORD_ACT
	    ? writer_go_on(members_archive_write_naming(writer, &record))
	    : STORE_OK;
}

static enum store_result
write_act(struct writer *writer, struct record *record)
{
	enum store_result result = record->act.decision == 0
	    ? STORE_OK
	    : write_late_decision(writer, record->act.decision);

	return result == STORE_OK ? members_archive_write_naming(writer, record)
				  : result;
}

static enum store_result
log_archive_write(struct writer *writer)
{
	struct keyscan all;
	enum store_result result =
	    keyscan_read(writer->store, &writer->memory, KEYSCAN_LOG, &all);

	if (result != STORE_OK)
		return result;
	writer->acts = all.places[KEYSCAN_ACTS];
	writer->late_decisions = buffer_in(&writer->memory, 64);
	return writer_places(
	    writer, &writer->acts, DUMP_BATCH, read_acts, write_act);
}

/* Load. */

static void
log_archive_validate(struct validation *validation, struct record *record)
{
	const struct mod_action *act = &record->act;
	enum mod_action_kind kind;

	if (!mod_action_parse(act->what, &kind))
		validate_problem(
		    validation, TEXT("\"what\" is nothing that moderators do"));
	validate_value(validation, "subject", act->subject, rule_reason);
	validate_value(validation, "into", act->into, rule_reason);
	validate_value(validation, "reason", act->reason, rule_reason);
}

static bool
is_same_act(const struct mod_action *present, const struct mod_action *act)
{
	return present->at == act->at && text_equal(present->what, act->what) &&
	    present->by.id == act->by.id &&
	    present->member.id == act->member.id &&
	    present->article == act->article &&
	    present->comment == act->comment;
}

/* Acts under the same number are the same by what was done when, by whom and to whom. */
static enum store_result
compare_acts(struct batch *batch)
{
	struct arena *arena = batch->arena;
	struct pipeline pipeline = pipeline_begin(batch->store->redis, arena);
	struct member *members[2 * BATCH_MAX];

	for (size_t i = 0; i < batch->count; i++) {
		struct mod_action *act = &batch->lines[i]->record.act;

		members[2 * i] = &act->by;
		members[2 * i + 1] = &act->member;
		schema_ask(&pipeline, &mod_action_schema, SCHEMA_WHOLE,
		    key_mod_action(arena, &batch->store->buckets, act->id));
	}
	if (name_cache_find_ids(
		batch->names, arena, members, 2 * batch->count) != STORE_OK ||
	    !redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < batch->count; i++) {
		struct mod_action present = { .id = 0 };

		if (schema_read(&mod_action_schema, SCHEMA_WHOLE,
			&pipeline.replies[i], &present))
			batch_compare(batch, batch->lines[i],
			    is_same_act(
				&present, &batch->lines[i]->record.act));
	}
	return STORE_OK;
}

static enum store_result
log_archive_resolve(struct batch *batch)
{
	enum store_result result = compare_acts(batch);

	return result == STORE_OK ? batch_find_members(batch) : result;
}

static void
log_archive_add(struct pipeline *pipeline, const struct batch *batch,
    const struct record *record)
{
	struct call call =
	    call_begin(pipeline->arena, CALL_WRITES, "load_act_1",
		key_mod_action(
		    pipeline->arena, &batch->store->buckets, record->act.id));

	schema_add(&call, &mod_action_schema, &record->act);
	call_send(&call, pipeline);
}

/* Check. */

static struct text
known_words(struct arena *arena)
{
	struct text known = mod_action_words[0];

	for (size_t i = 1; i < MOD_ACTION_KINDS; i++)
		known = text_format(arena, "%.*s %.*s", TEXT_ARGS(known),
		    TEXT_ARGS(mod_action_words[i]));
	return known;
}

static void
ask_act(
    struct check *check, struct pipeline *pipeline, const struct place *place)
{
	struct call call = call_begin(&check->step, CALL_READS, "check_act_2",
	    key_mod_action(
		&check->step, &check->store->buckets, place->id.article));

	call_add(&call, known_words(&check->step));
	schema_add_required(&call, &mod_action_schema);
	call_send(&call, pipeline);
}

static void
take_act(
    struct check *check, const struct place *place, const struct reply *reply)
{
	check->acts++;
	check_report_all(check,
	    text_format(&check->step, "act %" PRIu64, place->id.article), reply,
	    0);
	if (reply->count > 0 && check_repairs(check) != NULL)
		refresh_send_mod_action(
		    check_repairs(check), check->store, place->id.article);
}

/* True for the list of a decision's parts. *id is the decision's. */
static bool
is_decision(
    struct text key, struct place *place, struct text *list, uint64_t *id)
{
	return key_parse(key, &place->bucket, &place->id, list) == KEY_LOG &&
	    text_starts(*list, TEXT("%")) &&
	    text_to_u64(text_slice(*list, 1, list->size - 1), id);
}

/* What a decision was on several posts or members is found from its entry. */
static enum store_result
check_decisions(struct check *check)
{
	struct arena *arena = &check->memory;
	struct pipeline pipeline = pipeline_begin(check->store->redis, arena);
	uint64_t *decisions = arena_new(arena, uint64_t, check->all.list_count);
	size_t count = 0;

	for (size_t i = 0; i < check->all.list_count; i++) {
		struct place place;
		struct text list;

		if (!is_decision(
			check->all.lists[i], &place, &list, &decisions[count]))
			continue;
		place = (struct place){ key_bucket_of(&check->store->buckets,
					    decisions[count]),
			{ decisions[count], 0 } };
		if (keyscan_has_act(&check->all.places[KEYSCAN_ACTS], &place))
			continue;
		pipeline_add(&pipeline, TEXT("EXISTS"),
		    key_mod_action(
			arena, &check->store->buckets, decisions[count++]));
	}
	if (count > 0 && !check_run(check, &pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		if (reply_number(&pipeline.replies[i]) == 0)
			check_report(check,
			    text_format(arena,
				"act %" PRIu64
				": it does not exist, but others are parts of it",
				decisions[i]));
	return STORE_OK;
}

/* The numbers of a decision's parts on articles and on comments. */
struct parts {
	int64_t articles, comments;
};

/* A part is counted after it was carried out: a younger decision may not have done so yet. */
enum { DECIDING_SECONDS = 60 };

static struct parts
count_parts(const struct reply *replies, size_t count)
{
	struct parts parts = { 0, 0 };

	for (size_t i = 0; i < count; i++) {
		bool has_comment =
		    reply_item(&replies[i], 1)->kind != REPLY_NIL;

		parts.comments += has_comment;
		parts.articles += !has_comment &&
		    reply_item(&replies[i], 0)->kind != REPLY_NIL;
	}
	return parts;
}

/* The last two replies are the entry's fields and the time. */
static void
compare_parts(struct check *check, uint64_t id, const struct pipeline *pipeline)
{
	size_t count = pipeline->count - 2;
	const struct reply *entry = &pipeline->replies[count];
	struct parts parts = count_parts(pipeline->replies, count);
	int64_t articles = reply_count(reply_item(entry, 2));
	int64_t comments = reply_count(reply_item(entry, 3));
	enum mod_action_kind kind;

	if (!mod_action_parse(reply_text(reply_item(entry, 0)), &kind) ||
	    (kind != MOD_REMOVED && kind != MOD_DISMISSED) ||
	    reply_count(reply_item(entry, 1)) + DECIDING_SECONDS >
		reply_seconds(entry + 1) ||
	    (articles >= parts.articles && comments >= parts.comments))
		return;
	check_report(check,
	    text_format(&check->step,
		"act %" PRIu64 ": it counts %" PRId64 " articles and %" PRId64
		" comments; its parts are on %" PRId64 " and %" PRId64,
		id, articles, comments, parts.articles, parts.comments));
	if (parts.articles < articles)
		parts.articles = articles;
	if (parts.comments < comments)
		parts.comments = comments;
	if (check_repairs(check) != NULL)
		mod_decision_send_counts(check_repairs(check), check->store, id,
		    parts.articles, parts.comments);
}

/* Checks a decision, whose parts are in the buckets of their posts, at the first of its lists. */
static enum store_result
check_parts(struct check *check, uint64_t id, uint64_t bucket)
{
	struct arena *arena = &check->step;
	const struct buckets *buckets = &check->store->buckets;
	struct pipeline asked = pipeline_begin(check->store->redis, arena);
	struct pipeline pipeline = pipeline_begin(check->store->redis, arena);
	struct text entry = key_mod_action(arena, buckets, id);

	for (uint64_t b = 0; b < buckets->count; b++)
		pipeline_add(&asked, TEXT("ZRANGE"),
		    key_log(arena, buckets, b, key_log_of_decision(arena, id)),
		    TEXT("0"), TEXT("-1"));
	if (!check_run(check, &asked))
		return STORE_DOWN;
	for (uint64_t b = 0; b < buckets->count; b++)
		for (size_t i = 0; i < asked.replies[b].count; i++) {
			struct text part =
			    reply_text(reply_item(&asked.replies[b], i));

			if (b < bucket)
				return STORE_OK;
			pipeline_add(&pipeline, TEXT("HMGET"),
			    key_mod_action(
				arena, buckets, decode_post(part).article),
			    TEXT("article"), TEXT("comment"));
		}
	pipeline_add(&pipeline, TEXT("HMGET"), entry, TEXT("what"), TEXT("at"),
	    TEXT("articles"), TEXT("comments"));
	pipeline_add_time(&pipeline, entry);
	if (!check_run(check, &pipeline))
		return STORE_DOWN;
	compare_parts(check, id, &pipeline);
	return STORE_OK;
}

static enum store_result
check_all_parts(struct check *check)
{
	enum store_result result = STORE_OK;

	for (size_t i = 0; i < check->all.list_count && result == STORE_OK;
	    i++) {
		struct place place;
		struct text list;
		uint64_t id;

		if (is_decision(check->all.lists[i], &place, &list, &id))
			result = check_parts(check, id, place.bucket);
		arena_reset(&check->step);
	}
	return result == STORE_OK ? check_repair(check) : result;
}

static enum store_result
log_archive_check(struct check *check)
{
	static const struct check_places acts = { KEYSCAN_ACTS, "an act lies",
		CHECK_BATCH, ask_act, take_act };
	enum store_result result = check_places(check, &acts);

	if (result == STORE_OK)
		result = check_counters(check, RECORD_ACT, KEYSCAN_ACTS);
	if (result == STORE_OK)
		result = check_decisions(check);
	if (result == STORE_OK)
		result = check_all_parts(check);
	return result == STORE_OK ? containments_check(check) : result;
}

const struct noun log_archive = {
	.kind = "act",
	.label = "act",
	.schema = &mod_action_schema,
	.offset = offsetof(struct record, act),
	.describe = log_archive_describe,
	.number = log_archive_number,
	.counter = KEY_MOD_ACTION_COUNTER,
	.references = log_archive_references,
	.write = log_archive_write,
	.validate = log_archive_validate,
	.resolve = log_archive_resolve,
	.add = log_archive_add,
	.check = log_archive_check,
};
