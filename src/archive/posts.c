#include "archive/posts.h"

#include "archive/batch.h"
#include "archive/check_keys.h"
#include "archive/flags.h"
#include "archive/members.h"
#include "archive/noun.h"
#include "archive/references.h"
#include "archive/validate.h"
#include "archive/votes.h"
#include "archive/writer.h"
#include "base/arena.h"
#include "base/sort.h"
#include "redis/redis.h"
#include "store/function_call.h"
#include "store/keys.h"
#include "store/publisher.h"
#include "store/publisher_walk.h"
#include "store/refresh.h"

enum {
	DUMP_BATCH = 20, /* posts that keep Redis busy for a millisecond */
	CHECK_BATCH = 25
};

/* The replies of dump_5, and of check_5 before the problems. */
enum { DUMP_HASH, DUMP_VOTERS, DUMP_FLAGS, DUMP_COMMENT_RECORD };
enum {
	CHECK_AUTHOR,
	CHECK_UP,
	CHECK_DOWN,
	CHECK_VOTERS_KNOWN,
	CHECK_REMOVED,
	CHECK_INTERESTING,
	CHECK_PROBLEMS
};

struct text
posts_archive_describe(struct arena *arena, const struct record *record)
{
	return record_post_name(arena, record_post(record)->id);
}

/* Article 0, and comment 0 of an article, are those of a line that does not say it. */
struct text
posts_archive_key(struct arena *arena, const struct record *record)
{
	struct post_id id = record_post(record)->id;

	if (id.article == 0 ||
	    (id.comment != 0) != (record->kind == RECORD_COMMENT))
		return TEXT("");
	return key_post_name(arena, id);
}

void
posts_archive_put(struct json_t *object, const struct record *record)
{
	votes_archive_put(object, record);
	flags_archive_put(object, record);
}

void
posts_archive_read_json(struct json_reader *reader, struct record *record)
{
	votes_archive_read_json(reader, record);
	flags_archive_read_json(reader, record);
}

void
posts_archive_references(struct references *references, struct record *record)
{
	struct post *post = record_post(record);

	references_member(references, &post->author);
	references_member_or_nobody(references, &post->removed_by);
	votes_archive_references(references, record);
	flags_archive_references(references, record);
}

/* Dump. */

static void
note_post(struct buffer *posts, struct post_id id)
{
	uint64_t number = post_id_to_number(id);

	buffer_add(posts, (struct text){ (char *)&number, sizeof(number) });
}

static bool
is_noted(const struct buffer *posts, struct post_id id)
{
	return sort_find(post_id_to_number(id), (uint64_t *)(void *)posts->data,
		   posts->size / sizeof(uint64_t)) != NULL;
}

void
posts_archive_note_lost(struct writer *writer, struct post_id id)
{
	note_post(&writer->lost_posts, id);
}

void
posts_archive_note_late(struct writer *writer, struct post_id id)
{
	note_post(&writer->late_comments, id);
}

STORE_CALL
posts_archive_find(
    struct writer *writer, struct post_id id, enum posts_found *found)
{
	const struct buckets *buckets = &writer->store->buckets;
	const struct place place = { key_bucket_of(buckets, id.article), id };
	struct pipeline pipeline;

	*found = POSTS_LATE;
	if (is_noted(&writer->late_comments, id))
		return STORE_OK;
	*found = POSTS_LOST;
	if (is_noted(&writer->lost_posts, id))
		return STORE_OK;
	*found = POSTS_WRITTEN;
	if (keyscan_has_post(&writer->posts, &place))
		return STORE_OK;
	/* It was posted since the scan, or does not exist at all. */
	pipeline = pipeline_begin(writer->store->redis, &writer->portion);
	pipeline_add(
	    &pipeline, TEXT("EXISTS"), key_post(&writer->portion, buckets, id));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	*found =
	    reply_number(&pipeline.replies[0]) == 1 ? POSTS_LATE : POSTS_LOST;
	return STORE_OK;
}

static void
read_post(struct arena *arena, const struct reply *reply, struct post_id id,
    struct record *record)
{
	const struct reply *voters = reply_item(reply, DUMP_VOTERS);
	struct post *post = record_post(record);

