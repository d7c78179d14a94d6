/*
 * The process that answers requests for metrics (server/metrics.h) by HTTP. Like the relay it
 * has the workers' login to Redis, and runs in their sandbox.
 *
 * It cannot slow the workers: it reads their counters, asks Redis at most once a second,
 * and serves METRICS_CLIENTS connections at a time, for 2 s each; of more the oldest is
 * closed.
 */
#pragma once

#include "os/supervisor.h"
#include "server/config.h"
#include "server/metrics.h"

/* Connections that are served at a time, and that wait to be accepted. */
enum { METRICS_CLIENTS = 8, METRICS_BACKLOG = 128 };

/* The data of the process; must stay valid until the next one is started. */
struct metrics_process {
	struct config *config;
	struct metrics metrics; /* its store is without a connection */
	int listener;		/* -1: metrics are not served */
};

/* Starts it, and replaces one that is running. */
void metrics_process_start(
    struct supervisor *supervisor, struct metrics_process *data);
