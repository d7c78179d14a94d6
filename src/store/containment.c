#include "store/containment.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/sort.h"
#include "redis/redis.h"
#include "store/account_status.h"
#include "store/group.h"
#include "store/keys.h"
#include "store/schema.h"
#include "store/site.h"
#include "store/vote_void.h"
#include "store/walk.h"

enum {
	POSTS_BATCH = 50,  /* removed, or restored, in a step */
	VOTES_BATCH = 20,  /* taken back in a step */
	JOBS_BATCH = 8,	   /* that get a step */
	MARGIN = 2 * 86400 /* for which entries outlive the last open vote */
};

static const struct field fields[] = {
	FIELD("member", struct containment, member, MEMBER, REQUIRED, WHOLE),
	FIELD("by", struct containment, by, MEMBER, OPTIONAL, WHOLE),
	FIELD("at", struct containment, at, MOMENT, OPTIONAL, WHOLE),
	FIELD("suspends", struct containment, suspends, COUNT, OPTIONAL, WHOLE),
	FIELD("removes", struct containment, removes, MOMENT, OPTIONAL, WHOLE),
	FIELD("votes", struct containment, votes, TEXT, OPTIONAL, WHOLE),
	FIELD("hosts", struct containment, hosts, WORDS, OPTIONAL, WHOLE),
	FIELD("left_hosts", struct containment, left_hosts, WORDS, OPTIONAL,
	    WHOLE),
	FIELD("ends_invitations", struct containment, ends_invitations, COUNT,
	    OPTIONAL, WHOLE),
	FIELD("reason", struct containment, reason, TEXT, OPTIONAL, WHOLE),
	FIELD("before", struct containment, before, MOMENT, OPTIONAL, WHOLE),
	FIELD("before_reason", struct containment, before_reason, TEXT,
	    OPTIONAL, WHOLE),
	FIELD("state", struct containment, state, TEXT, REQUIRED, WHOLE),
	FIELD("cursor", struct containment, cursor, TEXT, OPTIONAL, WHOLE),
	FIELD("undo", struct containment, undo, ID, OPTIONAL, WHOLE),
	FIELD("stayed", struct containment, stayed, COUNT, OPTIONAL, WHOLE),
	FIELD("seconds", struct containment, seconds, COUNT, OPTIONAL, WHOLE),
};
const struct schema containment_schema = SCHEMA(struct containment, fields);

bool
containment_is(const struct containment *containment, struct text state)
{
	return text_equal(containment->state, state);
}

int64_t
containment_entry_seconds(const struct store *store)
{
	return store->rules.vote_window + MARGIN;
}

static struct text
entry_seconds(const struct store *store, struct arena *arena)
{
	return text_number(arena, containment_entry_seconds(store));
}

/* The act's entry in the log, and its record, in one call. */
static enum store_result
record_under(struct store *store, struct arena *arena,
    const struct containment *containment, const struct mod_action *action,
    uint64_t act)
{
	struct text words[2 * SCHEMA_MAX];
	size_t count =
	    schema_words(arena, &containment_schema, containment, words);
	struct call call = call_begin(arena, CALL_WRITES, "contain_1",
	    key_mod_action(arena, &store->buckets, act));

	call_add_number(&call, RULE_HOSTS_MAX);
	call_add_number(&call, CONTAINMENTS_MAX);
	call_add_number(&call, CONTAINMENT_UNDO_SECONDS);
	call_add_number(&call, (int64_t)count);
	call_add_words(&call, words, count);
	return mod_action_report(&call, store, action);
}

STORE_CALL
containment_start(struct store *store, struct arena *arena,
    struct containment *containment, struct mod_action action)
{
	enum store_result result;

	containment->state = CONTAINMENT_ACTING;
	containment->by = action.by;
	containment->reason = action.reason;
	action.member = containment->member;
	do {
		result = mod_action_number(store, arena, &containment->act);
		if (result == STORE_OK)
			result = record_under(store, arena, containment,
			    &action, containment->act);
	} while (result == STORE_TAKEN);
	return result;
}