	if (!schema_read(nouns[record->kind]->schema, SCHEMA_WHOLE,
		reply_item(reply, DUMP_HASH), record_noun(record))) {
		record->kind = RECORD_KINDS;
		return;
	}
	if (record->kind == RECORD_COMMENT)
		comment_add_record(
		    reply_text(reply_item(reply, DUMP_COMMENT_RECORD)),
		    &record->comment);
	post->id = id;
	votes_archive_read(arena, voters, record);
	flags_archive_read(arena, reply_item(reply, DUMP_FLAGS), record);
}

STORE_CALL
posts_archive_read(struct store *store, struct arena *arena,
    const struct place *places, size_t count, struct record *records)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (size_t i = 0; i < count; i++) {
		struct call call = call_begin(arena, CALL_READS, "dump_5",
		    key_post(arena, &store->buckets, places[i].id));

		records[i] = (struct record){ .kind = places[i].id.comment == 0
			    ? RECORD_ARTICLE
			    : RECORD_COMMENT };
		call_send(&call, &pipeline);
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		read_post(
		    arena, &pipeline.replies[i], places[i].id, &records[i]);
	return STORE_OK;
}

STORE_CALL
posts_archive_write_naming(
    struct writer *writer, struct record *record, struct post_id named)
{
	enum posts_found found = POSTS_WRITTEN;
	enum store_result result = STORE_OK;

	if (named.article != 0)
		result = posts_archive_find(writer, named, &found);
	if (result != STORE_OK || found == POSTS_LATE)
		return result;
	result = found == POSTS_LOST
	    ? writer_leave_out(writer, record, "is of what is not in the dump")
	    : members_archive_write_naming(writer, record);
	return writer_go_on(result);
}

STORE_CALL
posts_archive_write(
    struct writer *writer, enum keyscan_kind kind, writer_write *write)
{
	return writer_places(writer, &writer->posts.places[kind], DUMP_BATCH,
	    posts_archive_read, write);
}

/* Load. */

void
posts_archive_validate(struct validation *validation, struct record *record)
{
	struct post *post = record_post(record);

	if (post->closes == 0)
		post->closes = post->posted + validation->rules->vote_window;
	if (post->closes < post->posted)
		validate_problem(
		    validation, TEXT("\"closes\" lies before \"posted\""));
	validate_value(validation, "ruling", post->mod_note, rule_reason);
	votes_archive_validate(validation, record);
}

/* Posts under the same id are the same by their author, moment and parent, and articles
 * also by their link, and by their text unless it was edited: same_1 compares them. */
