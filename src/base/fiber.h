/*
 * Fibers: cooperative threads of execution with stacks of their own.
 *
 * Each request runs in one, so that a page calls the store as if it blocked, while the
 * worker serves others and sends the commands of all of them to Redis together. A fiber
 * runs until it suspends itself, yields or returns, and no other runs at the same time.
 * There is a guard page below each stack.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct fiber;

/*
 * Starts function(data) in a fiber and returns when it first suspends or returns. Fibers
 * that have ended are reused. Must not be called inside a fiber.
 */
void fiber_start(void (*function)(void *data), void *data);

/* The running fiber; NULL outside of any. */
struct fiber *fiber_current(void);

/* A pointer of the running fiber's own, NULL at its start; for what all that it calls may ask
 * for, as the language of a request. Not outside of a fiber. */
void fiber_set_local(const void *local);
const void *fiber_local(void);

/* Stops the running fiber until fiber_resume is called for it. */
void fiber_suspend(void);

/* Continues a suspended fiber, until it suspends again or returns. */
void fiber_resume(struct fiber *fiber);

/*
 * Lets other fibers run if this one has run for FIBER_SLICE_US without a stop; for
 * calls between the parts of long work. The worker's loop calls fiber_resume_yielded
 * once a turn, and does not sleep while fiber_any_yielded. Does nothing outside of a
 * fiber.
 */
enum { FIBER_SLICE_US = 1000 };
void fiber_yield(void);
bool fiber_any_yielded(void);
void fiber_resume_yielded(void);

/* Has that loop continue a suspended fiber; what the caller does goes on first. */
void fiber_resume_later(struct fiber *fiber);

/* Frees the fibers that have ended and are kept for reuse. */
void fiber_trim(void);

/*
 * The processor time, in microseconds, that the running fiber has used since fiber_measure:
 * not that of others while it was suspended. Costs two system calls each time that the fiber
 * is resumed, until fiber_measured_us ends it. Outside of a fiber it is that of the thread.
 */
void fiber_measure(void);
int64_t fiber_measured_us(void);
