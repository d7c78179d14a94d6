#include "store/pace.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "redis/redis.h"
#include "store/function_call.h"
#include "store/scores.h"
#include "store/settings.h"
#include "store/walk.h"

struct bucket {
	struct text field; /* as it was read; empty: there was none */
	struct scores scores;
	uint64_t last; /* the number of its last article */
};

/* All that decides what is to be done. */
struct state {
	int64_t wanted;
	bool is_damaged;   /* a key is of another type: the check reports it */
	struct scale read; /* by pages */
	struct bucket *buckets;
};

/* A pacer that has nothing to do reads all buckets so often, for what another has left. */
enum { IDLE_MS = 60000 };

struct pacer {
	struct store *store;
	struct arena step;
	int64_t keep_ms;
	struct scale read; /* as it was read last, */
	int64_t since;	   /* for the first time then (clock_monotonic_ms) */
	/* Of the first bucket, as they were read before all buckets were found complete: until
	 * they change, nothing is to be done. */
	struct arena idle;
	struct text idle_versions[2];
	int64_t idle_until; /* 0: never found */
};

void
pace_ask(struct pipeline *pipeline, const struct buckets *buckets)
{
	pipeline_add(pipeline, TEXT("HGET"),
	    key_settings(pipeline->arena, buckets), SETTINGS_VOTE_SCORE);
	for (uint64_t b = 0; b < buckets->count; b++) {
		pipeline_add(pipeline, TEXT("HGET"),
		    key_versions(pipeline->arena, buckets, b), SCORES_FIELD);
		pipeline_add(pipeline, TEXT("GET"),
		    key_article_counter(pipeline->arena, buckets, b));
	}
}

static int64_t
read_wanted(const struct store *store, const struct reply *replies)
{
	return settings_vote_score(
	    reply_text(&replies[0]), store->rules.vote_score);
}

/* From the replies to pace_ask. */
static struct bucket
read_bucket(const struct store *store, const struct reply *replies, uint64_t b)
{
	struct bucket bucket = { .field = reply_text(&replies[1 + 2 * b]),
		.last = reply_id(&replies[2 + 2 * b]) };

	if (!scores_parse(bucket.field, &bucket.scores))
		bucket.scores.read.vote_score = store->rules.vote_score;
	return bucket;
}

static enum store_result
read_state(struct store *store, struct arena *arena, struct state *state)
{
	const struct buckets *buckets = &store->buckets;
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	pace_ask(&pipeline, buckets);
	if (!redis_run_each(&pipeline))
		return STORE_DOWN;
	*state =
	    (struct state){ .wanted = read_wanted(store, pipeline.replies) };
	for (size_t i = 0; i < pipeline.count; i++)
		state->is_damaged |= pipeline.replies[i].kind == REPLY_ERROR;
	state->buckets = arena_new(arena, struct bucket, buckets->count);
	for (uint64_t b = 0; b < buckets->count; b++)
		state->buckets[b] = read_bucket(store, pipeline.replies, b);
	state->read = state->buckets[0].scores.read;
	return STORE_OK;
}

/* How many of the bucket's articles the lists beside those that are read have, or have no more
 * while they are emptied. */
static uint64_t
count_done(const struct store *store, const struct bucket *bucket, uint64_t b)
{
	uint64_t done = key_number_in(&store->buckets, b, bucket->scores.last);

	return done < bucket->last ? done : bucket->last;
}

struct pace
pace_read(const struct reply *replies, const struct store *store)
{
	struct pace pace = { .wanted = read_wanted(store, replies) };

	for (uint64_t b = 0; b < store->buckets.count; b++) {
		struct bucket bucket = read_bucket(store, replies, b);
		const struct scores *scores = &bucket.scores;

		if (b == 0)
			pace.vote_score = scores->read.vote_score;
		pace.total += bucket.last;
		if (scores_have_beside(scores) &&
		    scores->beside.vote_score == pace.wanted)
			pace.placed += count_done(store, &bucket, b);
	}
	return pace;
}

STORE_CALL
pace_get(struct store *store, struct arena *arena, struct pace *pace)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	pace_ask(&pipeline, &store->buckets);
	if (!redis_run_each(&pipeline))
		return STORE_DOWN;
	*pace = pace_read(pipeline.replies, store);
	return STORE_OK;
}

bool
pace_is_changing(const struct pace *pace)
{
	return pace->vote_score != pace->wanted;
}

int
pace_percent(const struct pace *pace)
{
	if (!pace_is_changing(pace))
		return 100;
	return pace->placed >= pace->total
	    ? 99
	    : (int)(pace->placed * 100 / pace->total);
}

