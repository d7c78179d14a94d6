/*
 * Lists by points: of the articles on which voting has closed, whose points are final. Each
 * bucket has one of all, one of each month of posting in UTC, and the same of each group
 * (store/keys.h). A score there is
 *
 *	points * 2^32 + time of posting
 *
 * so those with the same points are by time. Points beyond POINTS_MAX count as that many: programs
 * read numbers of up to 15 digits (redis/reply.h).
 *
 * The relay places articles in these lists in the order of posting (store/functions/points.lua),
 * and notes how far it is: all that were posted before are there, unless they were removed. Later
 * ones are read by time, with the votes that they have at the moment. Nothing is written by
 * votes; what removes an article, restores it, or moves it to other groups does so here as in all
 * its lists.
 */
#pragma once

#include "store/store.h"

enum { POINTS_MAX = 200000 };

/* The field of a bucket's versions that names the article that was placed last:
 * "MOMENT ID". */
#define POINTS_FIELD TEXT("placed")
bool points_is_state(struct text field);

/* The parts of a score. */
int64_t points_of_score(int64_t score);
int64_t points_posted(int64_t score);

/* Reads for each bucket the moment before which all are placed: 0 where none is, and where the
 * bucket's master does not answer, which sets *is_partial. */
STORE_CALL points_read_placed(struct store *store, struct arena *arena,
    int64_t *moments, bool *is_partial);

/* Places the next POINTS_STEP articles of each bucket, of those on which voting has closed. True
 * when a bucket had that many. A bucket that does not answer, or refuses, stays as it is, which is
 * logged once a minute; *logged is when it was, at first 0. */
enum { POINTS_STEP = 50 };
bool points_step(struct store *store, struct arena *arena, int64_t *logged);
