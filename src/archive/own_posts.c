/*
 * Posts that members keep to themselves, in the archive: what they saved, and the history of
 * their votes. Both are sets of posts in the member's slot.
 */
#include <inttypes.h>

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
#include "store/keys.h"
#include "store/refresh.h"
#include "store/saved.h"
#include "store/vote_history.h"

enum {
	ENTRIES_BATCH = SAVED_MAX, /* that are read at once for a dump */
	SETS_BATCH = 50,	   /* that are checked at once */
	STEP = 200		   /* entries of a set in a step of the check */
};

/* A kind of set. */
struct own_set {
	enum key_kind key;
	enum record_kind kind;
	int64_t max;
	const char *name;     /* in messages: "saved posts" */
	const char *function; /* by which it is checked */
	/* Sets the record of an entry; false when that is damaged. */
	bool (*read)(struct text entry, const struct reply *score,
	    struct record *record);
};

static const struct field saved_fields[] = {
	FIELD("by", struct record_own_post, by, MEMBER, REQUIRED, WHOLE),
	FIELD("article", struct record_own_post, post.article, ID, REQUIRED,
	    WHOLE),
	FIELD("comment", struct record_own_post, post.comment, ID, OPTIONAL,
	    WHOLE),
	FIELD("at", struct record_own_post, at, MOMENT, REQUIRED, WHOLE),
};
static const struct schema saved_schema =
    SCHEMA(struct record_own_post, saved_fields);

static const struct field vote_fields[] = {
	FIELD("by", struct record_own_post, by, MEMBER, REQUIRED, WHOLE),
	FIELD("article", struct record_own_post, post.article, ID, REQUIRED,
	    WHOLE),
	FIELD("comment", struct record_own_post, post.comment, ID, OPTIONAL,
	    WHOLE),
	FIELD("vote", struct record_own_post, vote, TEXT, REQUIRED, WHOLE),
	FIELD("at", struct record_own_post, at, MOMENT, REQUIRED, WHOLE),
};
static const struct schema vote_schema =
    SCHEMA(struct record_own_post, vote_fields);

/* As the kinds of votes in a post's record of voters. */
static const struct text vote_kinds[] = { [VOTERS_UP] = TEXT_INIT("up"),
	[VOTERS_DOWN] = TEXT_INIT("down"),
	[VOTERS_VOIDED_UP] = TEXT_INIT("voided_up"),
	[VOTERS_VOIDED_DOWN] = TEXT_INIT("voided_down") };

static struct record_own_post *
own_post_of(const struct record *record)
{
	return record_noun(record);
}

static bool
read_saved(struct text entry, const struct reply *score, struct record *record)
{
	struct saved saved;

	if (!saved_decode(entry, score, &saved))
		return false;
	record->saved.post = saved.post;
	record->saved.at = saved.at;
	return true;
}

static bool
read_vote(struct text entry, const struct reply *score, struct record *record)
{
	struct vote_entry vote;
	enum voters_kind kind;

	if (!vote_entry_decode(entry, score, &vote))
		return false;
	record->vote.post = vote.post;
	record->vote.at = vote.at;
	kind = vote.vote == VOTE_DOWN ? VOTERS_DOWN : VOTERS_UP;
	if (vote.is_voided)
		kind =
		    kind == VOTERS_UP ? VOTERS_VOIDED_UP : VOTERS_VOIDED_DOWN;
	record->vote.vote =
	    vote.vote == VOTE_NONE ? TEXT("") : vote_kinds[kind];
	return true;
}

static const struct own_set saved_posts = { KEY_SAVED, RECORD_SAVED, SAVED_MAX,
	"saved posts", "check_saved_1", read_saved };
static const struct own_set vote_history = { KEY_VOTES, RECORD_VOTE,
	VOTE_HISTORY_MAX, "history of votes", "check_votes_1", read_vote };

static struct text
own_posts_describe(struct arena *arena, const struct record *record)
{
	const struct record_own_post *own = own_post_of(record);
	struct text post = record_post_name(arena, own->post);

	return text_format(arena, "%s by member %" PRIu64 " of %.*s",
	    nouns[record->kind]->label, own->by.id, TEXT_ARGS(post));
}

