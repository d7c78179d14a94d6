/*
 * Background processes that change a site until they are killed, each on its own
 * connection, in steps that the test may wait for. They are killed when the test
 * ends, even by a crash.
 */
#pragma once

#include "world.h"

/*
 * One step; numbers count from 0. seed has the value given to busy_start, and the
 * step may change it. The arena is empty before each step. False means that the
 * site failed: it ends the process and fails the test.
 */
typedef bool busy_step(
    struct store *store, struct arena *arena, unsigned number, unsigned *seed);

struct busy {
	pid_t process;
	int steps; /* eventfd: the number of steps done */
};

struct busy busy_start(struct world *world, busy_step *step, unsigned seed);

/* Waits for so many more steps; the test fails after a minute. */
void busy_await(const struct busy *busy, uint64_t steps);

/* Kills it, in the middle of a step as well. */
void busy_kill(struct busy *busy);
