/*
 * A walk over all articles of a bucket while members use the site: a call of a function for each
 * of some articles at a time, in the order of their numbers. The caller notes how far it is.
 */
#pragma once

#include "store/store.h"

enum { WALK_ARTICLES = 20 };

/* Adds the call for a post. */
typedef void walk_send(
    struct pipeline *pipeline, const struct store *store, struct post_id id);

/* Reads the number that a counter (key_article_counter, KEY_USERS) gave out last. */
STORE_CALL walk_last(struct store *store, struct arena *arena,
    struct text counter, uint64_t *last);

/* Makes the call for the WALK_ARTICLES articles after a number of a bucket, whether they exist
 * or not; *replies has as many. As walk_run. */
STORE_CALL walk_articles(struct store *store, struct arena *arena,
    uint64_t bucket, uint64_t number, walk_send *send,
    const struct reply **replies);

/* Whether Redis or a function refused a call for what it could not read. The check says what it
 * is. */
bool walk_met_damage(const struct reply *reply);

/* Runs the calls in a pipeline, one for each of the posts. A damaged post stays as it is, which
 * is logged; STORE_DOWN when a call was refused for another reason. */
STORE_CALL walk_run(struct pipeline *pipeline, const struct post_id *ids);

/* Milliseconds to wait after a step that took so many microseconds, so that steps take a share
 * of the time, in percent from 1 to 100. At most WALK_PAUSE_MS: a step that took seconds has
 * waited for another master. */
enum { WALK_PAUSE_MS = 5000 };
int64_t walk_pause_ms(int64_t step_us, int64_t share);
