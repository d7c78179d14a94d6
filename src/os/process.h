/*
 * One child of the supervisor: how it is started, found stuck, and ended.
 *
 * A watched child has a pulse: a counter in memory shared with its parent. The
 * child increments it (process_heartbeat); when it stops changing, the child is stuck.
 */
#pragma once

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "os/privileges.h"

struct arena;

/* What a child does, beginning with process_init; it must not return. */
typedef void process_main(void *data);

struct process {
	const char *name;
	int stop_signal;
	process_main *run;
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
char *process_find_program(struct arena *arena, const char *name);

/* Starts it in a session of its own, with nothing to read from standard input and
 * with this signal mask. */
void process_start(struct process *child, const sigset_t *mask);

/* In the child: gives up root for good (os/privileges.h), and dies with its parent. */
void process_init(enum privileges_kept kept);

/* Logs that it ended, and decides when it may start again. */
void process_record_exit(struct process *child, int status);

/* Whether a watched child has beaten since it was started. */
bool process_is_alive(const struct process *child);

/* Asks it to end, unless it was asked before; process_check kills it after 10 s. */
void process_request_stop(struct process *child);

/*
 * To be called several times a second, with the milliseconds since the last
 * call: kills a child that is stuck, or that was asked to end and does not.
 */
void process_check(struct process *child, int64_t elapsed);

/* Asks it to end and waits until it has. */
void process_stop(struct process *child);

/* Frees the pulse of a child that does not run. */
void process_free(struct process *child);

/* In the child: shows that it is alive. Does nothing when it is not watched. */
void process_heartbeat(void);
