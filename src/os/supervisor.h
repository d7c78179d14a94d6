/*
 * The parent of a site's processes: it starts them, restarts those that die, and
 * stops all of them in order.
 *
 * Every child runs in a session of its own, so that Ctrl-C reaches the supervisor
 * alone and a child nothing of the terminal, and dies with it. Workers are also watched,
 * and so may others be: one that is stuck for 10 s (os/process.h) is killed and
 * replaced.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "os/process.h"

struct supervisor;

/* Takes over SIGINT, SIGTERM, SIGHUP and SIGCHLD of this process. */
struct supervisor *supervisor_new(void);

/* Starts a child. Children are stopped in reverse order, with stop_signal. */
void supervisor_add(struct supervisor *supervisor, const char *name,
    int stop_signal, process_main *run, void *data);

/* Starts a child that is watched. One of that name is asked to end, and stops before the
 * new one, but does not keep that waiting. */
void supervisor_replace(struct supervisor *supervisor, const char *name,
    int stop_signal, process_main *run, void *data);

/*
 * Starts count workers, and once all of them run their loops asks the previous
 * ones to end: those have 10 s to finish their work. False when the new ones do
 * not come to life; then they are gone, and the previous ones carry on. Each call
 * needs data of its own, by which it knows its workers. In the order of stopping
 * they take the place of the first ones.
 */
bool supervisor_set_workers(
    struct supervisor *supervisor, size_t count, process_main *run, void *data);

/* Waits that long at most. True when a child has ended or a stop was requested:
 * whoever waits for children to get ready should give up. */
bool supervisor_wait_for_failure(
    struct supervisor *supervisor, int milliseconds);

/*
 * Bounds a log in the working directory that the child of that name writes: when it
 * has more than SUPERVISOR_LOG_MAX bytes it becomes NAME.1, in place of the one before,
 * and the child is sent the signal at which it opens another; 0 for one that does so
 * by itself. Both names live as long as the supervisor.
 */
enum { SUPERVISOR_LOGS = 4, SUPERVISOR_LOG_MAX = 16 * 1024 * 1024 };
void supervisor_rotate_log(struct supervisor *supervisor, const char *child,
    const char *name, int signal);

/* Lets SIGINT and SIGTERM end this process, and its children with it. */
void supervisor_restore_signals(const struct supervisor *supervisor);

enum supervisor_request {
	SUPERVISOR_STOP,  /* SIGINT or SIGTERM */
	SUPERVISOR_RELOAD /* SIGHUP */
};

/* Restarts what dies and keeps systemd's watchdog content, until something is
 * requested. */
enum supervisor_request supervisor_watch(struct supervisor *supervisor);

/* Stops every child, waits for it, and frees the supervisor. */
void supervisor_stop(struct supervisor *supervisor);