struct pacer *
pacer_new(struct store *store, int64_t keep_ms)
{
	struct pacer *pacer = calloc(1, sizeof(*pacer));

	if (pacer == NULL)
		log_fatal("out of memory: the worth of a vote cannot change");
	pacer->store = store;
	pacer->keep_ms = keep_ms;
	return pacer;
}

void
pacer_free(struct pacer *pacer)
{
	arena_free(&pacer->step);
	arena_free(&pacer->idle);
	free(pacer);
}

/* Replaces the state of a bucket, unless another pacer has: then the next step reads it. If pages
 * read other lists from now on, what is cached of them is out of date; and in the first bucket,
 * whatever shows what a vote is worth. */
static enum store_result
set_scores(struct pacer *pacer, const struct state *state, uint64_t b,
    struct scores scores)
{
	const struct bucket *bucket = &state->buckets[b];
	struct store *store = pacer->store;
	struct arena *arena = &pacer->step;
	struct call call = call_begin(arena, CALL_WRITES, "scores_1",
	    key_versions(arena, &store->buckets, b));
	enum store_result result;

	call_add(&call, bucket->field, scores_format(arena, &scores));
	if (!scale_equal(bucket->scores.read, scores.read))
		call_add(&call, TEXT("lists"));
	if (!scale_equal(bucket->scores.read, scores.read) && b == 0)
		call_add(&call, TEXT("settings"));
	result = call_run(&call, store, NULL);
	return result == STORE_ABSENT ? STORE_OK : result;
}

/* Begins to build or to empty the lists beside those that are read. */
static enum store_result
begin_beside(struct pacer *pacer, const struct state *state, uint64_t b,
    struct scale beside)
{
	const struct scores *now = &state->buckets[b].scores;
	int64_t number;

	if (!redis_time(pacer->store->redis, &pacer->step, &number))
		return STORE_DOWN;
	return set_scores(pacer, state, b,
	    (struct scores){ .read = now->read,
		.beside = beside,
		.number = number > now->number ? number : now->number + 1 });
}

static enum store_result
end_beside(struct pacer *pacer, const struct state *state, uint64_t b)
{
	return set_scores(pacer, state, b,
	    (struct scores){ .read = state->buckets[b].scores.read });
}

/* Lets pages read the lists beside those that were read. */
static enum store_result
exchange(struct pacer *pacer, const struct state *state, uint64_t b)
{
	struct scores scores = state->buckets[b].scores;
	struct scale read = scores.read;

	scores.read = scores.beside;
	scores.beside = read;
	return set_scores(pacer, state, b, scores);
}

static void
send_place(
    struct pipeline *pipeline, const struct store *store, struct post_id id)
{
	call_send_write(pipeline, "place_1",
	    key_post(pipeline->arena, &store->buckets, id));
}

static bool
is_done(const struct pacer *pacer, const struct state *state, uint64_t b)
{
	return count_done(pacer->store, &state->buckets[b], b) ==
	    state->buckets[b].last;
}

static enum store_result
walk_on(struct pacer *pacer, const struct state *state, uint64_t b)
{
	const struct buckets *buckets = &pacer->store->buckets;
	struct scores scores = state->buckets[b].scores;
	uint64_t number = key_number_in(buckets, b, scores.last);
	const struct reply *replies;

	if (walk_articles(pacer->store, &pacer->step, b, number, send_place,
		&replies) != STORE_OK)
		return STORE_DOWN;
	scores.last = key_id_in(buckets, b, number + WALK_ARTICLES);
	return set_scores(pacer, state, b, scores);
}

/* Whether pages may still read the lists beside those that are read now. */
static bool
may_be_read(const struct pacer *pacer, const struct scores *scores)
{
	return scores_have_beside(scores) && scores->beside.vote_score > 0 &&
	    clock_monotonic_ms() - pacer->since < pacer->keep_ms;
}

/* The next step of a bucket whose first lists are not those that pages read: it was not reached
 * yet, or has lost its last changes. */
static enum store_result
follow(struct pacer *pacer, const struct state *state, uint64_t b)
{
	if (!scale_equal(state->buckets[b].scores.beside, state->read))
		return begin_beside(pacer, state, b, state->read);
	return is_done(pacer, state, b) ? exchange(pacer, state, b)
					: walk_on(pacer, state, b);
}

/* Of one in which the lists for the wanted vote score are built. */
static enum store_result
build(struct pacer *pacer, const struct state *state, uint64_t b)
{
	const struct scores *scores = &state->buckets[b].scores;
	const struct scale wanted = { !state->read.is_second, state->wanted };

	if (!scale_equal(scores->beside, wanted))
		return may_be_read(pacer, scores)
		    ? STORE_ABSENT
		    : begin_beside(pacer, state, b, wanted);
	return is_done(pacer, state, b) ? STORE_ABSENT
					: walk_on(pacer, state, b);
}