STORE_CALL
containment_undo(struct store *store, struct arena *arena,
    const struct containment *containment, struct mod_action action)
{
	enum store_result result;
	uint64_t act;

	action.member = containment->member;
	do {
		struct call call;

		result = mod_action_number(store, arena, &act);
		if (result != STORE_OK)
			return result;
		call = call_begin(arena, CALL_WRITES, "uncontain_1",
		    key_mod_action(arena, &store->buckets, act));
		call_add_number(&call, (int64_t)containment->act);
		result = mod_action_report(&call, store, &action);
	} while (result == STORE_TAKEN);
	return result;
}

static bool
read_containment(
    const struct reply *reply, uint64_t act, struct containment *containment)
{
	*containment = (struct containment){ .act = 0 };
	if (!schema_read(&containment_schema, SCHEMA_WHOLE, reply, containment))
		return false;
	containment->act = act;
	return true;
}

STORE_CALL
containment_get(struct store *store, struct arena *arena, uint64_t act,
    struct containment *containment)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	schema_ask(&pipeline, &containment_schema, SCHEMA_WHOLE,
	    key_containment(arena, &store->buckets, act));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	return read_containment(&pipeline.replies[0], act, containment)
	    ? STORE_OK
	    : STORE_ABSENT;
}

static int
compare_acts(const void *one, const void *other)
{
	return sort_compare(((const struct containment *)other)->act,
	    ((const struct containment *)one)->act);
}

/* Reads all that are recorded; acts without a record have expired. */
static enum store_result
read_all(struct store *store, struct arena *arena,
    struct containment **containments, size_t *count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text open = key_containments(arena, &store->buckets);
	const struct reply *acts =
	    store_read(store, arena, TEXT("SMEMBERS"), open);

	*count = 0;
	if (acts == NULL)
		return STORE_DOWN;
	if (acts->count == 0)
		return STORE_OK;
	for (size_t i = 0; i < acts->count; i++)
		schema_ask(&pipeline, &containment_schema, SCHEMA_WHOLE,
		    key_containment(
			arena, &store->buckets, reply_id(reply_item(acts, i))));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	*containments = arena_new(arena, struct containment, acts->count);
	for (size_t i = 0; i < acts->count; i++)
		if (read_containment(&pipeline.replies[i],
			reply_id(reply_item(acts, i)),
			&(*containments)[*count]))
			++*count;
		else if (store_write(store, arena, TEXT("SREM"), open,
			     reply_text(reply_item(acts, i))) != STORE_OK)
			return STORE_DOWN;
	return STORE_OK;
}

STORE_CALL
containment_list(struct store *store, struct arena *arena, uint64_t member,
    struct containment **containments, size_t *count)
{
	size_t all;
	enum store_result result = read_all(store, arena, containments, &all);

	*count = 0;
	for (size_t i = 0; result == STORE_OK && i < all; i++)
		if ((*containments)[i].member.id == member)
			(*containments)[(*count)++] = (*containments)[i];
	if (*count > 1)
		qsort(*containments, *count, sizeof(**containments),
		    compare_acts);
	return result;
}

STORE_CALL
containment_rename_member(
    struct store *store, struct arena *arena, const struct member *member)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct containment *all;
	size_t count;

	if (read_all(store, arena, &all, &count) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		if (all[i].member.id == member->id ||
		    all[i].by.id == member->id)
			call_send_write(&pipeline, "rename_contained_1",
			    key_containment(arena, &store->buckets, all[i].act),
			    text_format(arena, "%llu %.*s",
				(unsigned long long)member->id,
				TEXT_ARGS(member->name)));
	return store_run(&pipeline);
}

/* The lists of a member's posts, and of posts with the member's votes. */
static struct text
list_of(struct arena *arena, const struct store *store, uint64_t bucket,
    enum containment_what what, uint64_t member)
{
	return key_in_bucket(arena, &store->buckets, bucket,
	    what == CONTAINMENT_POSTS ? KEY_CONTAINED : KEY_REVOKED,
	    key_list_of_author(arena, member));
}

