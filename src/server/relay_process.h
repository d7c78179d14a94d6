/*
 * The process that tells members of comments: store/relay.h. It has what a worker has,
 * the workers' login to Redis and their sandbox, and no more.
 */
#pragma once

#include "os/supervisor.h"
#include "server/config.h"
#include "store/store.h"

/* What it runs with, which is to stay until another is started. */
struct relay_process {
	struct config *config;
	struct store *store; /* of an open site; without a connection */
};

/* Starts it, in place of the one that runs, if any does. */
void relay_process_start(
    struct supervisor *supervisor, struct relay_process *task);
