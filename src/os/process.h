/*
 * A child process of the supervisor: starting it, noticing that it hangs, ending it.
 *
 * A watched process has a heartbeat: a counter in memory shared with its parent, which
 * it increments (process_heartbeat). If the counter does not change for 10 s, the
 * process is stuck and is killed.
 */
#pragma once

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "os/privileges.h"

struct arena;
struct counters;

/* The main function of a child process; begins with process_init, must not return. */
typedef void process_main(void *data);

struct process {
	const char *name;
	int stop_signal;
	process_main *run;
	void *data;
	bool watched;
	bool is_worker; /* one of several with the same data, which count */
	/* Read only outside of process.c: */
	struct counters *counters; /* of a worker (base/counters.h), or NULL */
	atomic_uint *heartbeat;
	pid_t pid; /* 0 while it is not running */
	int64_t started_at, restart_at;
	unsigned last_heartbeat; /* at the last process_check */
	int64_t unchanged_ms;	 /* since the heartbeat changed */
	bool stopping;		 /* asked to end, and not to be restarted */
	int64_t kill_at;
};

/*
 * The path of a program, searched in PATH and then in /usr/sbin, where servers are; if it
 * is in none of these, that of the other program, which may be NULL. Logs and ends the
 * process when neither is installed.
 */
char *process_find_program(
    struct arena *arena, const char *name, const char *other);

/* Forks it into a session of its own, with /dev/null as standard input and with this
 * signal mask. */
void process_start(struct process *process, const sigset_t *mask);

/* In the child: gives up root permanently (os/privileges.h), and arranges to be sent
 * SIGTERM when the parent dies. */
void process_init(enum privileges retained);

/* Logs the exit status, and sets the time of the earliest restart. */
void process_record_exit(struct process *process, int status);

/* Whether a watched process has sent a heartbeat since it was started. */
bool process_is_alive(const struct process *process);

/* Sends the stop signal, once; process_check kills it 10 s later. */
void process_request_stop(struct process *process);

/*
 * Kills a process that is stuck, or that did not end in time when asked to. To be called
 * several times a second, with the milliseconds since the last call.
 */
void process_check(struct process *process, int64_t elapsed);

/* Stops it and waits until it has ended. */
void process_stop(struct process *process);

/* Frees the heartbeat of a process that is not running, and releases its counters. */
void process_free(struct process *process);

/* In the child: reports that it is alive. Does nothing when it is not watched. */
void process_heartbeat(void);