/* Adds the question for up to max entries of an act; after an undo for those that it has left. */
static void
ask_entries(struct pipeline *pipeline, const struct store *store,
    uint64_t bucket, enum containment_what what, uint64_t member, int64_t act,
    int64_t max)
{
	struct arena *arena = pipeline->arena;
	struct text score = text_number(arena, act);

	pipeline_add(pipeline, TEXT("ZRANGE"),
	    list_of(arena, store, bucket, what, member), score, score,
	    TEXT("BYSCORE"), TEXT("LIMIT"), TEXT("0"), text_number(arena, max));
}

STORE_CALL
containment_count(struct store *store, struct arena *arena, uint64_t member,
    uint64_t act, struct containment_counts *counts)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	int64_t *sums[] = { &counts->posts, &counts->left_posts, &counts->votes,
		&counts->left_votes };

	*counts = (struct containment_counts){ .posts = 0 };
	for (uint64_t b = 0; b < store->buckets.count; b++)
		for (int i = 0; i < 4; i++) {
			struct text score = text_number(
			    arena, i % 2 == 0 ? (int64_t)act : -(int64_t)act);

			pipeline_add(&pipeline, TEXT("ZCOUNT"),
			    list_of(arena, store, b,
				i < 2 ? CONTAINMENT_POSTS : CONTAINMENT_VOTES,
				member),
			    score, score);
		}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < pipeline.count; i++)
		*sums[i % 4] += reply_number(&pipeline.replies[i]);
	return STORE_OK;
}

