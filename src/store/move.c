#include "store/move.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/log.h"
#include "redis/redis.h"
#include "store/function_call.h"
#include "store/keys.h"
#include "store/library.h"
#include "store/refresh.h"
#include "store/walk.h"

enum {
	COMMENTS = 50, /* in a step */
	BATCH = WALK_ARTICLES
};

/* What is moved, in this order. */
enum phase {
	PHASE_EXPAND,
	PHASE_ARTICLES,
	PHASE_MEMBERS,
	PHASE_GROUPS,
	PHASE_END
};

/* An article whose comments are moved after it, by its number in the bucket. */
struct thread {
	uint64_t number, moved, last;
};

struct mover {
	struct store *store;
	struct arena step;
	enum phase phase;
	uint64_t bucket;    /* of articles; of groups, the list */
	uint64_t number;    /* of the last article or member */
	uint64_t batch_end; /* of the articles that were moved last */
	char *name;	    /* of the last group; NULL: none */
	bool is_placed;	    /* number or name are those of the site's hash */
	struct thread threads[BATCH];
	size_t thread_count, next_thread;
};

STORE_CALL
move_begin(struct store *store, struct arena *arena, bool *began)
{
	const struct reply *version =
	    store_read(store, arena, TEXT("HGET"), KEY_SITE, TEXT("version"));

	*began = false;
	if (version == NULL)
		return STORE_DOWN;
	if (!text_equal(reply_text(version), KEYS_VERSION_BEFORE))
		return STORE_OK;
	*began = true;
	return call_write(store, arena, "move_begin_1", KEY_SITE,
	    KEYS_VERSION_BEFORE, KEYS_VERSION);
}

void
move_ask(struct pipeline *pipeline, const struct buckets *buckets)
{
	pipeline_add(pipeline, TEXT("HGET"), KEY_SITE, KEYS_FROM);
	pipeline_add(pipeline, TEXT("HGET"), KEY_SITE, KEYS_MOVED_MEMBERS);
	pipeline_add(pipeline, TEXT("GET"), KEY_USERS);
	for (uint64_t b = 0; b < buckets->count; b++) {
		pipeline_add(pipeline, TEXT("HGET"), KEY_SITE,
		    key_moved_field(pipeline->arena, b));
		pipeline_add(pipeline, TEXT("GET"),
		    key_article_counter(pipeline->arena, buckets, b));
	}
}

struct move
move_read(const struct reply *replies, const struct buckets *buckets)
{
	struct move move = { .from = (int64_t)reply_id(&replies[0]) };

	if (move.from == 0)
		return move;
	move.moved = reply_id(&replies[1]);
	move.total = reply_id(&replies[2]);
	for (uint64_t b = 0; b < buckets->count; b++) {
		move.moved += reply_id(&replies[3 + 2 * b]);
		move.total += reply_id(&replies[4 + 2 * b]);
	}
	return move;
}

STORE_CALL
move_get(struct store *store, struct arena *arena, struct move *move)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	move_ask(&pipeline, &store->buckets);
	/* The check reports what is damaged. */
	if (!redis_run_each(&pipeline))
		return STORE_DOWN;
	*move = move_read(pipeline.replies, &store->buckets);
	return STORE_OK;
}

int
move_percent(const struct move *move)
{
	if (move->from == 0 || move->moved >= move->total)
		return 100;
	return (int)(move->moved * 100 / move->total);
}

struct mover *
mover_new(struct store *store)
{
	struct mover *mover = calloc(1, sizeof(*mover));

	if (mover == NULL)
		log_fatal("out of memory: the data are not moved on");
	mover->store = store;
	return mover;
}

void
mover_free(struct mover *mover)
{
	arena_free(&mover->step);
	free(mover->name);
	free(mover);
}

static void
set_name(struct mover *mover, struct text name)
{
	free(mover->name);
	mover->name = name.size == 0 ? NULL : strndup(name.data, name.size);
}

