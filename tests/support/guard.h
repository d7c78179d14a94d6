/*
 * Tally's functions under watch: a library that does what the program's does, and fails
 * a call that touches a key which it has not asked for before its first write.
 *
 * In a slot that moves, a command on a key that is at the other node ends a function
 * where it is. A function is whole if it asks, with all_here, for every key beside its
 * own first one that it reads or writes, and asks for nothing new once it has written.
 * Every world runs the watched library, so each test of a function is a test of this.
 */
#pragma once

#include "base/text.h"
#include "redis/redis.h"

/* The text of a library with the watch in it; its version stays. Every block of its
 * functions notes that it was reached. */
struct text guard_library(struct arena *arena, struct text library);

/* Replaces the library that is loaded, at every master, by its watched form. */
void guard_functions(struct redis *redis, struct arena *arena);

/* A block of a function, or all of one: parts of the lines that open them. */
struct guard_block {
	const char *function, *block; /* block NULL: all */
};

/*
 * The blocks that were never reached on any of the nodes, each with its function's first
 * line; empty when all were. Left out are those that only return, and those elsewhere,
 * up to a row of NULL.
 */
struct text guard_unreached(struct redis *const *nodes, size_t count,
    const struct guard_block *elsewhere, struct arena *arena);
