/*
 * Checks that karma is the sum over the posts: the part of the check that needs many of
 * them at once.
 *
 * A sum over posts that were read one after the other differs from the karma as soon as
 * a vote comes in between. So a difference is summed again, inside Redis, some hundred
 * posts of the author a call; a vote on a post that is in the sum changes both. So it is
 * exact at every moment, and no call takes long, however much an author has posted. One
 * check at a time can do so on a master.
 */
#pragma once

#include "archive/check_keys.h"

/* Compares the shares of the check with the karma in Redis, reports differences, and
 * counts karmas, each of one member in one bucket. Sorts the shares. */
STORE_CALL karma_check(struct check *check);
