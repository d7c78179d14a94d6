/*
 * The groups that a member follows, at most FOLLOWS_MAX: the page /home is the list of articles
 * in any of them.
 *
 * user.follows is the number of changes, under which they are cached (lists/followed.h); 0 when
 * there never were any, so who follows nothing pays nothing. All keys are in the member's slot,
 * and a call costs one round trip.
 */
#pragma once

#include "redis/pipeline.h"
#include "redis/reply.h"
#include "store/store.h"

enum { FOLLOWS_MAX = 64 };

/* Follows a group, and no longer does. STORE_OK also when nothing changes. STORE_FULL when
 * FOLLOWS_MAX are followed already; STORE_ABSENT when there is no such member, or the account is
 * closed. Whether there is such a group is not asked. */
STORE_CALL follows_add(
    struct store *store, struct arena *arena, uint64_t user, struct text group);
STORE_CALL follows_remove(
    struct store *store, struct arena *arena, uint64_t user, struct text group);

/* Reads the names, in order. */
STORE_CALL follows_get(struct store *store, struct arena *arena, uint64_t user,
    struct text **groups, size_t *count);
void follows_ask(struct pipeline *pipeline, uint64_t user);
void follows_read(struct arena *arena, const struct reply *reply,
    struct text **groups, size_t *count);

/* A group was renamed or merged: its successor is followed instead. */
STORE_CALL follows_rename(struct store *store, struct arena *arena,
    uint64_t user, struct text group, struct text into);

/* Adds a group from a dump. The reply is for call_outcome: STORE_TAKEN when it is followed
 * already, or the account is closed; STORE_FULL as above. */
void follows_load(struct pipeline *pipeline, uint64_t user, struct text group);

/* Adds a command that checks what a member follows for `tally check` within the member's slot.
 * The reply is the names, as a list, and then sentences that say what is wrong. */
void follows_check(struct pipeline *pipeline, uint64_t user);