static void
own_posts_references(struct references *references, struct record *record)
{
	struct record_own_post *own = own_post_of(record);

	references_member(references, &own->by);
	references_post(references, own->post);
}

/* Dump. */

static struct record
record_of(const struct own_set *set, uint64_t user)
{
	struct record record = { .kind = set->kind };

	own_post_of(&record)->by.id = user;
	return record;
}

/* A vote that was taken back is not in the dump. */
static enum store_result
write_entry(struct writer *writer, const struct own_set *set, uint64_t user,
    struct text entry, const struct reply *score)
{
	struct record record = record_of(set, user);

	if (!set->read(entry, score, &record))
		return writer_go_on(
		    writer_leave_out(writer, &record, "is damaged"));
	if (set->kind == RECORD_VOTE && record.vote.vote.size == 0)
		return STORE_OK;
	return posts_archive_write_naming(
	    writer, &record, own_post_of(&record)->post);
}

/* A set as it is read for a dump. */
struct own_entries {
	uint64_t user;
	size_t size;
};

/* Writes whole sets, the oldest entries first. */
static enum store_result
write_sets(struct writer *writer, const struct own_set *set,
    const struct own_entries *sets, size_t count)
{
	struct arena *portion = &writer->portion;
	struct pipeline pipeline =
	    pipeline_begin(writer->store->redis, portion);
	enum store_result result = STORE_OK;

	for (size_t i = 0; i < count; i++)
		pipeline_add(&pipeline, TEXT("ZRANGE"),
		    key_of_member(portion, sets[i].user, set->key),
		    text_number(portion, -set->max), TEXT("-1"),
		    TEXT("WITHSCORES"));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t s = 0; s < count; s++) {
		const struct reply *all = &pipeline.replies[s];

		for (size_t i = 0; i + 1 < all->count && result == STORE_OK;
		    i += 2)
			result = write_entry(writer, set, sets[s].user,
			    reply_text(reply_item(all, i)),
			    reply_item(all, i + 1));
	}
	arena_reset(portion);
	return result;
}

/* Reads the sizes of the sets of some members. */
static enum store_result
read_sizes(struct writer *writer, const struct own_set *set, uint64_t first,
    size_t count, struct own_entries *sets)
{
	struct arena *portion = &writer->portion;
	struct pipeline pipeline =
	    pipeline_begin(writer->store->redis, portion);

	for (size_t i = 0; i < count; i++)
		pipeline_add(&pipeline, TEXT("ZCARD"),
		    key_of_member(portion, first + i, set->key));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		sets[i] = (struct own_entries){ first + i,
			(size_t)reply_count(&pipeline.replies[i]) };
	return STORE_OK;
}

/* Those of some members, together as long as that is no more than one may have. */
static enum store_result
write_members(struct writer *writer, const struct own_set *set, uint64_t first,
    size_t count)
{
	struct own_entries sets[MEMBERS_ARCHIVE_BATCH],
	    taken[MEMBERS_ARCHIVE_BATCH];
	enum store_result result = read_sizes(writer, set, first, count, sets);
	size_t used = 0, sum = 0;

	for (size_t i = 0; i < count && result == STORE_OK; i++) {
		if (sum + sets[i].size > ENTRIES_BATCH) {
			result = write_sets(writer, set, taken, used);
			used = sum = 0;
		}
		if (sets[i].size > 0)
			taken[used++] = sets[i];
		sum += sets[i].size;
	}
	return result == STORE_OK ? write_sets(writer, set, taken, used)
				  : result;
}

static enum store_result
write_saved(struct writer *writer, uint64_t first, size_t count)
{
	return write_members(writer, &saved_posts, first, count);
}

static enum store_result
write_votes(struct writer *writer, uint64_t first, size_t count)
{
	return write_members(writer, &vote_history, first, count);
}

static enum store_result
saved_archive_write(struct writer *writer)
{
	return members_archive_write_of(writer, write_saved);
}

static enum store_result
vote_history_archive_write(struct writer *writer)
{
	return members_archive_write_of(writer, write_votes);
}

/* Load. */

