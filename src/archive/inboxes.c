#include "archive/inboxes.h"

#include "archive/export.h"
#include "base/arena.h"
#include "redis/redis.h"
#include "store/keys.h"

enum { MEMBERS_BATCH = 200 };

struct boxes {
	struct writer *writer;
	inboxes_find *find;
	void *data;
};

/* What is late is left to the next dump, as the comment is. */
static enum store_result
write_of(struct boxes *boxes, struct record *record, struct post_id named,
    enum store_result (*write)(struct writer *writer, struct record *record))
{
	enum finding finding = FOUND_WRITTEN;
	enum store_result result = STORE_OK;

	if (named.article != 0)
		result = boxes->find(boxes->data, named, &finding);
	if (result != STORE_OK || finding == FOUND_LATE)
		return result;
	result = finding == FOUND_LOST ? writer_leave_out(boxes->writer, record,
					     "is of what is not in the dump")
				       : write(boxes->writer, record);
	return result == STORE_DOWN ? result : STORE_OK;
}

/* No other notice has the number. */
static enum store_result
write_notice(
    struct boxes *boxes, uint64_t to, const struct notice *notice, bool is_good)
{
	struct record record = { .kind = RECORD_NOTICE,
		.notice = { { .id = to }, notice->number, notice->comment,
		    notice_words[notice->reason] } };

	if (!is_good) {
		(void)!writer_leave_out(boxes->writer, &record, "is damaged");
		return STORE_OK;
	}
	return write_of(boxes, &record, notice->comment, writer_notice);
}

static enum store_result
write_inbox(struct boxes *boxes, const struct export_inbox *inbox)
{
	enum store_result result = STORE_OK;

	for (size_t i = 0; i < inbox->count && result == STORE_OK; i++) {
		const struct notice *notice = &inbox->notices[i];

		result = write_notice(boxes, inbox->user, notice,
		    notice->number != 0 &&
			(i == 0 || notice->number != notice[-1].number));
	}
	return result;
}

static enum store_result
write_inboxes(struct boxes *boxes, struct export_inbox *inboxes, size_t count)
{
	struct arena *arena = &boxes->writer->portion;
	enum store_result result =
	    export_inboxes(boxes->writer->store, arena, inboxes, count);

	for (size_t i = 0; i < count && result == STORE_OK; i++)
		result = write_inbox(boxes, &inboxes[i]);
	arena_reset(arena);
	return result;
}

/* Those of some members, together as long as that is no more than one may have. */
static enum store_result
write_told(struct boxes *boxes, uint64_t first, size_t count)
{
	struct export_inbox inboxes[MEMBERS_BATCH];
	size_t sizes[MEMBERS_BATCH], taken = 0, sum = 0;
	enum store_result result = export_inbox_sizes(
	    boxes->writer->store, &boxes->writer->portion, first, count, sizes);

	for (size_t i = 0; i < count && result == STORE_OK; i++) {
		if (sum + sizes[i] > INBOX_MAX) {
			result = write_inboxes(boxes, inboxes, taken);
			taken = sum = 0;
		}
		if (sizes[i] > 0)
			inboxes[taken++] =
			    (struct export_inbox){ .user = first + i };
		sum += sizes[i];
	}
	return result == STORE_OK ? write_inboxes(boxes, inboxes, taken)
				  : result;
}

static enum store_result
write_mute(struct boxes *boxes, uint64_t by, const struct mute *mute)
{
	struct record record = { .kind = RECORD_MUTE, .mute.by.id = by };
	uint64_t *muted = &record.mute.member.id;

	if (mute->kind == MUTE_ARTICLE)
		record.mute.article = mute->id;
	else
		*muted = mute->id;
	if (mute->id == 0 || *muted == by) {
		(void)!writer_leave_out(boxes->writer, &record, "is damaged");
		return STORE_OK;
	}
	return write_of(
	    boxes, &record, article_id(record.mute.article), writer_mute);
}

static enum store_result
write_mutes(struct boxes *boxes, const struct export_mutes *muted)
{
	enum store_result result = STORE_OK;

	for (size_t i = 0; i < muted->count && result == STORE_OK; i++)
		result = write_mute(boxes, muted->user, &muted->mutes[i]);
	return result;
}

static enum store_result
write_muted(struct boxes *boxes, uint64_t first, size_t count)
{
	struct arena *arena = &boxes->writer->portion;
	struct export_mutes muted[MEMBERS_BATCH];
	enum store_result result;

	for (size_t i = 0; i < count; i++)
		muted[i].user = first + i;
	result = export_mutes(boxes->writer->store, arena, muted, count);
	for (size_t i = 0; i < count && result == STORE_OK; i++)
		result = write_mutes(boxes, &muted[i]);
	arena_reset(arena);
	return result;
}

/* Of all members who are written. */
static enum store_result
write_of_members(struct boxes *boxes,
    enum store_result (*write)(
	struct boxes *boxes, uint64_t first, size_t count))
{
	enum store_result result = STORE_OK;

