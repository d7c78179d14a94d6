#include "archive/inbox.h"

#include <inttypes.h>
#include <stdlib.h>

#include "archive/batch.h"
#include "archive/check_keys.h"
#include "archive/members.h"
#include "archive/noun.h"
#include "archive/posts.h"
#include "archive/references.h"
#include "archive/validate.h"
#include "archive/writer.h"
#include "base/arena.h"
#include "redis/redis.h"
#include "store/hidden.h"
#include "store/keys.h"
#include "store/recovery.h"
#include "store/refresh.h"

enum {
	MEMBERS_BATCH = MEMBERS_ARCHIVE_BATCH,
	INBOXES_BATCH = 50, /* that are checked at once */
	NOTICES_BATCH = 200 /* of an inbox in a step of the check */
};

static const struct field notice_fields[] = {
	FIELD("to", struct record_notice, to, MEMBER, REQUIRED, WHOLE),
	FIELD("number", struct record_notice, number, ID, REQUIRED, WHOLE),
	FIELD("article", struct record_notice, comment.article, ID, OPTIONAL,
	    WHOLE),
	FIELD("comment", struct record_notice, comment.comment, ID, OPTIONAL,
	    WHOLE),
	FIELD("why", struct record_notice, why, TEXT, REQUIRED, WHOLE),
	FIELD("act", struct record_notice, act, ID, OPTIONAL, WHOLE),
	FIELD("used", struct record_notice, used, MOMENT, OPTIONAL, WHOLE),
	FIELD("left", struct record_notice, left, COUNT, OPTIONAL, WHOLE),
	FIELD("read", struct record_notice, read, COUNT, OPTIONAL, WHOLE),
};
static const struct schema notice_schema =
    SCHEMA(struct record_notice, notice_fields);

static const struct field mute_fields[] = {
	FIELD("by", struct record_mute, by, MEMBER, REQUIRED, WHOLE),
	FIELD("article", struct record_mute, article, ID, OPTIONAL, WHOLE),
	FIELD("member", struct record_mute, member, MEMBER, OPTIONAL, WHOLE),
};
static const struct schema mute_schema =
    SCHEMA(struct record_mute, mute_fields);

static struct notice
notice_of(const struct record_notice *record)
{
	struct notice notice = { .number = record->number,
		.is_read = record->read != 0,
		.comment = record->comment,
		.action = record->act,
		.used = record->used,
		.left = record->left };

	notice_parse(record->why, &notice.reason);
	return notice;
}

static struct mute
mute_of(const struct record_mute *record)
{
	return record->article != 0
	    ? (struct mute){ MUTE_ARTICLE, record->article }
	    : (struct mute){ MUTE_MEMBER, record->member.id };
}

static struct text
notices_archive_describe(struct arena *arena, const struct record *record)
{
	return text_format(arena, "notice %" PRIu64 " of member %" PRIu64,
	    record->notice.number, record->notice.to.id);
}

static struct text
mutes_archive_describe(struct arena *arena, const struct record *record)
{
	return text_format(arena, "mute by member %" PRIu64 " of %.*s",
	    record->mute.by.id,
	    TEXT_ARGS(mute_encode(arena, mute_of(&record->mute))));
}

static void
notices_archive_references(struct references *references, struct record *record)
{
	references_member(references, &record->notice.to);
	if (record->notice.comment.article != 0)
		references_post(references, record->notice.comment);
}

static void
mutes_archive_references(struct references *references, struct record *record)
{
	struct record_mute *mute = &record->mute;

	references_member(references, &mute->by);
	if (mute->article == 0)
		references_member(references, &mute->member);
	else
		references_post(references, article_id(mute->article));
}

/* Dump. */

STORE_CALL
inbox_archive_read_sizes(struct store *store, struct arena *arena,
    uint64_t first, size_t count, size_t *sizes)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (size_t i = 0; i < count; i++)
		pipeline_add(
		    &pipeline, TEXT("ZCARD"), key_inbox(arena, first + i));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++) {
		sizes[i] = (size_t)reply_count(&pipeline.replies[i]);
		if (sizes[i] > INBOX_MAX)
			sizes[i] = INBOX_MAX;
	}
	return STORE_OK;
}

