/*
 * Fibers: functions that can stop in the middle and go on later.
 *
 * Each request runs in one, so that a page calls the store as if it blocked,
 * while the worker serves others and sends the commands of all of them to Redis
 * together. Fibers are cooperative: one runs until it yields or returns, and
 * nothing runs at the same time. There is a guard page below each stack.
 */
#pragma once

#include <stdbool.h>

struct fiber;

/*
 * Starts function(data) in a fiber and returns when it first yields or returns.
 * Fibers that have ended are used again. Not to be called from inside a fiber.
 */
void fiber_start(void (*function)(void *data), void *data);

/* The running fiber; NULL outside of any. */
struct fiber *fiber_current(void);

/* Stops the running fiber until fiber_resume is called for it. */
void fiber_suspend(void);

/*
 * Lets others run when this fiber has run for FIBER_SLICE_US without a stop: to be called
 * between the parts of what takes long. The loop calls fiber_resume_yielded at the end of each
 * turn, and does not wait for anything while fiber_any_yielded. Outside of a fiber nothing
 * happens.
 */
enum { FIBER_SLICE_US = 1000 };
void fiber_yield(void);
bool fiber_any_yielded(void);
void fiber_resume_yielded(void);

/* Continues a fiber that yielded, until it yields again or returns. */
void fiber_resume(struct fiber *fiber);