/* Of one that is to have no lists but those that are read. */
static enum store_result
clear(struct pacer *pacer, const struct state *state, uint64_t b)
{
	const struct scores *scores = &state->buckets[b].scores;
	const struct scale emptied = { .is_second = !state->read.is_second };

	if (!scores_have_beside(scores) || may_be_read(pacer, scores))
		return STORE_ABSENT;
	if (scores->beside.vote_score > 0)
		return begin_beside(pacer, state, b, emptied);
	return is_done(pacer, state, b) ? end_beside(pacer, state, b)
					: walk_on(pacer, state, b);
}

/* STORE_ABSENT when the bucket has nothing to do for now. */
static enum store_result
step_bucket(struct pacer *pacer, const struct state *state, uint64_t b)
{
	if (!scale_equal(state->buckets[b].scores.read, state->read))
		return follow(pacer, state, b);
	return state->wanted != state->read.vote_score ? build(pacer, state, b)
						       : clear(pacer, state, b);
}

/* Whether all buckets have the lists for the wanted vote score. */
static bool
are_built(const struct pacer *pacer, const struct state *state)
{
	const struct scale wanted = { !state->read.is_second, state->wanted };

	for (uint64_t b = 0; b < pacer->store->buckets.count; b++)
		if (!scale_equal(state->buckets[b].scores.beside, wanted))
			return false;
	return true;
}

/* Whether all buckets have the lists that pages read, and no others. */
static bool
is_complete(const struct pacer *pacer, const struct state *state)
{
	for (uint64_t b = 0; b < pacer->store->buckets.count; b++)
		if (!scale_equal(state->buckets[b].scores.read, state->read) ||
		    scores_have_beside(&state->buckets[b].scores))
			return false;
	return state->wanted == state->read.vote_score;
}

/*
 * The first bucket is always the first that changes: a state of it that is replaced stops what
 * other pacers decided by it.
 */
static enum store_result
do_step(struct pacer *pacer)
{
	uint64_t count = pacer->store->buckets.count;
	enum store_result result = STORE_ABSENT;
	struct state state;

	if (read_state(pacer->store, &pacer->step, &state) != STORE_OK ||
	    state.is_damaged)
		return STORE_DOWN;
	if (!scale_equal(pacer->read, state.read)) {
		pacer->read = state.read;
		pacer->since = clock_monotonic_ms();
	}
	for (uint64_t b = 0; b < count && result == STORE_ABSENT; b++)
		result = step_bucket(pacer, &state, b);
	if (result == STORE_ABSENT && state.wanted != state.read.vote_score &&
	    are_built(pacer, &state))
		return exchange(pacer, &state, 0);
	if (result == STORE_ABSENT && is_complete(pacer, &state))
		pacer->idle_until = clock_monotonic_ms() + IDLE_MS;
	return result;
}

/* Whether the two fields are as they were when nothing was left to do; keeps them. Each change of
 * the settings counts in one, and the other is the first state that changes. */
static bool
is_idle(struct pacer *pacer, const struct reply *reply)
{
	bool is_same = clock_monotonic_ms() < pacer->idle_until;
	struct text versions[2];

	for (size_t i = 0; i < 2; i++) {
		versions[i] = reply_text(reply_item(reply, i));
		is_same &= text_equal(versions[i], pacer->idle_versions[i]);
	}
	if (is_same)
		return true;
	arena_reset(&pacer->idle);
	for (size_t i = 0; i < 2; i++)
		pacer->idle_versions[i] = text_copy(&pacer->idle, versions[i]);
	pacer->idle_until = 0;
	return false;
}

/* Reads all buckets only where something may be left to do. */
static enum store_result
step_unless_idle(struct pacer *pacer)
{
	struct store *store = pacer->store;
	const struct reply *reply = store_read(store, &pacer->step,
	    TEXT("HMGET"), key_versions(&pacer->step, &store->buckets, 0),
	    TEXT("settings"), SCORES_FIELD);

	if (reply == NULL)
		return STORE_DOWN;
	return is_idle(pacer, reply) ? STORE_ABSENT : do_step(pacer);
}

STORE_CALL
pacer_step(struct pacer *pacer)
{
	enum store_result result = step_unless_idle(pacer);

	arena_reset(&pacer->step);
	return result;
}

int64_t
pacer_vote_score(const struct pacer *pacer)
{
	return pacer->read.vote_score;
}
