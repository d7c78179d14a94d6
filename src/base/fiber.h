/*
 * Fibers: functions that can stop in the middle and go on later.
 *
 * Each request runs in one, so that a page calls the store as if it waited for
 * the answer, while the worker serves others and sends the commands of all of
 * them to Redis together. A fiber runs until it yields or returns; nothing runs
 * beside it. Made of ucontext(3), with a guard page below each stack.
 */
#ifndef BASE_FIBER_H
#define BASE_FIBER_H

#include <stdbool.h>

struct fiber;

/*
 * Starts function(data) in a fiber and returns when it first yields or returns.
 * The stack is taken from those of fibers that ended, and given back to them.
 * Not to be called from inside a fiber.
 */
void fiber_start(void (*function)(void *data), void *data);

/* The fiber that is running; NULL outside of any. */
struct fiber *fiber_current(void);

/* Stops the running fiber until fiber_resume is called for it. */
void fiber_yield(void);

/* Lets a fiber that yielded go on, until it yields again or returns. */
void fiber_resume(struct fiber *fiber);

#endif