static void
read_notices(struct arena *arena, const struct reply *reply,
    struct inbox_archive_notices *inbox)
{
	inbox->count = reply->count / 2;
	inbox->items = arena_new(arena, struct notice, inbox->count);
	for (size_t i = 0; i < inbox->count; i++)
		if (!notice_decode(reply_text(reply_item(reply, 2 * i)),
			reply_item(reply, 2 * i + 1), &inbox->items[i]))
			inbox->items[i] = (struct notice){ .number = 0 };
}

STORE_CALL
inbox_archive_read_notices(struct store *store, struct arena *arena,
    struct inbox_archive_notices *inboxes, size_t count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (size_t i = 0; i < count; i++)
		pipeline_add(&pipeline, TEXT("ZRANGE"),
		    key_inbox(arena, inboxes[i].user),
		    text_number(arena, -INBOX_MAX), TEXT("-1"),
		    TEXT("WITHSCORES"));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		read_notices(arena, &pipeline.replies[i], &inboxes[i]);
	return STORE_OK;
}

static void
read_mutes(struct arena *arena, const struct reply *reply,
    struct inbox_archive_mutes *muted)
{
	muted->count = reply->count;
	muted->items = arena_new(arena, struct mute, reply->count);
	for (size_t i = 0; i < reply->count; i++)
		if (!mute_decode(
			reply_text(reply_item(reply, i)), &muted->items[i]))
			muted->items[i] = (struct mute){ .id = 0 };
	if (muted->count > 0)
		qsort(muted->items, muted->count, sizeof(struct mute),
		    mute_compare);
}

STORE_CALL
inbox_archive_read_mutes(struct store *store, struct arena *arena,
    struct inbox_archive_mutes *muted, size_t count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (size_t i = 0; i < count; i++)
		pipeline_add(&pipeline, TEXT("SMEMBERS"),
		    key_muted(arena, muted[i].user));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		read_mutes(arena, &pipeline.replies[i], &muted[i]);
	return STORE_OK;
}

/* An action that has been logged since the log was scanned is left to the next dump, as its
 * notice is. */
static bool
is_late(const struct writer *writer, const struct notice *notice)
{
	const struct place act = { key_bucket_of(
				       &writer->store->buckets, notice->action),
		article_id(notice->action) };

	return notice->action != 0 && !keyscan_has_act(&writer->acts, &act);
}

/* No other notice has the number. */
static enum store_result
write_notice(struct writer *writer, uint64_t to, const struct notice *notice,
    bool is_good)
{
	struct record record = { .kind = RECORD_NOTICE,
		.notice = { .to.id = to,
		    .number = notice->number,
		    .comment = notice->comment,
		    .why = notice_words[notice->reason],
		    .act = notice->action,
		    .used = notice->used,
		    .left = notice->left,
		    .read = notice->is_read } };

	if (!is_good)
		return writer_go_on(
		    writer_leave_out(writer, &record, "is damaged"));
	if (is_late(writer, notice))
		return STORE_OK;
	return posts_archive_write_naming(writer, &record, notice->comment);
}

static enum store_result
write_inbox(struct writer *writer, const struct inbox_archive_notices *inbox)
{
	enum store_result result = STORE_OK;

	for (size_t i = 0; i < inbox->count && result == STORE_OK; i++) {
		const struct notice *notice = &inbox->items[i];

		result = write_notice(writer, inbox->user, notice,
		    notice->number != 0 &&
			(i == 0 || notice->number != notice[-1].number));
	}
	return result;
}

static enum store_result
write_inboxes(
    struct writer *writer, struct inbox_archive_notices *inboxes, size_t count)
{
	enum store_result result = inbox_archive_read_notices(
	    writer->store, &writer->portion, inboxes, count);

	for (size_t i = 0; i < count && result == STORE_OK; i++)
		result = write_inbox(writer, &inboxes[i]);
	arena_reset(&writer->portion);
	return result;
}

/* Those of some members, together as long as that is no more than one may have. */
static enum store_result
write_notices(struct writer *writer, uint64_t first, size_t count)
{
	struct inbox_archive_notices inboxes[MEMBERS_BATCH];
	size_t sizes[MEMBERS_BATCH], taken = 0, sum = 0;
	enum store_result result = inbox_archive_read_sizes(
	    writer->store, &writer->portion, first, count, sizes);

	for (size_t i = 0; i < count && result == STORE_OK; i++) {
		if (sum + sizes[i] > INBOX_MAX) {
			result = write_inboxes(writer, inboxes, taken);
			taken = sum = 0;
		}
		if (sizes[i] > 0)
			inboxes[taken++] =
			    (struct inbox_archive_notices){ .user = first + i };
		sum += sizes[i];
	}
	return result == STORE_OK ? write_inboxes(writer, inboxes, taken)
				  : result;
}

