/*
 * The parent of a site's processes: it starts them, starts those again that
 * die, and stops all of them in order.
 *
 * Every child runs in a process group of its own, so that Ctrl-C reaches the
 * supervisor alone, and dies with it. Workers are watched besides: one whose
 * pulse (process/pulse.h) stands still for 10 s is ended and replaced.
 */
#ifndef PROCESS_SUPERVISOR_H
#define PROCESS_SUPERVISOR_H

#include <stdbool.h>
#include <stddef.h>

#include "process/child.h"

struct supervisor;

/* Takes over SIGINT, SIGTERM, SIGHUP and SIGCHLD of this process. */
struct supervisor *supervisor_new(void);

/* Starts a child. They are stopped in reverse order, with stop_signal. */
void supervisor_add(struct supervisor *supervisor, const char *name,
    int stop_signal, child_run *run, void *data);

/*
 * Starts so many workers, and when all of them run their loops asks those that
 * there were before to end: they have 10 s to finish what they have. False when
 * the new ones did not come to life; then they are gone, and the old ones go
 * on. In the order of stopping they stay where the first ones stood.
 */
bool supervisor_set_workers(
    struct supervisor *supervisor, size_t count, child_run *run, void *data);

/* Waits that long; true when a child has ended or a stop is asked for, and so
 * whoever waits for the children to get ready should give up. */
bool supervisor_has_trouble(struct supervisor *supervisor, int milliseconds);

/* Lets SIGINT and SIGTERM end this process, and its children with it. */
void supervisor_pass_signals(const struct supervisor *supervisor);

enum supervisor_request {
	SUPERVISOR_STOP,  /* SIGINT or SIGTERM */
	SUPERVISOR_RELOAD /* SIGHUP */
};

/*
 * Starts again what dies, tells systemd that all is well, and returns when
 * something is asked for.
 */
enum supervisor_request supervisor_watch(struct supervisor *supervisor);

/* Stops every child, waits for it, and frees the supervisor. */
void supervisor_stop(struct supervisor *supervisor);

#endif
