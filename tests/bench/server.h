/*
 * The FastCGI side of the programs that Tally is compared with: processes and
 * connections as in server/worker.c, but each request is answered at once,
 * with no fibers and no Redis in the loop.
 */
#pragma once

#include "base/arena.h"
#include "http/request.h"
#include "http/response.h"

/* Fills in a response that is all zero. */
typedef void server_answer(void *data, struct arena *arena,
    const struct request *request, struct response *response);

/*
 * Serves from a unix socket at path with that many processes, until a signal
 * ends it, and its processes with it. What data points to is copied into
 * each of them by the fork.
 */
_Noreturn void server_run(
    const char *path, int workers, server_answer *answer, void *data);
