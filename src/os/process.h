/*
 * One child of the supervisor: how it is started, found stuck, and ended.
 *
 * A watched child has a pulse: a counter in memory shared with its parent. The
 * child increments it (child_beat); when it stops changing, the child is stuck.
 */
#pragma once

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "os/privileges.h"

struct arena;

/* What a child does, beginning with child_settle; it must not return. */
typedef void child_run(void *data);

struct child {
	const char *name;
	int stop_signal;
	child_run *run;
	void *data;
	bool watched;
	bool is_worker; /* one of several with the same data */
	/* Below: child.c's own, but for the reading. */
	atomic_uint *pulse;
	pid_t pid; /* 0 while it does not run */
	int64_t started, start_at;
	unsigned beats; /* the pulse when last looked at */
	int64_t still;	/* milliseconds since it changed */
	bool leaving;	/* was asked to end, and is not started again */
	int64_t kill_at;
};

/*
 * The path of a program in PATH or, where servers are, in /usr/sbin. Logs and
 * ends the process when it is not installed.
 */
char *child_program(struct arena *arena, const char *name);

/* Starts it in a session of its own, with nothing to read from standard input and
 * with this signal mask. */
void child_start(struct child *child, const sigset_t *mask);

/* In the child: gives up root for good (os/privileges.h), and dies with its parent. */
void child_settle(enum rights_kept kept);

/* Logs that it ended, and decides when it may start again. */
void child_note_end(struct child *child, int status);

/* Whether a watched child has beaten since it was started. */
bool child_is_alive(const struct child *child);

/* Asks it to end, unless it was asked before; child_look kills it after 10 s. */
void child_leave(struct child *child);

/*
 * To be called several times a second, with the milliseconds since the last
 * call: kills a child that is stuck, or that was asked to end and does not.
 */
void child_look(struct child *child, int64_t elapsed);

/* Asks it to end and waits until it has. */
void child_stop(struct child *child);

/* Frees the pulse of a child that does not run. */
void child_free(struct child *child);

/* In the child: shows that it is alive. Does nothing when it is not watched. */
void child_beat(void);
