/*
 * An instrumented library of Redis functions: it works like the program's, and fails a
 * call that touches a key which was not checked with require_keys before the first write.
 *
 * While Redis Cluster moves a slot, a command on a key that has moved already aborts the
 * function in the middle. A function is atomic nevertheless if it calls require_keys for
 * every key besides its first that it reads or writes, before its first write. Every
 * world loads the instrumented library, so every test of a function tests this as well.
 */
#pragma once

#include "base/text.h"
#include "redis/redis.h"

/* Instruments a library without changing its version. Every block of its functions
 * also records that it was reached. */
struct text instrument_library(struct arena *arena, struct text library);

/* Instruments the loaded library on every master. */
void instrument_functions(struct redis *redis, struct arena *arena);

/* A block of a function, or a whole function, by parts of their first lines. */
struct instrument_block {
	const char *function, *block; /* block NULL: all */
};

/*
 * Lists the blocks that no node has reached, each with its function's first line; empty
 * when all were reached. Blocks that only return are left out, and those of elsewhere,
 * which ends with a row of NULL.
 */
struct text instrument_unreached(struct redis *const *nodes, size_t count,
    const struct instrument_block *elsewhere, struct arena *arena);