static void
own_posts_validate(struct validation *validation, struct record *record)
{
	validate_max(validation, "comment",
	    (int64_t)own_post_of(record)->post.comment, COMMENT_NUMBER_MAX);
}

static void
vote_history_archive_validate(
    struct validation *validation, struct record *record)
{
	size_t kind;

	own_posts_validate(validation, record);
	if (!text_index(record->vote.vote, vote_kinds, VOTERS_KINDS, &kind))
		validate_problem(validation,
		    TEXT("\"vote\" is none of up, down, voided_up and "
			 "voided_down"));
}

static struct post_id
named_post(const struct record *record)
{
	return own_post_of(record)->post;
}

static enum store_result
own_posts_resolve(struct batch *batch)
{
	enum store_result result = batch_find_members(batch);

	return result == STORE_OK ? batch_find_posts(batch, named_post)
				  : result;
}

/* The number of new posts of the same member in the lines before. */
static int64_t
count_before(const struct batch *batch, const struct batch_line *line,
    const bool *is_new)
{
	int64_t count = 0;

	for (size_t i = 0; batch->lines[i] != line; i++)
		count += is_new[i] && batch->lines[i]->refusal.size == 0 &&
		    batch->lines[i]->record.saved.by.id ==
			line->record.saved.by.id;
	return count;
}

/* Refuses lines for which the member has no room. */
static enum store_result
saved_archive_resolve(struct batch *batch)
{
	struct arena *arena = batch->arena;
	struct pipeline pipeline = pipeline_begin(batch->store->redis, arena);
	bool is_new[BATCH_MAX];

	if (own_posts_resolve(batch) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < batch->count; i++) {
		const struct record_own_post *own =
		    &batch->lines[i]->record.saved;
		struct text key = key_saved(arena, own->by.id);

		pipeline_add(&pipeline, TEXT("ZSCORE"), key,
		    encode_post(arena, own->post));
		pipeline_add(&pipeline, TEXT("ZCARD"), key);
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < batch->count; i++) {
		const struct reply *replies = &pipeline.replies[2 * i];
		struct batch_line *line = batch->lines[i];

		is_new[i] = replies[0].kind == REPLY_NIL;
		if (is_new[i] &&
		    reply_count(&replies[1]) +
			    count_before(batch, line, is_new) >=
			SAVED_MAX)
			batch_refuse(line,
			    text_format(arena,
				"\"%.*s\" has saved %d already, and that is "
				"the most",
				TEXT_ARGS(line->record.saved.by.name),
				SAVED_MAX));
	}
	return STORE_OK;
}

static void
saved_archive_add(struct pipeline *pipeline, const struct batch *batch,
    const struct record *record)
{
	const struct record_own_post *own = &record->saved;

	(void)batch;
	saved_load(pipeline, own->by.id, &(struct saved){ own->post, own->at });
}

static void
vote_history_archive_add(struct pipeline *pipeline, const struct batch *batch,
    const struct record *record)
{
	const struct record_own_post *own = &record->vote;
	struct vote_entry entry = { .post = own->post, .at = own->at };
	size_t kind = VOTERS_UP;

	(void)batch;
	(void)text_index(own->vote, vote_kinds, VOTERS_KINDS, &kind);
	entry.vote =
	    kind == VOTERS_UP || kind == VOTERS_VOIDED_UP ? VOTE_UP : VOTE_DOWN;
	entry.is_voided = kind >= VOTERS_VOIDED_UP;
	vote_history_load(pipeline, own->by.id, &entry);
}

/* Check. */

static struct text
problem_of(struct check *check, const struct own_set *set, uint64_t user,
    struct text problem)
{
	return text_format(&check->step, "%s of member %" PRIu64 ": %.*s",
	    set->name, user, TEXT_ARGS(problem));
}

/* The post exists, also if it was removed. */
static void
check_entry(struct check *check, const struct own_set *set, uint64_t user,
    struct text member, const struct reply *score)
{
	struct arena *arena = &check->step;
	const struct buckets *buckets = &check->store->buckets;
	const struct check_entry entry = { "ZREM",
		key_of_member(arena, user, set->key), member };
	struct record record = record_of(set, user);
	struct post_id id;
	struct place place;

