/*
 * The process that delivers notices of comments to inboxes (store/relay.h). Like a
 * worker it has the workers' login to Redis, and runs in their sandbox.
 */
#pragma once

#include "os/supervisor.h"
#include "server/config.h"
#include "store/store.h"

/* The data of the process; must stay valid until the next one is started. */
struct relay_process {
	struct config *config;
	struct store *store; /* of an open site; without a connection */
};

/* Starts it, in place of the running one, if any. */
void relay_process_start(
    struct supervisor *supervisor, struct relay_process *data);