	for (uint64_t first = 1;
	    first <= boxes->writer->last_user && result == STORE_OK;
	    first += MEMBERS_BATCH) {
		uint64_t left = boxes->writer->last_user - first + 1;

		result = write(
		    boxes, first, left < MEMBERS_BATCH ? left : MEMBERS_BATCH);
	}
	return result;
}

STORE_CALL
inboxes_write(struct writer *writer, inboxes_find *find, void *data)
{
	struct boxes boxes = { writer, find, data };
	enum store_result result = write_of_members(&boxes, write_told);

	return result == STORE_OK ? write_of_members(&boxes, write_muted)
				  : result;
}

/* As it is to stand in the inbox. */
static struct text
entry_of(struct arena *arena, const struct record_notice *record)
{
	struct notice notice = record_told(record);

	return notice_encode(arena, &notice);
}

/* Whether one of those before it is another with its number. */
static bool
comes_second(const struct batch *batch, const struct import *import)
{
	const struct record_notice *notice = &import->record.notice;
	struct text entry = entry_of(batch->arena, notice);

	for (size_t i = 0; batch->imports[i] != import; i++) {
		const struct import *before = batch->imports[i];
		const struct record_notice *other = &before->record.notice;

		if (before->refusal.size == 0 &&
		    other->to.id == notice->to.id &&
		    other->number == notice->number &&
		    !text_equal(entry_of(batch->arena, other), entry))
			return true;
	}
	return false;
}

/* numbered is what the inbox has under its number. */
static void
judge_notice(const struct batch *batch, struct import *import,
    const struct reply *numbered)
{
	const struct record_notice *notice = &import->record.notice;
	bool is_taken = numbered->count > 0 &&
	    !text_equal(reply_text(reply_item(numbered, 0)),
		entry_of(batch->arena, notice));

	if (import->refusal.size == 0 &&
	    (is_taken || comes_second(batch, import)))
		import->refusal = text_format(batch->arena,
		    "the inbox of \"%.*s\" has another notice with number "
		    "%llu",
		    TEXT_ARGS(notice->to.name),
		    (unsigned long long)notice->number);
}

STORE_CALL
inboxes_refuse_notices(struct batch *batch)
{
	struct arena *arena = batch->arena;
	struct pipeline pipeline = pipeline_begin(batch->store->redis, arena);

	for (size_t i = 0; i < batch->count; i++) {
		const struct record_notice *notice =
		    &batch->imports[i]->record.notice;
		struct text number =
		    text_number(arena, (int64_t)notice->number);

		pipeline_add(&pipeline, TEXT("ZRANGE"),
		    key_inbox(arena, notice->to.id), number, number,
		    TEXT("BYSCORE"));
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < batch->count; i++)
		judge_notice(batch, batch->imports[i], &pipeline.replies[i]);
	return STORE_OK;
}

/* How many new ones of the same member come before it. */
static int64_t
count_before(
    const struct batch *batch, const struct import *import, const bool *is_new)
{
	int64_t count = 0;

	for (size_t i = 0; batch->imports[i] != import; i++)
		count += is_new[i] && batch->imports[i]->refusal.size == 0 &&
		    batch->imports[i]->record.mute.by.id ==
			import->record.mute.by.id;
	return count;
}

static void
judge_mute(const struct batch *batch, struct import *import, int64_t count)
{
	const struct record_mute *mute = &import->record.mute;

	if (import->refusal.size > 0)
		return;
	if (mute->member.id == mute->by.id)
		import->refusal =
		    text_format(batch->arena, "\"%.*s\" cannot mute themselves",
			TEXT_ARGS(mute->by.name));
	else if (count >= INBOX_MUTES_MAX)
		import->refusal = text_format(batch->arena,
		    "\"%.*s\" has muted %d already, and that is the most",
		    TEXT_ARGS(mute->by.name), INBOX_MUTES_MAX);
}

STORE_CALL
inboxes_refuse_mutes(struct batch *batch)
{
	struct arena *arena = batch->arena;
	struct pipeline pipeline = pipeline_begin(batch->store->redis, arena);
	bool is_new[BATCH_MAX];

	for (size_t i = 0; i < batch->count; i++) {
		const struct record_mute *mute =
		    &batch->imports[i]->record.mute;
		struct text muted = key_muted(arena, mute->by.id);

		pipeline_add(&pipeline, TEXT("SMISMEMBER"), muted,
		    mute_encode(arena, record_muted(mute)));
		pipeline_add(&pipeline, TEXT("SCARD"), muted);
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < batch->count; i++) {
		const struct reply *answers = &pipeline.replies[2 * i];

		is_new[i] = reply_number(reply_item(&answers[0], 0)) == 0;
		judge_mute(batch, batch->imports[i],
		    is_new[i] ? reply_number(&answers[1]) +
			    count_before(batch, batch->imports[i], is_new)
			      : 0);
	}
	return STORE_OK;
}
