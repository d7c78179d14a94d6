/* Notes of moderators on members: a line for each. */
#include "store/member_note.h"

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
	FIELD("on", struct record_member_note, on, MEMBER, REQUIRED, WHOLE),
	FIELD("by", struct record_member_note, by, MEMBER, REQUIRED, WHOLE),
	FIELD("text", struct record_member_note, text, TEXT, REQUIRED, WHOLE),
	FIELD("at", struct record_member_note, at, MOMENT, REQUIRED, WHOLE),
};
static const struct schema schema = SCHEMA(struct record_member_note, fields);

static struct text
member_notes_archive_describe(struct arena *arena, const struct record *record)
{
	return text_format(arena,
	    "note of member %" PRIu64 " on member %" PRIu64,
	    record->member_note.by.id, record->member_note.on.id);
}

static void
member_notes_archive_references(
    struct references *references, struct record *record)
{
	references_member(references, &record->member_note.on);
	references_member(references, &record->member_note.by);
}

/* Dump. */

static enum store_result
write_notes(struct writer *writer, uint64_t first, size_t count)
{
	struct arena *arena = &writer->portion;
	struct pipeline pipeline = pipeline_begin(writer->store->redis, arena);
	enum store_result result = STORE_OK;

	for (size_t i = 0; i < count; i++)
		member_notes_ask(&pipeline, first + i);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count && result == STORE_OK; i++) {
		struct member_note *notes;
		size_t got;

		member_notes_read(arena, &pipeline.replies[i], &notes, &got);
		for (size_t k = got; k-- > 0 && result == STORE_OK;) {
			struct record record = { .kind = RECORD_MEMBER_NOTE,
				.member_note = { .on.id = first + i,
				    .by.id = notes[k].by,
				    .text = notes[k].text,
				    .at = notes[k].at } };

			result = writer_go_on(
			    members_archive_write_naming(writer, &record));
		}
	}
	arena_reset(arena);
	return result;
}

static enum store_result
member_notes_archive_write(struct writer *writer)
{
	return members_archive_write_of(writer, write_notes);
}

/* Load. */

static void
member_notes_archive_validate(
    struct validation *validation, struct record *record)
{
	validate_value(
	    validation, "text", record->member_note.text, rule_member_note);
}

static enum store_result
member_notes_archive_resolve(struct batch *batch)
{
	return batch_find_members(batch);
}

static void
member_notes_archive_add(struct pipeline *pipeline, const struct batch *batch,
    const struct record *record)
{
	const struct member_note note = { .by = record->member_note.by.id,
		.at = record->member_note.at,
		.text = record->member_note.text };

	(void)batch;
	member_note_load(pipeline, record->member_note.on.id, &note);
}

/* Check. */

static void
report(struct check *check, uint64_t user, struct text problem)
{
	check_report(check,
	    text_format(&check->step, "notes on member %" PRIu64 ": %.*s", user,
		TEXT_ARGS(problem)));
}

static void
check_note(struct check *check, uint64_t user, struct text entry,
    const struct reply *at)
{
	const struct check_entry removed = { "ZREM",
		key_member_notes(&check->step, user), entry };
	struct member_note note;

	if (!member_note_decode(entry, at, &note)) {
		report(check, user,
		    text_format(
			&check->step, "\"%.*s\" is none", TEXT_ARGS(entry)));
		check_remove(check, &removed);
	} else if (!keyscan_has_member(&check->all, note.by)) {
		check_expect(check, key_user(&check->step, note.by),
		    text_format(&check->step,
			"notes on member %" PRIu64 ": one is by member %" PRIu64
			", who does not exist",
			user, note.by),
		    &removed);
	}
}

static void
ask_notes(struct check *check, struct pipeline *pipeline,
    const struct check_cursor *cursor)
{
	(void)check;
	member_notes_check(pipeline, cursor->id);
}

static bool
take_notes(
    struct check *check, struct check_cursor *cursor, const struct reply *reply)
{
	const struct reply *notes = reply_item(reply, 0);

	for (size_t i = 0; i + 1 < notes->count; i += 2)
		check_note(check, cursor->id, reply_text(reply_item(notes, i)),
		    reply_item(notes, i + 1));
	for (size_t i = 1; i < reply->count; i++)
		report(check, cursor->id, reply_text(reply_item(reply, i)));
	if (reply->count > 1 && check_repairs(check) != NULL)
		refresh_send_inbox(check_repairs(check), cursor->id);
	return false;
}

static enum store_result
member_notes_archive_check(struct check *check)
{
	static const struct check_scan members = { MEMBERS_CHECKED,
		check_start_member, ask_notes, take_notes };

	return check_scan_all(check, &members);
}

const struct noun member_notes_archive = {
	.kind = "member-note",
	.label = "note on members",
	.schema = &schema,
	.offset = offsetof(struct record, member_note),
	.taken_is_same = true,
	.describe = member_notes_archive_describe,
	.references = member_notes_archive_references,
	.write = member_notes_archive_write,
	.validate = member_notes_archive_validate,
	.resolve = member_notes_archive_resolve,
	.add = member_notes_archive_add,
	.check = member_notes_archive_check,
};
