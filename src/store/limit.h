/*
 * Rate limits: so many an hour, which begins with the first. What comes after
 * them waits until the hour is over, which trying again does not prolong.
 *
 * A count is one key, and plain commands: those of a member's limits share the
 * round trip of the session.
 */
#pragma once

#include "redis/pipeline.h"
#include "store/store.h"

/* Whether a kind is limited at all. */
bool limit_is_set(const struct store *store, enum limit kind);

/* The key under which somebody is counted: a member, by id; or anybody else, by an
 * address or a name. */
struct text limit_of_member(
    struct arena *arena, enum limit kind, uint64_t user);
struct text limit_of(struct arena *arena, enum limit kind, struct text who);

/* Counts one more, with one command, to whose reply the next two refer. */
void limit_ask(struct pipeline *pipeline, struct text key);

/* Adds what lets the hour end, if this was its first. */
void limit_begin(
    struct pipeline *pipeline, struct text key, const struct reply *reply);

/*
 * STORE_LIMITED when that was one too many; *wait is then the number of seconds
 * until the next is allowed.
 */
STORE_CALL limit_judge(struct store *store, struct arena *arena,
    enum limit kind, struct text key, const struct reply *reply, int64_t *wait);

/* All of it, in round trips of its own. */
STORE_CALL limit_take(struct store *store, struct arena *arena, enum limit kind,
    struct text key, int64_t *wait);

/*
 * An address as limits count it: IPv6 by its first 64 bits, which a subscriber
 * has to itself.
 */
struct text limit_address(struct arena *arena, struct text address);
