/*
 * One worker: a loop that takes requests from nginx and answers them. Each
 * request runs in a fiber until it waits for Redis; the requests that are ready
 * together thus share one write to Redis and one read.
 */
#ifndef PROCESS_WORKER_H
#define PROCESS_WORKER_H

#include "pages/page.h"

/*
 * Serves requests from a listening socket that does not block, until SIGTERM.
 * Then it takes no more connections, answers what comes on those that it has
 * until nginx has closed them (fcgi_ask_close), and the process ends; after 5 s it
 * leaves idle ones as they are. Beats its pulse (process/pulse.h) in every
 * turn.
 */
_Noreturn void worker_run(const struct app *app, int listener);

#endif
