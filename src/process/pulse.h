/*
 * The pulse of a child: a count that it raises and its parent watches, in
 * memory that both share. One that stands still shows a child that is stuck.
 */
#ifndef PROCESS_PULSE_H
#define PROCESS_PULSE_H

#include <stdatomic.h>

struct pulse {
	atomic_uint beats;
};

/* In the parent. It begins at 0. */
struct pulse *pulse_new(void);
void pulse_free(struct pulse *pulse);

/* In the child: from now on pulse_beat means this one; NULL: none. */
void pulse_take(struct pulse *pulse);

/* Does nothing in a process that has no pulse. */
void pulse_beat(void);

#endif
