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
#include "store/comment.h"
#include "store/keys.h"

enum { THREADS_BATCH = 10 }; /* in steps of 50 comments */

/* The comment that a comment answers, or its article. */
static struct post_id
parent_of(const struct comment *comment)
{
	return (struct post_id){ comment->post.id.article,
		(uint64_t)comment->parent };
}

static void
comments_archive_references(
    struct references *references, struct record *record)
{
	const struct comment *comment = &record->comment;

	references_post(references, article_id(comment->post.id.article));
	if (comment->parent != 0)
		references_post(references, parent_of(comment));
	posts_archive_references(references, record);
	references_links(references, comment->links);
}

/* Dump. */

/* A comment that is written answers one before it that is written, and so on up to its
 * article. */
static enum store_result
find_parent(struct writer *writer, const struct comment *comment,
    enum posts_found *found)
{
	struct post_id parent = parent_of(comment);

	*found = POSTS_LOST;
	return parent.comment >= comment->post.id.comment
	    ? STORE_OK
	    : posts_archive_find(writer, parent, found);
}

static enum store_result
write_comment(struct writer *writer, struct record *record)
{
	struct post_id id = record->comment.post.id;
	enum posts_found parent;
	enum store_result result =
	    find_parent(writer, &record->comment, &parent);

	if (result != STORE_OK)
		return result;
	if (parent == POSTS_LATE) {
		posts_archive_note_late(writer, id);
		return STORE_OK;
	}
	if (record->comment.post.posted == 0)
		result = writer_leave_out(
		    writer, record, "has no record in its thread");
	else if (parent == POSTS_LOST)
		result = writer_leave_out(
		    writer, record, "answers what is not in the dump");
	else
		result = members_archive_write_naming(writer, record);
	if (result == STORE_ABSENT)
		posts_archive_note_lost(writer, id);
	return result;
}

static enum store_result
comments_archive_write(struct writer *writer)
{
	return posts_archive_write(writer, KEYSCAN_COMMENTS, write_comment);
}

/* Load. */

/* Names of members and of groups, as "@ann" and "/g/go". */
static void
validate_links(struct validation *validation, struct text links)
{
	struct text link;

	while (text_next_word(&links, &link))
		if (text_starts(link, TEXT("@")))
			validate_name(validation, "links",
			    text_slice(link, 1, link.size), rule_user_name);
		else if (text_starts(link, TEXT("/g/")))
			validate_name(validation, "links",
			    text_slice(link, 3, link.size), rule_group_name);
		else
			validate_problem(validation,
			    TEXT("\"links\" has one of something else"));
}

static void
comments_archive_validate(struct validation *validation, struct record *record)
{
	const struct comment *comment = &record->comment;
	const struct post *post = &comment->post;

	/* What the index of a thread has room for. */
	validate_max(
	    validation, "id", (int64_t)post->id.comment, COMMENT_NUMBER_MAX);
	validate_max(validation, "posted", post->posted, COMMENT_POSTED_MAX);
	validate_max(validation, "up", post->up, COMMENT_VOTES_MAX);
	validate_max(validation, "down", post->down, COMMENT_VOTES_MAX);
	if (comment->parent >= (int64_t)post->id.comment)
		validate_problem(
		    validation, TEXT("\"parent\" is not below \"id\""));
	validate_links(validation, comment->links);
	posts_archive_validate(validation, record);
	/* Its author has deleted it. */
	if (comment->text.size == 0 && post->removed != 0)
		return;
	validate_characters(validation, "text", comment->text, UTF8_MANY_LINES,
	    RULE_COMMENT_MAX);
	validate_value(validation, "text", comment->text, rule_comment);
}

/* The post is about to be written with the lines before. */
static bool
is_before(
    const struct batch *batch, const struct batch_line *line, struct post_id id)
{
	for (size_t i = 0; batch->lines[i] != line; i++) {
		struct post_id other = batch->lines[i]->record.comment.post.id;

		if (batch->lines[i]->refusal.size == 0 &&
		    other.article == id.article && other.comment == id.comment)
			return true;
	}
	return false;
}

/* The article of each comment, and the parent there, in one round trip. */
static enum store_result
find_parents(struct batch *batch)
{
	struct arena *arena = batch->arena;
	const struct buckets *buckets = &batch->store->buckets;
	struct pipeline pipeline = pipeline_begin(batch->store->redis, arena);
	const struct reply *replies;

	for (size_t i = 0; i < batch->count; i++) {
		struct post_id id = parent_of(&batch->lines[i]->record.comment);

		pipeline_add(&pipeline, TEXT("EXISTS"),
		    key_post(arena, buckets, article_id(id.article)));
		pipeline_add(
		    &pipeline, TEXT("EXISTS"), key_post(arena, buckets, id));
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	replies = pipeline.replies;
	for (size_t i = 0; i < batch->count; i++, replies += 2) {
		struct batch_line *line = batch->lines[i];
		struct post_id id = parent_of(&line->record.comment);

		if (reply_number(&replies[0]) == 0)
			batch_refuse_missing_post(
			    batch, line, article_id(id.article));
		else if (reply_number(&replies[1]) == 0 &&
		    !is_before(batch, line, id))
			batch_refuse_missing_post(batch, line, id);
	}
	return STORE_OK;
}

static enum store_result
comments_archive_resolve(struct batch *batch)
{
	enum store_result result = posts_archive_resolve(batch);

	return result == STORE_OK ? find_parents(batch) : result;
}

/* Check. */

/* A thread in a wrong bucket is reported as that alone. */
static bool
start_thread(struct check *check, size_t *next, struct check_cursor *cursor)
{
	const struct places *threads = &check->all.places[KEYSCAN_THREADS];

	while (*next < threads->count) {
		const struct place *thread = &threads->items[(*next)++];

		if (check_is_at_home(check, "its thread lies", thread)) {
			cursor->id = thread->id.article;
			return true;
		}
	}
	return false;
}

static struct text
thread_key(struct check *check, const struct check_cursor *cursor)
{
	return key_thread(&check->step, &check->store->buckets, cursor->id);
}

static void
ask_thread(struct check *check, struct pipeline *pipeline,
    const struct check_cursor *cursor)
{
	check_ask_steps(check, pipeline, CALL_READS, "records_1",
	    thread_key(check, cursor), cursor->position);
}

static bool
take_thread(
    struct check *check, struct check_cursor *cursor, const struct reply *reply)
{
	return check_take_steps(
	    check, cursor, thread_key(check, cursor), reply);
}

static enum store_result
comments_archive_check(struct check *check)
{
	static const struct check_scan threads = { THREADS_BATCH, start_thread,
		ask_thread, take_thread };
	enum store_result result = posts_archive_check(check, KEYSCAN_COMMENTS);

	return result == STORE_OK ? check_scan_all(check, &threads) : result;
}

const struct noun comments_archive = {
	.kind = "comment",
	.label = "comment",
	.schema = &comment_schema,
	.offset = offsetof(struct record, comment),
	.is_post = true,
	.describe = posts_archive_describe,
	.key = posts_archive_key,
	.references = comments_archive_references,
	.put = posts_archive_put,
	.read = posts_archive_read_json,
	.write = comments_archive_write,
	.validate = comments_archive_validate,
	.resolve = comments_archive_resolve,
	.add = posts_archive_add,
	.check = comments_archive_check,
};