static struct text
cursor_field(struct mover *mover)
{
	switch (mover->phase) {
	case PHASE_ARTICLES:
		return key_moved_field(&mover->step, mover->bucket);
	case PHASE_MEMBERS:
		return KEYS_MOVED_MEMBERS;
	default:
		return KEYS_MOVED_GROUPS;
	}
}

/* Continues where the mover before was killed; groups begin again, since there are few. */
static enum store_result
read_cursor(struct mover *mover)
{
	const struct reply *cursor = store_read(mover->store, &mover->step,
	    TEXT("HGET"), KEY_SITE, cursor_field(mover));

	if (cursor == NULL)
		return STORE_DOWN;
	mover->number = mover->phase == PHASE_GROUPS ? 0 : reply_id(cursor);
	mover->is_placed = true;
	return STORE_OK;
}

/* Whether comments of the articles that were moved last are still to be moved. */
static bool
has_thread(const struct mover *mover)
{
	return mover->next_thread < mover->thread_count;
}

/* Once all up to a number are moved. STORE_ABSENT when another mover has ended the move. */
static enum store_result
write_cursor(struct mover *mover, uint64_t number)
{
	enum store_result result = call_write(mover->store, &mover->step,
	    "moved_1", KEY_SITE, KEYS_VERSION_BEFORE, cursor_field(mover),
	    text_number(&mover->step, (int64_t)number));

	if (result == STORE_OK)
		mover->number = number;
	return result;
}

static void
start_phase(struct mover *mover, enum phase phase, uint64_t bucket)
{
	mover->phase = phase;
	mover->bucket = bucket;
	mover->is_placed = false;
	set_name(mover, TEXT(""));
}

static enum store_result
move_comments(struct mover *mover)
{
	struct thread *thread = &mover->threads[mover->next_thread];
	uint64_t article =
	    key_id_in(&mover->store->buckets, mover->bucket, thread->number);
	struct pipeline pipeline =
	    pipeline_begin(mover->store->redis, &mover->step);
	struct post_id ids[COMMENTS];

	while (pipeline.count < COMMENTS &&
	    thread->moved + pipeline.count < thread->last) {
		struct post_id *id = &ids[pipeline.count];

		*id = (struct post_id){ article,
			thread->moved + pipeline.count + 1 };
		refresh_send_post(&pipeline, mover->store, *id);
	}
	if (walk_run(&pipeline, ids) != STORE_OK)
		return STORE_DOWN;
	thread->moved += pipeline.count;
	if (thread->moved < thread->last)
		return STORE_OK;
	mover->next_thread++;
	return write_cursor(
	    mover, has_thread(mover) ? thread->number : mover->batch_end);
}

static enum store_result
move_articles(struct mover *mover)
{
	const struct reply *replies;

	if (walk_articles(mover->store, &mover->step, mover->bucket,
		mover->number, refresh_send_post, &replies) != STORE_OK)
		return STORE_DOWN;
	mover->thread_count = mover->next_thread = 0;
	mover->batch_end = mover->number + BATCH;
	for (size_t i = 0; i < BATCH; i++) {
		uint64_t last = reply_id(reply_item(&replies[i], 1));

		if (last > 0)
			mover->threads[mover->thread_count++] =
			    (struct thread){ mover->number + 1 + i, 0, last };
	}
	return has_thread(mover) ? STORE_OK
				 : write_cursor(mover, mover->batch_end);
}

static enum store_result
step_articles(struct mover *mover)
{
	const struct buckets *buckets = &mover->store->buckets;
	uint64_t last;

	if (has_thread(mover))
		return move_comments(mover);
	if (walk_last(mover->store, &mover->step,
		key_article_counter(&mover->step, buckets, mover->bucket),
		&last) != STORE_OK)
		return STORE_DOWN;
	if (mover->number < last)
		return move_articles(mover);
	if (mover->bucket + 1 < buckets->count)
		start_phase(mover, PHASE_ARTICLES, mover->bucket + 1);
	else
		start_phase(mover, PHASE_MEMBERS, 0);
	return STORE_OK;
}

/* Whether a member that was refused is left as it is. One whose master is away, or whose slot
 * moves, is moved later. */
