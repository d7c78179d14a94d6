/*
 * Processes that change a site until they are killed, each on its own connection, in
 * steps that the test may wait for. They are killed when the test
 * ends, even by a crash.
 */
#pragma once

#include "world.h"

/*
 * One step; numbers count from 0. seed has the value given to concurrent_writer_start,
 * and the step may change it. The arena is empty before each step. False means that
 * the site failed: it ends the process and fails the test.
 */
typedef bool concurrent_writer_step(
    struct store *store, struct arena *arena, unsigned number, unsigned *seed);

struct concurrent_writer {
	pid_t process;
	int steps; /* eventfd: the number of steps done */
};

struct concurrent_writer concurrent_writer_start(
    struct world *world, concurrent_writer_step *step, unsigned seed);

/* Waits until that many more steps are done; the test fails after a minute. */
void concurrent_writer_await(
    const struct concurrent_writer *writer, uint64_t steps);

/* Kills it, even in the middle of a step. */
void concurrent_writer_kill(struct concurrent_writer *writer);