static enum store_result
compare_posts(struct batch *batch)
{
	struct pipeline pipeline =
	    pipeline_begin(batch->store->redis, batch->arena);
	const struct reply *reply;

	for (size_t i = 0; i < batch->count; i++) {
		const struct record *record = &batch->lines[i]->record;
		struct call call =
		    call_begin(batch->arena, CALL_READS, "same_1",
			key_post(batch->arena, &batch->store->buckets,
			    record_post(record)->id));

		if (batch->lines[i]->refusal.size > 0)
			continue;
		schema_add(
		    &call, nouns[record->kind]->schema, record_noun(record));
		call_send(&call, &pipeline);
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	reply = pipeline.replies;
	for (size_t i = 0; i < batch->count; i++) {
		enum store_result result;

		if (batch->lines[i]->refusal.size > 0)
			continue;
		result = call_outcome(reply);
		if (result == STORE_DOWN)
			return result;
		if (result == STORE_TAKEN &&
		    reply_number(reply_item(reply, 1)) != 1)
			batch_refuse_other(batch, batch->lines[i]);
		reply++;
	}
	return STORE_OK;
}

static struct member *
author(struct record *record)
{
	return &record_post(record)->author;
}

static enum store_result
find_members(struct batch *batch, struct batch_line *line)
{
	struct member *remover = &record_post(&line->record)->removed_by;
	enum store_result result = votes_archive_resolve(batch, line);

	if (result == STORE_OK)
		result = flags_archive_resolve(batch, line);
	return result == STORE_OK && remover->name.size > 0
	    ? batch_find_member(batch, line, remover)
	    : result;
}

STORE_CALL
posts_archive_resolve(struct batch *batch)
{
	enum store_result result =
	    batch_find_owners(batch, author, BATCH_REQUIRED);

	if (result == STORE_OK)
		result = compare_posts(batch);
	for (size_t i = 0; i < batch->count && result == STORE_OK; i++)
		result = find_members(batch, batch->lines[i]);
	return result;
}

void
posts_archive_add(struct pipeline *pipeline, const struct batch *batch,
    const struct record *record)
{
	const struct store *store = batch->store;
	const struct post *post = record_post(record);
	struct call call = call_begin(pipeline->arena, CALL_WRITES, "load_5",
	    key_post(pipeline->arena, &store->buckets, post->id));
	int64_t reserved = 0;

	if (record->kind == RECORD_ARTICLE)
		reserved = (int64_t)manifest_last_comment(
		    batch->manifest, post->id.article);
	call_add_number(&call, store->rules.vote_score);
	call_add_number(&call, reserved);
	call_add_number(&call, votes_archive_count(record));
	call_add_number(&call, (int64_t)record->flag_count);
	votes_archive_add(&call, record);
	flags_archive_add(&call, record);
	schema_add(&call, nouns[record->kind]->schema, record_noun(record));
	if (record->kind == RECORD_ARTICLE)
		publisher_add(&call, record->article.url, batch->shared_hosts);
	call_send(&call, pipeline);
}

/* Check. */

static void
ask_post(
    struct check *check, struct pipeline *pipeline, const struct place *place)
{
	struct call call = call_begin(&check->step, CALL_READS, "check_6",
	    key_post(&check->step, &check->store->buckets, place->id));

	call_add_number(&call, check->store->rules.vote_score);
	call_add_number(&call, !check->awaits_move);
	schema_add_required(
	    &call, place->id.comment == 0 ? &article_schema : &comment_schema);
	if (place->id.comment == 0 && check->knows_publishers)
		call_add(&call, TEXT("from"), TEXT("link text"));
	call_send(&call, pipeline);
}

static uint64_t
count_at(const struct reply *reply, size_t index)
{
	return (uint64_t)reply_number(reply_item(reply, index));
}

/* A publisher follows from a link, which functions cannot tell. */
static void
repair_post(struct check *check, struct post_id id)
{
	if (id.comment == 0 &&
	    publisher_walk_article(check->store, &check->step, id) ==
		STORE_DOWN)
		return; /* The next check finds it. */
	refresh_send_post(check_repairs(check), check->store, id);
}

static void
take_post(
    struct check *check, const struct place *place, const struct reply *reply)
{
	struct check_totals *totals =
	    place->id.comment == 0 ? &check->articles : &check->comments;
	struct share share = { .bucket = place->bucket,
		.author = count_at(reply, CHECK_AUTHOR),
		.post = place->id,
		.points = reply_number(reply_item(reply, CHECK_UP)) -
		    reply_number(reply_item(reply, CHECK_DOWN)) - 1 };

	if (reply->count == 0)
		return;
	totals->posts++;
	totals->up += count_at(reply, CHECK_UP);
	totals->down += count_at(reply, CHECK_DOWN);
	totals->voters_known += count_at(reply, CHECK_VOTERS_KNOWN) != 0;
	totals->removed += count_at(reply, CHECK_REMOVED) != 0;
	totals->interesting += count_at(reply, CHECK_INTERESTING) != 0;
	if (share.author != 0)
		check->shares[check->share_count++] = share;
	check_report_all(check, record_post_name(&check->step, place->id),
	    reply, CHECK_PROBLEMS);
	if (reply->count > CHECK_PROBLEMS && check_repairs(check) != NULL)
		repair_post(check, place->id);
}

STORE_CALL
posts_archive_check(struct check *check, enum keyscan_kind kind)
{
	const struct check_places posts = { kind, "it lies", CHECK_BATCH,
		ask_post, take_post };

	return check_places(check, &posts);
}