static enum store_result
write_mute(struct writer *writer, uint64_t by, const struct mute *mute)
{
	struct record record = { .kind = RECORD_MUTE, .mute.by.id = by };
	uint64_t *muted = &record.mute.member.id;

	if (mute->kind == MUTE_ARTICLE)
		record.mute.article = mute->id;
	else
		*muted = mute->id;
	if (mute->id == 0 || *muted == by)
		return writer_go_on(
		    writer_leave_out(writer, &record, "is damaged"));
	return posts_archive_write_naming(
	    writer, &record, article_id(record.mute.article));
}

static enum store_result
write_mutes(struct writer *writer, uint64_t first, size_t count)
{
	struct inbox_archive_mutes muted[MEMBERS_BATCH];
	enum store_result result;

	for (size_t i = 0; i < count; i++)
		muted[i].user = first + i;
	result = inbox_archive_read_mutes(
	    writer->store, &writer->portion, muted, count);
	for (size_t i = 0; i < count && result == STORE_OK; i++)
		for (size_t m = 0; m < muted[i].count && result == STORE_OK;
		    m++)
			result = write_mute(
			    writer, muted[i].user, &muted[i].items[m]);
	arena_reset(&writer->portion);
	return result;
}

static enum store_result
notices_archive_write(struct writer *writer)
{
	return members_archive_write_of(writer, write_notices);
}

static enum store_result
mutes_archive_write(struct writer *writer)
{
	return members_archive_write_of(writer, write_mutes);
}

/* Load. */

static void
notices_archive_validate(struct validation *validation, struct record *record)
{
	const struct record_notice *notice = &record->notice;
	const struct post_id *comment = &notice->comment;
	bool is_of_comment = comment->comment != 0;
	enum notice_reason why;

	validate_max(
	    validation, "number", (int64_t)notice->number, RECORD_NUMBER_MAX);
	validate_max(validation, "comment", (int64_t)comment->comment,
	    COMMENT_NUMBER_MAX);
	validate_max(validation, "read", notice->read, 1);
	validate_max(validation, "left", notice->left, RECOVERY_CODES);
	if (!notice_parse(notice->why, &why))
		validate_problem(validation,
		    TEXT("\"why\" is none of article, reply, mention, action, "
			 "code-password and code-factor"));
	else if (is_of_comment != (why < NOTICE_ACTION) ||
	    is_of_comment != (comment->article != 0) ||
	    (notice->act != 0) != (why == NOTICE_ACTION) ||
	    (notice->used != 0) != (why > NOTICE_ACTION))
		validate_problem(validation,
		    TEXT("a notice has either an article and a comment, an "
			 "act, or when a recovery code was used"));
}

static void
mutes_archive_validate(struct validation *validation, struct record *record)
{
	const struct record_mute *mute = &record->mute;

	if ((mute->article != 0) == (mute->member.name.size > 0))
		validate_problem(validation,
		    TEXT("a mute has either an article or a member"));
}

static struct post_id
notice_comment(const struct record *record)
{
	return record->notice.comment;
}

static struct post_id
mute_article(const struct record *record)
{
	return article_id(record->mute.article);
}

static struct text
notice_bytes(struct arena *arena, const struct record_notice *record)
{
	struct notice notice = notice_of(record);

	return notice_encode(arena, &notice);
}

/* A line before has another notice with the number. */
static bool
is_number_taken(const struct batch *batch, const struct batch_line *line)
{
	const struct record_notice *notice = &line->record.notice;
	struct text entry = notice_bytes(batch->arena, notice);

	for (size_t i = 0; batch->lines[i] != line; i++) {
		const struct batch_line *before = batch->lines[i];
		const struct record_notice *other = &before->record.notice;

		if (before->refusal.size == 0 &&
		    other->to.id == notice->to.id &&
		    other->number == notice->number &&
		    !text_equal(notice_bytes(batch->arena, other), entry))
			return true;
	}
	return false;
}

