/*
 * The main loop of a worker process, which answers requests from nginx. Each request
 * runs in a fiber until it waits for Redis; so all requests that are ready at the same
 * time share one write to Redis and one read.
 */
#pragma once

#include "pages/page.h"

/*
 * Serves requests from a non-blocking listening socket until SIGTERM. Then it stops
 * accepting connections, answers the requests on the open ones until nginx has closed
 * them (fcgi_ask_close), for at most 5 s if they are idle, and ends the process.
 * Sends a heartbeat on every turn, unless the background thread is stuck.
 */
_Noreturn void worker_run(const struct app *app, int listener);
