/*
 * Sets the publishers of all articles (store/publisher.h), while members use the site: once the
 * owners have listed other shared hosts, once a libpsl with a newer list of public suffixes is
 * installed, and for articles of the former layout.
 *
 * The field "listed" of the versions of the first bucket says what all articles are listed by, or
 * how far a walk is that lists them by it:
 *
 *	1675985160 9f86d081884c7d65		by the list of that time and the hosts of that digest
 *	1675985160 9f86d081884c7d65 2 1200	those of buckets 0 and 1, and 1,200 numbers of 2
 *
 * Without it they were never walked. A program with an older list of public suffixes leaves
 * articles that are listed by a newer one. After the hosts changed a walk begins a while later,
 * when no worker posts by the former ones any more. A walker that was killed is continued by any
 * other; several do no harm.
 */
#pragma once

#include "store/keys.h"
#include "store/store.h"

#define PUBLISHER_WALK_FIELD TEXT("listed")

/* Longer than any request lasts. */
enum { PUBLISHER_WALK_WAIT_MS = 30000 };

/* A walker belongs to a store, which outlives it. */
struct publisher_walk *publisher_walk_new(struct store *store, int64_t wait_ms);
void publisher_walk_free(struct publisher_walk *walk);

/* Does the next step, of a few milliseconds of Redis. STORE_ABSENT when there is nothing to do
 * for now. After STORE_DOWN the step can be repeated. */
STORE_CALL publisher_walk_step(struct publisher_walk *walk);

/* Whether a field says that all articles are listed; and whether it can be such a field. */
bool publisher_walk_is_complete(struct text field);
bool publisher_walk_is_state(struct text field);

/* Sets the publisher of one article: for a repair. STORE_ABSENT. */
STORE_CALL publisher_walk_article(
    struct store *store, struct arena *arena, struct post_id id);