/* numbered: what the inbox has under the number. */
static void
refuse_number(const struct batch *batch, struct batch_line *line,
    const struct reply *numbered)
{
	const struct record_notice *notice = &line->record.notice;
	bool is_other = numbered->count > 0 &&
	    !text_equal(reply_text(reply_item(numbered, 0)),
		notice_bytes(batch->arena, notice));

	if (line->refusal.size == 0 &&
	    (is_other || is_number_taken(batch, line)))
		line->refusal = text_format(batch->arena,
		    "the inbox of \"%.*s\" has another notice with number "
		    "%" PRIu64,
		    TEXT_ARGS(notice->to.name), notice->number);
}

/* Refuses notices under whose number the inbox has another one, or will have. */
static enum store_result
refuse_numbers(struct batch *batch)
{
	struct arena *arena = batch->arena;
	struct pipeline pipeline = pipeline_begin(batch->store->redis, arena);

	for (size_t i = 0; i < batch->count; i++) {
		const struct record_notice *notice =
		    &batch->lines[i]->record.notice;
		struct text number =
		    text_number(arena, (int64_t)notice->number);

		pipeline_add(&pipeline, TEXT("ZRANGE"),
		    key_inbox(arena, notice->to.id), number,
		    text_join(arena, number, TEXT(".5")), TEXT("BYSCORE"));
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < batch->count; i++)
		refuse_number(batch, batch->lines[i], &pipeline.replies[i]);
	return STORE_OK;
}

/* Refuses notices of actions that are not in the log. */
static enum store_result
refuse_missing_acts(struct batch *batch)
{
	struct arena *arena = batch->arena;
	struct pipeline pipeline = pipeline_begin(batch->store->redis, arena);

	for (size_t i = 0; i < batch->count; i++)
		pipeline_add(&pipeline, TEXT("EXISTS"),
		    key_mod_action(arena, &batch->store->buckets,
			batch->lines[i]->record.notice.act));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < batch->count; i++) {
		struct batch_line *line = batch->lines[i];
		uint64_t act = line->record.notice.act;

		if (act != 0 && line->refusal.size == 0 &&
		    reply_number(&pipeline.replies[i]) == 0)
			line->refusal =
			    text_format(arena, "there is no act %" PRIu64, act);
	}
	return STORE_OK;
}

static enum store_result
notices_archive_resolve(struct batch *batch)
{
	enum store_result result = batch_find_members(batch);

	if (result == STORE_OK)
		result = batch_find_posts(batch, notice_comment);
	if (result == STORE_OK)
		result = refuse_missing_acts(batch);
	return result == STORE_OK ? refuse_numbers(batch) : result;
}

/* The number of new mutes of the same kind by the same member in the lines before. */
static int64_t
count_before(const struct batch *batch, const struct batch_line *line,
    const bool *is_new)
{
	const struct record_mute *mute = &line->record.mute;
	int64_t count = 0;

	for (size_t i = 0; batch->lines[i] != line; i++) {
		const struct record_mute *other = &batch->lines[i]->record.mute;

		count += is_new[i] && batch->lines[i]->refusal.size == 0 &&
		    other->by.id == mute->by.id &&
		    (other->article != 0) == (mute->article != 0);
	}
	return count;
}

/* count: how many the member mutes already, if this one is new. */
static void
refuse_mute(const struct batch *batch, struct batch_line *line, int64_t count)
{
	const struct record_mute *mute = &line->record.mute;
	int max = mute->article != 0 ? INBOX_MUTES_MAX : HIDDEN_FORMER_MAX;

	if (line->refusal.size > 0)
		return;
	if (mute->member.id == mute->by.id)
		line->refusal =
		    text_format(batch->arena, "\"%.*s\" cannot mute themselves",
			TEXT_ARGS(mute->by.name));
	else if (count >= max)
		line->refusal = text_format(batch->arena,
		    "\"%.*s\" has muted %d already, and that is the most",
		    TEXT_ARGS(mute->by.name), max);
}

/* Refuses mutes of oneself, and those for which there is no room: threads are muted, members are
 * hidden. */