	if (!set->read(member, score, &record)) {
		check_report(check,
		    problem_of(check, set, user,
			text_format(arena, "what has score %.*s is damaged",
			    TEXT_ARGS(reply_text(score)))));
		check_remove(check, &entry);
		return;
	}
	id = own_post_of(&record)->post;
	place = (struct place){ key_bucket_of(buckets, id.article), id };
	if (!keyscan_has_post(&check->all, &place))
		check_expect(check, key_post(arena, buckets, id),
		    problem_of(check, set, user,
			text_format(arena, "it has %.*s, which does not exist",
			    TEXT_ARGS(record_post_name(arena, id)))),
		    &entry);
}

/* entries: members and scores in turn, followed by breaks. */
static bool
take_set(struct check *check, const struct own_set *set,
    struct check_cursor *cursor, const struct reply *reply)
{
	const struct reply *entries = reply_item(reply, 0);

	for (size_t i = 0; i + 1 < entries->count; i += 2)
		check_entry(check, set, cursor->id,
		    reply_text(reply_item(entries, i)),
		    reply_item(entries, i + 1));
	for (size_t i = 1; i < reply->count; i++)
		check_report(check,
		    problem_of(check, set, cursor->id,
			reply_text(reply_item(reply, i))));
	if (reply->count > 1 && check_repairs(check) != NULL)
		refresh_send_inbox(check_repairs(check), cursor->id);
	cursor->position += STEP;
	return entries->count / 2 >= STEP;
}

static void
ask_set(struct pipeline *pipeline, const struct own_set *set,
    const struct check_cursor *cursor)
{
	struct call call = call_begin(pipeline->arena, CALL_READS,
	    set->function, key_user(pipeline->arena, cursor->id));

	call_add_number(&call, (int64_t)cursor->position);
	call_add_number(&call, (int64_t)cursor->position + STEP - 1);
	call_send(&call, pipeline);
}

static void
ask_saved(struct check *check, struct pipeline *pipeline,
    const struct check_cursor *cursor)
{
	(void)check;
	ask_set(pipeline, &saved_posts, cursor);
}

static bool
take_saved(
    struct check *check, struct check_cursor *cursor, const struct reply *reply)
{
	check->saved += reply_item(reply, 0)->count / 2;
	return take_set(check, &saved_posts, cursor, reply);
}

static void
ask_votes(struct check *check, struct pipeline *pipeline,
    const struct check_cursor *cursor)
{
	(void)check;
	ask_set(pipeline, &vote_history, cursor);
}

static bool
take_votes(
    struct check *check, struct check_cursor *cursor, const struct reply *reply)
{
	check->history += reply_item(reply, 0)->count / 2;
	return take_set(check, &vote_history, cursor, reply);
}

static enum store_result
saved_archive_check(struct check *check)
{
	static const struct check_scan scan = { SETS_BATCH, check_start_member,
		ask_saved, take_saved };

	return check_scan_all(check, &scan);
}

static enum store_result
vote_history_archive_check(struct check *check)
{
	static const struct check_scan scan = { SETS_BATCH, check_start_member,
		ask_votes, take_votes };

	return check_scan_all(check, &scan);
}

const struct noun saved_archive = {
	.kind = "saved",
	.label = "saved post",
	.schema = &saved_schema,
	.offset = offsetof(struct record, saved),
	.taken_is_same = true,
	.describe = own_posts_describe,
	.references = own_posts_references,
	.write = saved_archive_write,
	.validate = own_posts_validate,
	.resolve = saved_archive_resolve,
	.add = saved_archive_add,
	.check = saved_archive_check,
};

const struct noun vote_history_archive = {
	.kind = "vote",
	.label = "vote",
	.schema = &vote_schema,
	.offset = offsetof(struct record, vote),
	.taken_is_same = true,
	.describe = own_posts_describe,
	.references = own_posts_references,
	.write = vote_history_archive_write,
	.validate = vote_history_archive_validate,
	.resolve = own_posts_resolve,
	.add = vote_history_archive_add,
	.check = vote_history_archive_check,
};