static bool
gives_up(struct mover *mover, uint64_t user)
{
	struct pipeline pipeline =
	    pipeline_begin(mover->store->redis, &mover->step);

	refresh_send_inbox(&pipeline, user);
	if (!redis_run_each(&pipeline) ||
	    !walk_met_damage(&pipeline.replies[0]))
		return false;
	log_line("member %llu is damaged and was not moved; tally check says "
		 "more",
	    (unsigned long long)user);
	return true;
}

static enum store_result
step_members(struct mover *mover)
{
	uint64_t last;

	if (walk_last(mover->store, &mover->step, KEY_USERS, &last) != STORE_OK)
		return STORE_DOWN;
	if (mover->number >= last) {
		start_phase(mover, PHASE_GROUPS, 0);
		return STORE_OK;
	}
	for (uint64_t i = 1; i <= BATCH; i++)
		if (refresh_member(mover->store, &mover->step,
			mover->number + i) == STORE_DOWN &&
		    !gives_up(mover, mover->number + i))
			return STORE_DOWN;
	return write_cursor(mover, mover->number + BATCH);
}

/* The names after the last one, from one of the two lists. */
static enum store_result
step_groups(struct mover *mover)
{
	const struct text lists[] = { KEY_GROUPS, KEY_FORMER };
	struct arena *step = &mover->step;
	const struct reply *names =
	    store_read(mover->store, step, TEXT("ZRANGE"), lists[mover->bucket],
		mover->name == NULL
		    ? TEXT("-")
		    : text_join(step, TEXT("("), text_of(mover->name)),
		TEXT("+"), TEXT("BYLEX"), TEXT("LIMIT"), TEXT("0"),
		text_number(step, BATCH));

	if (names == NULL)
		return STORE_DOWN;
	for (size_t i = 0; i < names->count; i++) {
		struct text name = reply_text(reply_item(names, i));

		if (refresh_group(mover->store, step, name) == STORE_DOWN)
			return STORE_DOWN;
		set_name(mover, name);
	}
	if (names->count == BATCH)
		return STORE_OK;
	if (mover->bucket + 1 < sizeof(lists) / sizeof(lists[0]))
		start_phase(mover, PHASE_GROUPS, mover->bucket + 1);
	else
		start_phase(mover, PHASE_END, 0);
	return STORE_OK;
}

/* Ends with the functions writing the new layout alone. */
static enum store_result
step_expand(struct mover *mover)
{
	enum store_result result = call_write(mover->store, &mover->step,
	    "move_alone_1", KEY_SITE, KEYS_VERSION_BEFORE);

	if (result == STORE_OK)
		result = library_contract(mover->store, &mover->step);
	if (result == STORE_OK)
		start_phase(mover, PHASE_ARTICLES, 0);
	return result;
}

static enum store_result
end_move(struct mover *mover)
{
	enum store_result result = call_write(mover->store, &mover->step,
	    "move_end_1", KEY_SITE, KEYS_VERSION_BEFORE);

	return result == STORE_OK ? STORE_ABSENT : result;
}

static enum store_result
do_step(struct mover *mover)
{
	if (mover->phase == PHASE_EXPAND)
		return step_expand(mover);
	if (!mover->is_placed && mover->phase < PHASE_GROUPS &&
	    read_cursor(mover) != STORE_OK)
		return STORE_DOWN;
	switch (mover->phase) {
	case PHASE_ARTICLES:
		return step_articles(mover);
	case PHASE_MEMBERS:
		return step_members(mover);
	case PHASE_GROUPS:
		return step_groups(mover);
	default:
		return end_move(mover);
	}
}

STORE_CALL
mover_step(struct mover *mover)
{
	enum store_result result;
	enum phase phase;
	uint64_t bucket;

	/* What has nothing left to move is no step. */
	do {
		phase = mover->phase;
		bucket = mover->bucket;
		result = do_step(mover);
		arena_reset(&mover->step);
	} while (result == STORE_OK &&
	    (mover->phase != phase || mover->bucket != bucket));
	return result;
}