static enum store_result
refuse_mutes(struct batch *batch)
{
	struct arena *arena = batch->arena;
	struct pipeline pipeline = pipeline_begin(batch->store->redis, arena);
	bool is_new[BATCH_MAX];

	for (size_t i = 0; i < batch->count; i++) {
		const struct record_mute *mute = &batch->lines[i]->record.mute;
		struct text word = mute_encode(arena, mute_of(mute));
		struct text key = mute->article != 0
		    ? key_muted(arena, mute->by.id)
		    : key_hidden(arena, mute->by.id);

		pipeline_add(&pipeline,
		    mute->article != 0 ? TEXT("SMISMEMBER") : TEXT("ZMSCORE"),
		    key, word);
		pipeline_add(&pipeline,
		    mute->article != 0 ? TEXT("SCARD") : TEXT("ZCARD"), key);
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < batch->count; i++) {
		const struct reply *replies = &pipeline.replies[2 * i];

		is_new[i] = reply_number(reply_item(&replies[0], 0)) == 0;
		refuse_mute(batch, batch->lines[i],
		    is_new[i] ? reply_number(&replies[1]) +
			    count_before(batch, batch->lines[i], is_new)
			      : 0);
	}
	return STORE_OK;
}

static enum store_result
mutes_archive_resolve(struct batch *batch)
{
	enum store_result result = batch_find_members(batch);

	if (result == STORE_OK)
		result = batch_find_posts(batch, mute_article);
	return result == STORE_OK ? refuse_mutes(batch) : result;
}

static void
notices_archive_add(struct pipeline *pipeline, const struct batch *batch,
    const struct record *record)
{
	struct notice notice = notice_of(&record->notice);

	(void)batch;
	inbox_load(pipeline, record->notice.to.id, &notice);
}

static void
mutes_archive_add(struct pipeline *pipeline, const struct batch *batch,
    const struct record *record)
{
	const struct record_mute *mute = &record->mute;
	const struct hidden_rule what = { .kind = HIDDEN_MEMBER,
		.id = mute->member.id };

	(void)batch;
	if (mute->article != 0)
		inbox_load_mute(pipeline, mute->by.id, mute->article);
	else
		hidden_load(pipeline, mute->by.id, &what);
}

/* Check. */

static void
report_inbox(struct check *check, uint64_t user, struct text problem)
{
	check_report(check,
	    text_format(&check->step, "inbox of member %" PRIu64 ": %.*s", user,
		TEXT_ARGS(problem)));
}

static void
expect_post(struct check *check, uint64_t user, struct post_id id,
    const char *what, const struct check_entry *entry)
{
	struct arena *arena = &check->step;
	const struct buckets *buckets = &check->store->buckets;
	const struct place place = { key_bucket_of(buckets, id.article), id };

	if (!keyscan_has_post(&check->all, &place))
		check_expect(check, key_post(arena, buckets, id),
		    text_format(arena,
			"inbox of member %" PRIu64
			": %s %.*s, which does not exist",
			user, what, TEXT_ARGS(key_post_name(arena, id))),
		    entry);
}

static void
expect_action(struct check *check, uint64_t user, uint64_t action,
    const struct check_entry *entry)
{
	const struct buckets *buckets = &check->store->buckets;
	const struct place act = { key_bucket_of(buckets, action),
		article_id(action) };

	if (!keyscan_has_act(&check->all.places[KEYSCAN_ACTS], &act))
		check_expect(check,
		    key_mod_action(&check->step, buckets, action),
		    text_format(&check->step,
			"inbox of member %" PRIu64 ": it has act %" PRIu64
			", which does not exist",
			user, action),
		    entry);
}

/* A notice is seen again when it moved down as another one came in. */
static void
check_notice(struct check *check, struct check_cursor *cursor,
    const struct notice *notice, const struct check_entry *entry)
{
	const struct post_id *last = &cursor->last.comment;
	bool is_again = notice->comment.article == last->article &&
	    notice->comment.comment == last->comment &&
	    notice->action == cursor->last.action &&
	    notice->used == cursor->last.used;

	if (notice->number == cursor->last.number && !is_again)
		report_inbox(check, cursor->id,
		    text_format(&check->step, "two have number %" PRIu64,
			notice->number));
	if (notice->action != 0)
		expect_action(check, cursor->id, notice->action, entry);
	else if (notice->used == 0)
		expect_post(check, cursor->id, notice->comment,
		    "it has comment", entry);
	cursor->last = *notice;
	check->notices++;
}

