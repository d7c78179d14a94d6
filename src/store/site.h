/*
 * The site as a whole: the values that it was created with, and its clock.
 */
#pragma once

#include "store/store.h"

/* Checks that every master refuses writes while it has no replica. STORE_MISMATCH, with
 * instructions in why, when one does not. Call after library_load. */
STORE_CALL site_check_replicas(
    struct store *store, struct arena *arena, struct text *why);

/* Sets *exists to whether Redis has a site. Needs no functions, and creates nothing. */
STORE_CALL site_exists(struct store *store, struct arena *arena, bool *exists);

/* Sets *is_empty to whether the site has neither members nor groups, without which it
 * has nothing else. */
STORE_CALL site_is_empty(
    struct store *store, struct arena *arena, bool *is_empty);

/*
 * Creates the site with the rules' buckets and vote_score (where they are 0: 1, 16 on
 * a cluster, and 432), or reads what it was created with. Sets those two and the secret in the
 * store. STORE_MISMATCH, with a sentence in why, when the site was created with another
 * number of buckets than asked for, or its key is damaged.
 */
STORE_CALL site_open(
    struct store *store, struct arena *arena, struct text *why);

/* Whether this program opens data of a layout: its own, or the one before (store/move.h) unless
 * these are still being moved on from another one. */
bool site_opens_layout(struct text version, struct text from);
/* Why data of another layout are not opened, and what to do: a sentence. */
struct text site_describe_other_layout(
    struct arena *arena, struct text version);

/* Reads Redis's clock in Unix seconds. */
STORE_CALL site_time(struct store *store, struct arena *arena, int64_t *now);

/*
 * Whether a master takes writes, by one that changes nothing, for at most 16 buckets:
 * STORE_DOWN when none does. Asks Redis at most once a second; in between and while
 * it is being asked, the result is the last one.
 */
struct write_check {
	int64_t asked_at; /* clock_monotonic_ms; begins as 0 */
	enum store_result result;
};
STORE_CALL site_check_writes(
    struct store *store, struct arena *arena, struct write_check *check);

/* True when Redis has refused a command within the last second for lack of memory: explains
 * a STORE_DOWN. */
bool site_is_full(const struct store *store);

/* True when a part of the site cannot be reached, and the rest can. */
bool site_is_partial(const struct store *store);
