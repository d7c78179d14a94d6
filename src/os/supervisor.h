/*
 * The parent of a site's processes: starts them, restarts those that die, and stops
 * all of them in order.
 *
 * Every child process runs in a session of its own, so that Ctrl-C reaches only the
 * supervisor and no child depends on the terminal; each dies with the supervisor.
 * Workers are watched, and so is what supervisor_replace starts: a process that is
 * stuck for 10 s (os/process.h) is killed and restarted.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "os/process.h"

struct supervisor;

/* Blocks SIGINT, SIGTERM, SIGHUP and SIGCHLD, which the supervisor handles from now on. */
struct supervisor *supervisor_new(void);

/* Starts a process. Processes are stopped in reverse order, with stop_signal. */
void supervisor_add(struct supervisor *supervisor, const char *name,
    int stop_signal, process_main *run, void *data);

/* Starts a watched process. If one of that name exists, asks it to stop, without waiting,
 * and takes its place in the order of stopping. */
void supervisor_replace(struct supervisor *supervisor, const char *name,
    int stop_signal, process_main *run, void *data);

/*
 * Starts count workers and, once all of them run their loops, asks the previous ones to
 * end, which have 10 s to finish their work. False when the new ones do not start:
 * then they are killed, and the previous ones continue. data tells the workers of one
 * call from those of another, so each call needs its own. In the order of stopping
 * new workers take the place of the old ones.
 */
bool supervisor_set_workers(
    struct supervisor *supervisor, size_t count, process_main *run, void *data);

/* For callers that wait for a process to get ready. Waits at most so many milliseconds;
 * true when a process has ended or a stop was requested, so that they give up. */
bool supervisor_wait_for_failure(
    struct supervisor *supervisor, int milliseconds);

/*
 * Rotates a log in the working directory that the named process writes: when it exceeds
 * SUPERVISOR_LOG_MAX bytes it is renamed to NAME.1, replacing the previous one, and
 * the process is sent the signal at which it reopens its log; 0 for a process that
 * reopens it at every line. The strings must outlive the supervisor.
 */
enum { SUPERVISOR_LOGS = 4, SUPERVISOR_LOG_MAX = 16 * 1024 * 1024 };
void supervisor_rotate_log(struct supervisor *supervisor, const char *process,
    const char *name, int signal);

/* Restores the signal mask: SIGINT and SIGTERM end this process, and its children with
 * it. */
void supervisor_restore_signals(const struct supervisor *supervisor);

enum supervisor_request {
	SUPERVISOR_STOP,  /* SIGINT or SIGTERM */
	SUPERVISOR_RELOAD /* SIGHUP */
};

/* Restarts processes that die, rotates logs and pings systemd's watchdog, until a
 * signal requests something. */
enum supervisor_request supervisor_watch(struct supervisor *supervisor);

/* Stops every process, waits for it, and frees the supervisor. */
void supervisor_stop(struct supervisor *supervisor);
