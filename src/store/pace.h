/*
 * The change of what a vote is worth while members use the site.
 *
 * Owners store the vote score that they want (settings.vote_score). A pacer then
 *
 *	1. has each bucket keep lists by score for it beside those that are read: new articles
 *	   are in both;
 *	2. walks all articles of the bucket (store/walk.h), and places each in both: from then on
 *	   votes count in both;
 *	3. once all buckets have them, lets pages read the new lists: one field, of the first
 *	   bucket (store/scores.h), which changes every stamp of lists; the other buckets follow;
 *	4. a while later, when no page reads the former lists any more, takes all articles out of
 *	   them by another walk.
 *
 * What is to be done next follows from the stored states alone, so a pacer that was killed is
 * continued by any other, and several do no harm: a state is replaced only by who has read
 * it. If another vote score is wanted meanwhile, the new lists are built again for that one.
 */
#pragma once

#include "store/store.h"

/* How far it is. */
struct pace {
	int64_t vote_score,
	    wanted; /* in force, and by the owners: often the same */
	uint64_t placed, total; /* articles in the new lists */
};
STORE_CALL pace_get(
    struct store *store, struct arena *arena, struct pace *pace);
/* The same in a pipeline of other commands: adds the questions, and reads their replies. */
void pace_ask(struct pipeline *pipeline, const struct buckets *buckets);
struct pace pace_read(const struct reply *replies, const struct store *store);
bool pace_is_changing(const struct pace *pace);
/* 0 to 99; 100 when nothing is changing. */
int pace_percent(const struct pace *pace);

/* For how long the former lists are kept: longer than any request lasts. */
enum { PACE_KEEP_MS = 30000 };

/* A pacer belongs to a store, which outlives it. */
struct pacer *pacer_new(struct store *store, int64_t keep_ms);
void pacer_free(struct pacer *pacer);

/* Does the next step, of a few milliseconds of Redis. STORE_ABSENT when there is nothing to do
 * for now. After STORE_DOWN the step can be repeated. */
STORE_CALL pacer_step(struct pacer *pacer);
/* What a vote was worth in the lists that pages read, at the last step; 0 before the first. */
int64_t pacer_vote_score(const struct pacer *pacer);
