/* The groups that members follow: a line for each. */
#include "store/follows.h"

#include <inttypes.h>

#include "archive/batch.h"
#include "archive/check_keys.h"
#include "archive/members.h"
#include "archive/noun.h"
#include "archive/references.h"
#include "archive/validate.h"
#include "archive/writer.h"
#include "base/arena.h"
#include "redis/redis.h"
#include "store/keys.h"
#include "store/refresh.h"

enum { MEMBERS_CHECKED = 50 }; /* at once */

static const struct field fields[] = {
	FIELD("by", struct record_follow, by, MEMBER, REQUIRED, WHOLE),
	FIELD("group", struct record_follow, group, TEXT, REQUIRED, WHOLE),
};
static const struct schema schema = SCHEMA(struct record_follow, fields);

static struct text
follows_archive_describe(struct arena *arena, const struct record *record)
{
	const struct record_follow *follow = &record->follow;

	return text_format(arena, "group \"%.*s\" followed by member %" PRIu64,
	    TEXT_ARGS(follow->group), follow->by.id);
}

static void
follows_archive_references(struct references *references, struct record *record)
{
	references_member(references, &record->follow.by);
}

/* Dump. */

static bool
is_name(struct arena *arena, struct text group)
{
	struct text formed = group;

	return rule_group_name(arena, &formed).kind == PROBLEM_NONE &&
	    text_equal(formed, group);
}

static enum store_result
write_follow(struct writer *writer, uint64_t by, struct text group)
{
	struct record record = { .kind = RECORD_FOLLOW,
		.follow = { .by.id = by, .group = group } };

	return writer_go_on(is_name(&writer->portion, group)
		? members_archive_write_naming(writer, &record)
		: writer_leave_out(writer, &record, "is damaged"));
}

static enum store_result
write_follows(struct writer *writer, uint64_t first, size_t count)
{
	struct arena *arena = &writer->portion;
	struct pipeline pipeline = pipeline_begin(writer->store->redis, arena);
	enum store_result result = STORE_OK;

	for (size_t i = 0; i < count; i++)
		follows_ask(&pipeline, first + i);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count && result == STORE_OK; i++) {
		struct text *groups;
		size_t got;

		follows_read(arena, &pipeline.replies[i], &groups, &got);
		for (size_t k = 0; k < got && result == STORE_OK; k++)
			result = write_follow(writer, first + i, groups[k]);
	}
	arena_reset(arena);
	return result;
}

static enum store_result
follows_archive_write(struct writer *writer)
{
	return members_archive_write_of(writer, write_follows);
}

/* Load. */

static void
follows_archive_validate(struct validation *validation, struct record *record)
{
	validate_name(
	    validation, "group", record->follow.group, rule_group_name);
}

/* The number of new groups of the same member in the lines before. */
static int64_t
count_before(const struct batch *batch, const struct batch_line *line,
    const bool *is_new)
{
	int64_t count = 0;

	for (size_t i = 0; batch->lines[i] != line; i++)
		count += is_new[i] && batch->lines[i]->refusal.size == 0 &&
		    batch->lines[i]->record.follow.by.id ==
			line->record.follow.by.id;
	return count;
}

/* count: how many the member follows already, if this one is new. */
static void
refuse_follow(const struct batch *batch, struct batch_line *line, int64_t count)
{
	if (line->refusal.size == 0 && count >= FOLLOWS_MAX)
		line->refusal = text_format(batch->arena,
		    "\"%.*s\" follows %d already, and that is the most",
		    TEXT_ARGS(line->record.follow.by.name), FOLLOWS_MAX);
}

/* Refuses groups for which there is no room. */
static enum store_result
refuse_follows(struct batch *batch)
{
	struct arena *arena = batch->arena;
	struct pipeline pipeline = pipeline_begin(batch->store->redis, arena);
	bool is_new[BATCH_MAX];

	for (size_t i = 0; i < batch->count; i++) {
		const struct record_follow *follow =
		    &batch->lines[i]->record.follow;
		struct text key = key_follows(arena, follow->by.id);

		pipeline_add(&pipeline, TEXT("SMISMEMBER"), key, follow->group);
		pipeline_add(&pipeline, TEXT("SCARD"), key);
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < batch->count; i++) {
		const struct reply *replies = &pipeline.replies[2 * i];

		is_new[i] = reply_number(reply_item(&replies[0], 0)) == 0;
		refuse_follow(batch, batch->lines[i],
		    is_new[i] ? reply_number(&replies[1]) +
			    count_before(batch, batch->lines[i], is_new)
			      : 0);
	}
	return STORE_OK;
}

static enum store_result
follows_archive_resolve(struct batch *batch)
{
	enum store_result result = batch_find_members(batch);

	return result == STORE_OK ? refuse_follows(batch) : result;
}

static void
follows_archive_add(struct pipeline *pipeline, const struct batch *batch,
    const struct record *record)
{
	(void)batch;
	follows_load(pipeline, record->follow.by.id, record->follow.group);
}

/* Check. */

static void
report(struct check *check, uint64_t user, struct text problem)
{
	check_report(check,
	    text_format(&check->step, "groups of member %" PRIu64 ": %.*s",
		user, TEXT_ARGS(problem)));
}

/* Groups that were deleted may be followed still. */
static void
check_follow(struct check *check, uint64_t user, struct text group)
{
	const struct check_entry entry = { "SREM",
		key_follows(&check->step, user), group };

	if (is_name(&check->step, group))
		return;
	report(check, user,
	    text_format(&check->step, "\"%.*s\" is no name", TEXT_ARGS(group)));
	check_remove(check, &entry);
}

static void
ask_follows(struct check *check, struct pipeline *pipeline,
    const struct check_cursor *cursor)
{
	(void)check;
	follows_check(pipeline, cursor->id);
}

static bool
take_follows(
    struct check *check, struct check_cursor *cursor, const struct reply *reply)
{
	const struct reply *groups = reply_item(reply, 0);

	for (size_t i = 0; i < groups->count; i++)
		check_follow(
		    check, cursor->id, reply_text(reply_item(groups, i)));
	for (size_t i = 1; i < reply->count; i++)
		report(check, cursor->id, reply_text(reply_item(reply, i)));
	if (reply->count > 1 && check_repairs(check) != NULL)
		refresh_send_inbox(check_repairs(check), cursor->id);
	return false;
}

static enum store_result
follows_archive_check(struct check *check)
{
	static const struct check_scan members = { MEMBERS_CHECKED,
		check_start_member, ask_follows, take_follows };

	return check_scan_all(check, &members);
}

const struct noun follows_archive = {
	.kind = "follow",
	.label = "followed group",
	.schema = &schema,
	.offset = offsetof(struct record, follow),
	.taken_is_same = true,
	.describe = follows_archive_describe,
	.references = follows_archive_references,
	.write = follows_archive_write,
	.validate = follows_archive_validate,
	.resolve = follows_archive_resolve,
	.add = follows_archive_add,
	.check = follows_archive_check,
};
