/*
 * Rights of the workers' user in Redis: the commands of workers and of the functions
 * that they call, one by one.
 *
 * A function that is refused a command ends in its middle, and what it has written
 * stays. So each is tried before workers start.
 */
#pragma once

#include "store/store.h"

/* The rights as an ACL rule, for all keys, since Redis is the site's alone: matching each
 * key with patterns took one instruction in thirty of a vote. */
struct text grant_rule(void);

/*
 * Checks that every master grants a user all of it; an empty one is the default user.
 * STORE_MISMATCH, with the line to run in why, when one does not. With the rights of an
 * administrator; a Redis that does not say so is taken to grant it.
 */
STORE_CALL grant_check(struct store *store, struct arena *arena,
    struct text user, struct text *why);
