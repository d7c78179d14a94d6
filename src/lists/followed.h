/*
 * The groups that a member follows, from the cache if they have not changed.
 */
#pragma once

#include "lists/read_cache.h"
#include "store/follows.h"

/* Reads the names, in order: user.follows is as the session read it, and without groups this
 * reads nothing. Groups that were renamed or merged are found within a minute, and their
 * successors are then followed. now in Unix seconds. */
STORE_CALL followed_read(struct store *store, struct arena *arena,
    struct read_cache *cache, const struct user *user, int64_t now,
    struct text **groups, size_t *count);

/* Whether a group is among them. */
bool followed_has(const struct text *groups, size_t count, struct text group);