/* Titles of the posts' articles, in a round trip. */
static enum store_result
read_titles(struct store *store, struct arena *arena,
    struct containment_post *posts, size_t count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (size_t i = 0; i < count; i++)
		pipeline_add(&pipeline, TEXT("HGET"),
		    key_post(arena, &store->buckets,
			(struct post_id){ posts[i].id.article, 0 }),
		    TEXT("title"));
	if (count > 0 && !redis_run_each(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		posts[i].title = reply_text(&pipeline.replies[i]);
	return STORE_OK;
}

STORE_CALL
containment_posts(struct store *store, struct arena *arena, uint64_t member,
    uint64_t act, enum containment_what what, bool is_left,
    struct containment_post **posts, size_t *count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	*count = 0;
	*posts = arena_new(arena, struct containment_post, CONTAINMENT_SHOWN);
	for (uint64_t b = 0; b < store->buckets.count; b++)
		ask_entries(&pipeline, store, b, what, member,
		    is_left ? -(int64_t)act : (int64_t)act, CONTAINMENT_SHOWN);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t b = 0; b < pipeline.count; b++)
		for (size_t i = 0;
		    i < pipeline.replies[b].count && *count < CONTAINMENT_SHOWN;
		    i++)
			(*posts)[(*count)++].id = decode_post(
			    reply_text(reply_item(&pipeline.replies[b], i)));
	return read_titles(store, arena, *posts, *count);
}

/* What comes next, as the cursor has it: "PHASE BUCKET SCORE PASSED". */
enum phase { PHASE_MEMBER, PHASE_POSTS, PHASE_VOTES, PHASE_COUNT, PHASES };

struct cursor {
	uint64_t phase, bucket;
	struct vote_cursor place; /* of votes; of posts, how many stay */
};

static struct cursor
read_cursor(struct text text)
{
	struct cursor cursor = { .phase = PHASE_MEMBER };
	struct text phase, bucket, score, passed;
	bool is_read = text_next_word(&text, &phase) &&
	    text_next_word(&text, &bucket) && text_next_word(&text, &score) &&
	    text_next_word(&text, &passed) &&
	    text_to_u64(phase, &cursor.phase) &&
	    text_to_u64(bucket, &cursor.bucket) &&
	    text_to_i64(score, &cursor.place.score) &&
	    text_to_i64(passed, &cursor.place.passed);

	return is_read ? cursor : (struct cursor){ .phase = PHASE_MEMBER };
}

static struct text
write_cursor(struct arena *arena, const struct cursor *cursor)
{
	return text_format(arena, "%llu %llu %lld %lld",
	    (unsigned long long)cursor->phase,
	    (unsigned long long)cursor->bucket, (long long)cursor->place.score,
	    (long long)cursor->place.passed);
}

/* A step: of one containment. */
struct step {
	struct store *store;
	struct arena *arena;
	const struct containment *job;
	struct cursor cursor;
	/* What the log's entry gets at the end. */
	int64_t articles, comments, votes;
	bool is_complete;
};

static void
next_bucket(struct step *step)
{
	step->cursor.place = (struct vote_cursor){ .score = 0 };
	if (++step->cursor.bucket < step->store->buckets.count)
		return;
	step->cursor.bucket = 0;
	step->cursor.phase++;
}

static void
next_phase(struct step *step)
{
	step->cursor = (struct cursor){ .phase = step->cursor.phase + 1 };
}

static enum store_result
suspend_member(struct step *step)
{
	const struct containment *job = step->job;
	struct arena *arena = step->arena;
	enum store_result result = STORE_OK;

	if (job->suspends != 0)
		result = call_write(step->store, arena, "suspend_1",
		    key_user(arena, job->member.id),
		    text_number(arena, USER_SUSPENDED_FOREVER), job->reason);
	if (result == STORE_OK && job->ends_invitations != 0)
		result = store_write(step->store, arena, TEXT("DEL"),
		    key_invites(arena, job->member.id));
	next_phase(step);
	return result == STORE_ABSENT ? STORE_OK : result;
}

static bool
is_done(const struct reply *reply)
{
	return reply->kind != REPLY_ERROR && call_outcome(reply) == STORE_OK;
}

static void
send_removal(
    struct pipeline *pipeline, const struct step *step, struct post_id id)
{
	const struct containment *job = step->job;
	struct arena *arena = pipeline->arena;

	call_send_write(pipeline, "contain_post_1",
	    key_post(arena, &step->store->buckets, id),
	    text_number(arena, (int64_t)job->act),
	    job->by.id == 0
		? TEXT("")
		: text_format(arena, "%llu %.*s",
		      (unsigned long long)job->by.id, TEXT_ARGS(job->by.name)),
	    job->reason, entry_seconds(step->store, arena));
}

/* Asks for the oldest posts of a kind that are not removed, behind those that had to stay. With the
 * newest first, each comment would be the last of its thread, which would be searched for the one
 * before it, behind all that were removed. */
static void
ask_posts(
    struct pipeline *pipeline, const struct step *step, enum key_kind kind)
{
	struct arena *arena = pipeline->arena;

	pipeline_add(pipeline, TEXT("ZRANGE"),
	    key_in_bucket(arena, &step->store->buckets, step->cursor.bucket,
		kind, key_list_of_author(arena, step->job->member.id)),
	    text_number(arena, step->job->removes), TEXT("+inf"),
	    TEXT("BYSCORE"), TEXT("LIMIT"),
	    text_number(arena, step->cursor.place.passed),
	    text_number(arena, POSTS_BATCH));
}

/* Removes the next posts of a bucket: of its articles, of its comments, and of those posts that
 * are in neither list because they wait to be shown. place.score says which. */
static enum store_result
remove_posts(struct step *step)
{
	static const enum key_kind lists[] = { KEY_TIME, KEY_COMMENTS,
		KEY_REMOVED };
	enum { LISTS = sizeof(lists) / sizeof(lists[0]) };
	int64_t place = step->cursor.place.score,
		list = place > 0 && place < LISTS ? place : 0;
	struct pipeline asked = pipeline_begin(step->store->redis, step->arena);
	struct pipeline calls = pipeline_begin(step->store->redis, step->arena);
	struct post_id ids[POSTS_BATCH];
	const struct reply *posts;

	if (step->job->removes == 0) {
		next_phase(step);
		return STORE_OK;
	}
	ask_posts(&asked, step, lists[list]);
	if (!redis_run(&asked))
		return STORE_DOWN;
	posts = &asked.replies[0];
	for (size_t i = 0; i < posts->count && i < POSTS_BATCH; i++) {
		ids[i] = decode_post(reply_text(reply_item(posts, i)));
		send_removal(&calls, step, ids[i]);
	}
	if (calls.count > 0 && walk_run(&calls, ids) != STORE_OK)
		return STORE_DOWN;
	/* Only those that were shown leave their list. */
	for (size_t i = 0; i < calls.count; i++)
		step->cursor.place.passed +=
		    lists[list] == KEY_REMOVED || !is_done(&calls.replies[i]);
	if (posts->count == POSTS_BATCH)
		return STORE_OK;
	if (list + 1 < LISTS)
		step->cursor.place = (struct vote_cursor){ .score = list + 1 };
	else
		next_bucket(step);
	return STORE_OK;
}

static struct vote_act
vote_act_of(const struct step *step)
{
	const struct containment *job = step->job;

	return (struct vote_act){ .member = job->member,
		.wanted = text_equal(job->votes, CONTAINMENT_VOID)
		    ? VOIDING_VOID
		    : VOIDING_COUNT,
		.act = job->act,
		.seconds = containment_entry_seconds(step->store) };
}

static enum store_result
change_votes(struct step *step)
{
	struct vote_act act = vote_act_of(step);
	enum store_result result;
	bool ended;

	if (step->job->votes.size == 0) {
		next_phase(step);
		return STORE_OK;
	}
	result = vote_sweep_step(step->store, step->arena, &act,
	    step->job->at - step->store->rules.vote_window, step->cursor.bucket,
	    &step->cursor.place, &ended);
	if (result == STORE_OK && ended)
		next_bucket(step);
	return result;
}

/* Counts what the act has done or, once it is taken back, what that has left. */
static enum store_result
count_entries(struct step *step, int64_t act)
{
	struct store *store = step->store;
	struct pipeline pipeline = pipeline_begin(store->redis, step->arena);
	uint64_t member = step->job->member.id;

	for (uint64_t b = 0; b < store->buckets.count; b++) {
		ask_entries(
		    &pipeline, store, b, CONTAINMENT_POSTS, member, act, -1);
		ask_entries(
		    &pipeline, store, b, CONTAINMENT_VOTES, member, act, -1);
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < pipeline.count; i++) {
		const struct reply *reply = &pipeline.replies[i];

		if (i % 2 == 1)
			step->votes += (int64_t)reply->count;
		for (size_t p = 0; i % 2 == 0 && p < reply->count; p++)
			if (decode_post(reply_text(reply_item(reply, p)))
				.comment == 0)
				step->articles++;
			else
				step->comments++;
	}
	step->is_complete = true;
	return STORE_OK;
}

static enum store_result
act_on(struct step *step)
{
	switch (step->cursor.phase) {
	case PHASE_MEMBER:
		return suspend_member(step);
	case PHASE_POSTS:
		return remove_posts(step);
	case PHASE_VOTES:
		return change_votes(step);
	default:
		return count_entries(step, (int64_t)step->job->act);
	}
}

static enum store_result
unsuspend_member(struct step *step, bool *stayed)
{
	const struct containment *job = step->job;
	struct arena *arena = step->arena;
	enum store_result result = STORE_OK;

	if (job->suspends != 0)
		result = call_write(step->store, arena, "unsuspend_1",
		    key_user(arena, job->member.id),
		    text_number(arena, USER_SUSPENDED_FOREVER), job->reason,
		    text_number(arena, job->before), job->before_reason);
	*stayed = result == STORE_TAKEN;
	next_phase(step);
	return result == STORE_TAKEN || result == STORE_ABSENT ? STORE_OK
							       : result;
}

/* What an undo could not take back, it leaves for good. */
static enum store_result
pass_over(
    struct step *step, enum containment_what what, const struct reply *entry)
{
	return call_write(step->store, step->arena, "drop_entry_1",
	    list_of(step->arena, step->store, step->cursor.bucket, what,
		step->job->member.id),
	    reply_text(entry),
	    text_number(step->arena, (int64_t)step->job->act));
}

/* Restores a post to those of its groups that exist. */
static enum store_result
restore_one(struct step *step, struct post_id id)
{
	struct store *store = step->store;
	struct arena *arena = step->arena;
	struct text key = key_post(arena, &store->buckets, id), groups;
	const struct reply *reply =
	    store_read(store, arena, TEXT("HGET"), key, TEXT("groups"));
	enum store_result result;

	if (reply == NULL)
		return STORE_DOWN;
	result = group_resolve_names(store, arena, reply_text(reply), &groups);
	return result == STORE_OK
	    ? call_write(store, arena, "uncontain_post_1", key,
		  text_number(arena, (int64_t)step->job->act),
		  text_number(arena, store->rules.vote_score), groups,
		  entry_seconds(store, arena))
	    : result;
}

static enum store_result
undo_one(struct step *step, enum containment_what what, struct post_id id)
{
	struct vote_act act = vote_act_of(step);

	if (what == CONTAINMENT_POSTS)
		return restore_one(step, id);
	act.wanted = act.wanted == VOIDING_VOID ? VOIDING_COUNT : VOIDING_VOID;
	act.undoes = true;
	return vote_change_for(step->store, step->arena, id, &act);
}

/* An account that was closed meanwhile may have had its texts erased: its posts stay removed. */
static enum store_result
is_closed_account(struct step *step, bool *is_closed)
{
	struct user user;
	enum store_result result =
	    user_get(step->store, step->arena, step->job->member.id, &user);

	*is_closed =
	    result == STORE_ABSENT || (result == STORE_OK && user.closed != 0);
	return result == STORE_ABSENT ? STORE_OK : result;
}

/* Takes back the next entries of a bucket. Each leaves the list, or becomes negative. */
static enum store_result
undo_entries(struct step *step, enum containment_what what)
{
	struct store *store = step->store;
	struct pipeline asked = pipeline_begin(store->redis, step->arena);
	size_t batch = what == CONTAINMENT_POSTS ? POSTS_BATCH : VOTES_BATCH;
	enum store_result result;
	bool is_closed;

	ask_entries(&asked, store, step->cursor.bucket, what,
	    step->job->member.id, (int64_t)step->job->act, (int64_t)batch);
	result = is_closed_account(step, &is_closed);
	if (result != STORE_OK || !redis_run(&asked))
		return STORE_DOWN;
	for (size_t i = 0; i < asked.replies[0].count; i++) {
		const struct reply *entry = reply_item(&asked.replies[0], i);
		struct post_id id = decode_post(reply_text(entry));
		bool passes =
		    id.article == 0 || (is_closed && what == CONTAINMENT_POSTS);

		result = passes ? STORE_ABSENT : undo_one(step, what, id);
		if (result == STORE_DOWN)
			return result;
		if (result == STORE_ABSENT &&
		    pass_over(step, what, entry) == STORE_DOWN)
			return STORE_DOWN;
	}
	if (asked.replies[0].count < batch)
		next_bucket(step);
	return STORE_OK;
}

static enum store_result
undo_on(struct step *step, bool *stayed)
{
	switch (step->cursor.phase) {
	case PHASE_MEMBER:
		return unsuspend_member(step, stayed);
	case PHASE_POSTS:
		return undo_entries(step, CONTAINMENT_POSTS);
	case PHASE_VOTES:
		return undo_entries(step, CONTAINMENT_VOTES);
	default:
		return count_entries(step, -(int64_t)step->job->act);
	}
}

/* Adds the counts that the log shows: of an undo what it has taken back, which is what the act
 * had done but for the rest. */
static enum store_result
add_counts(struct step *step, struct call *call, bool is_undo)
{
	int64_t *const counts[] = { &step->articles, &step->comments,
		&step->votes };
	static const struct text names[] = { TEXT_INIT("articles"),
		TEXT_INIT("comments"), TEXT_INIT("votes") };
	const struct reply *done = NULL;

	if (is_undo)
		done = store_read(step->store, step->arena, TEXT("HMGET"),
		    key_mod_action(
			step->arena, &step->store->buckets, step->job->act),
		    names[0], names[1], names[2]);
	if (is_undo && done == NULL)
		return STORE_DOWN;
	for (size_t i = 0; i < 3; i++) {
		if (is_undo)
			*counts[i] =
			    reply_number_of(reply_text(reply_item(done, i))) -
			    *counts[i];
		if (*counts[i] > 0)
			call_add(call, names[i],
			    text_number(step->arena, *counts[i]));
	}
	return STORE_OK;
}

/* Notes how far it is; another relay may have done so. */
static enum store_result
note_progress(struct step *step, bool is_undo)
{
	const struct containment *job = step->job;
	struct call call = call_begin(step->arena, CALL_WRITES, "progress_1",
	    key_containment(step->arena, &step->store->buckets, job->act));
	struct text after = is_undo ? CONTAINMENT_UNDONE : CONTAINMENT_DONE;
	enum store_result result = STORE_OK;

	call_add(&call, job->state, job->cursor,
	    step->is_complete ? after : job->state,
	    write_cursor(step->arena, &step->cursor));
	if (step->is_complete)
		result = add_counts(step, &call, is_undo);
	if (result == STORE_OK)
		result = call_run(&call, step->store, NULL);
	return result == STORE_TAKEN || result == STORE_ABSENT ? STORE_OK
							       : result;
}

static enum store_result
note_stay(struct step *step)
{
	return store_write(step->store, step->arena, TEXT("HSET"),
	    key_containment(step->arena, &step->store->buckets, step->job->act),
	    TEXT("stayed"), TEXT("1"));
}

static enum store_result
step_one(
    struct store *store, struct arena *arena, const struct containment *job)
{
	struct step step = { .store = store,
		.arena = arena,
		.job = job,
		.cursor = read_cursor(job->cursor) };
	bool is_undo = containment_is(job, CONTAINMENT_UNDOING);
	bool stayed = false;
	enum store_result result =
	    is_undo ? undo_on(&step, &stayed) : act_on(&step);

	if (result == STORE_OK && stayed)
		result = note_stay(&step);
	return result == STORE_OK ? note_progress(&step, is_undo) : STORE_DOWN;
}

static bool
is_under_way(const struct containment *job)
{
	return containment_is(job, CONTAINMENT_ACTING) ||
	    containment_is(job, CONTAINMENT_UNDOING);
}

static bool
is_late(const struct containment_faults *faults, uint64_t act)
{
	int64_t now = clock_monotonic_ms();

	for (size_t i = 0; i < CONTAINMENTS_LATE; i++)
		if (faults->late[i].act == act &&
		    faults->late[i].again_at > now)
			return true;
	return false;
}

static void
note_fault(struct containment_faults *faults, uint64_t act)
{
	size_t place = faults->next++ % CONTAINMENTS_LATE;

	faults->late[place].act = act;
	faults->late[place].again_at =
	    clock_monotonic_ms() + CONTAINMENT_RETRY_MS;
	log_limited(&faults->logged,
	    "what act %llu decided waits: Redis does not answer",
	    (unsigned long long)act);
}

bool
containment_step(
    struct store *store, struct arena *arena, struct containment_faults *faults)
{
	struct containment *jobs;
	size_t count, done = 0;

	if (is_late(faults, 0))
		return false;
	if (read_all(store, arena, &jobs, &count) != STORE_OK) {
		note_fault(faults, 0);
		return false;
	}
	if (count > 1)
		qsort(jobs, count, sizeof(*jobs), compare_acts);
	/* The oldest first. */
	for (size_t i = count; i-- > 0 && done < JOBS_BATCH;) {
		if (!is_under_way(&jobs[i]) || is_late(faults, jobs[i].act))
			continue;
		if (step_one(store, arena, &jobs[i]) != STORE_OK) {
			note_fault(faults, jobs[i].act);
			return true;
		}
		done++;
	}
	return done > 0;
}
