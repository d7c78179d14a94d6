/*
 * Processes that change a site meanwhile, until they are killed: each with a
 * connection of its own, in steps that the test may wait for. They die with the
 * test, however that ends.
 */
#pragma once

#include "world.h"

/*
 * One step, number from 0 on; seed is what busy_start was given, and the step's
 * to change. The arena is empty before each. False when the site failed, which
 * ends the process and fails the test.
 */
typedef bool busy_step(
    struct store *store, struct arena *arena, unsigned number, unsigned *seed);

struct busy {
	pid_t process;
	int steps; /* an eventfd that counts them */
};

struct busy busy_start(struct world *world, busy_step *step, unsigned seed);

/* Waits until so many more steps are done; the test fails after a minute. */
void busy_await(const struct busy *busy, uint64_t steps);

/* Kills it wherever it is. */
void busy_kill(struct busy *busy);
