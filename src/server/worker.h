/*
 * One worker: a loop that takes requests from nginx and answers them. Each
 * request runs in a fiber, until it waits for Redis; all requests that are ready
 * together thus share one write to Redis and one read.
 */
#pragma once

#include "pages/page.h"

/*
 * Serves requests from a listening socket that does not block, until SIGTERM.
 * Then it accepts no more connections, answers what still comes on the open ones
 * until nginx has closed them (fcgi_ask_close), and ends the process; after 5 s
 * it abandons idle ones. Beats (process_heartbeat) on every turn, unless
 * its background is stuck.
 */
_Noreturn void worker_run(const struct app *app, int listener);