/* entries: entries and numbers in turn. */
static void
check_notices(struct check *check, struct check_cursor *cursor,
    const struct reply *entries)
{
	for (size_t i = 0; i + 1 < entries->count; i += 2) {
		const struct reply *number = reply_item(entries, i + 1);
		const struct check_entry entry = { "ZREM",
			key_inbox(&check->step, cursor->id),
			reply_text(reply_item(entries, i)) };
		struct notice notice;

		if (notice_decode(entry.entry, number, &notice)) {
			check_notice(check, cursor, &notice, &entry);
			continue;
		}
		report_inbox(check, cursor->id,
		    text_format(&check->step,
			"what has number %.*s is no notice",
			TEXT_ARGS(reply_text(number))));
		check_remove(check, &entry);
	}
}

/* What is wrong with a mute by itself; empty when nothing is. */
static struct text
mute_problem(
    struct check *check, uint64_t user, struct text word, struct mute *mute)
{
	if (!mute_decode(word, mute) ||
	    !text_equal(mute_encode(&check->step, *mute), word))
		return text_format(&check->step,
		    "what is muted as \"%.*s\" is nothing", TEXT_ARGS(word));
	return mute->kind == MUTE_MEMBER && mute->id == user
	    ? TEXT("its own member is muted")
	    : TEXT("");
}

static void
check_mute(struct check *check, uint64_t user, struct text word)
{
	const struct check_entry entry = { "SREM",
		key_muted(&check->step, user), word };
	struct mute mute;
	struct text problem = mute_problem(check, user, word, &mute);

	check->mutes++;
	if (problem.size > 0) {
		report_inbox(check, user, problem);
		check_remove(check, &entry);
	} else if (mute.kind == MUTE_ARTICLE) {
		expect_post(check, user, article_id(mute.id),
		    "it mutes article", &entry);
	} else if (!keyscan_has_member(&check->all, mute.id)) {
		check_expect(check, key_user(&check->step, mute.id),
		    text_format(&check->step,
			"inbox of member %" PRIu64 ": it mutes member %" PRIu64
			", which does not exist",
			user, mute.id),
		    &entry);
	} else if (!check->awaits_move) {
		report_inbox(check, user,
		    text_format(&check->step,
			"member %" PRIu64 " is muted, and not hidden",
			mute.id));
		if (check_repairs(check) != NULL)
			refresh_send_inbox(check_repairs(check), user);
	}
}

static void
ask_inbox(struct check *check, struct pipeline *pipeline,
    const struct check_cursor *cursor)
{
	(void)check;
	inbox_check(pipeline, cursor->id, cursor->position, NOTICES_BATCH);
}

static bool
take_inbox(
    struct check *check, struct check_cursor *cursor, const struct reply *reply)
{
	const struct reply *entries = reply_item(reply, 0);
	const struct reply *muted = reply_item(reply, 1);

	if (cursor->position == 0)
		check->inboxes += entries->count > 0;
	check_notices(check, cursor, entries);
	for (size_t i = 0; i < muted->count; i++)
		check_mute(check, cursor->id, reply_text(reply_item(muted, i)));
	for (size_t i = 2; i < reply->count; i++)
		report_inbox(
		    check, cursor->id, reply_text(reply_item(reply, i)));
	if (reply->count > 2 && check_repairs(check) != NULL)
		refresh_send_inbox(check_repairs(check), cursor->id);
	cursor->position += NOTICES_BATCH;
	return entries->count / 2 >= NOTICES_BATCH;
}

/* Of notices, the newest first, and of mutes. */
static enum store_result
notices_archive_check(struct check *check)
{
	static const struct check_scan inboxes = { INBOXES_BATCH,
		check_start_member, ask_inbox, take_inbox };

	return check_scan_all(check, &inboxes);
}

const struct noun notices_archive = {
	.kind = "notice",
	.label = "notice",
	.schema = &notice_schema,
	.offset = offsetof(struct record, notice),
	.taken_is_same = true,
	.describe = notices_archive_describe,
	.references = notices_archive_references,
	.write = notices_archive_write,
	.validate = notices_archive_validate,
	.resolve = notices_archive_resolve,
	.add = notices_archive_add,
	.check = notices_archive_check,
};

const struct noun mutes_archive = {
	.kind = "mute",
	.label = "mute",
	.schema = &mute_schema,
	.offset = offsetof(struct record, mute),
	.taken_is_same = true,
	.describe = mutes_archive_describe,
	.references = mutes_archive_references,
	.write = mutes_archive_write,
	.validate = mutes_archive_validate,
	.resolve = mutes_archive_resolve,
	.add = mutes_archive_add,
};
