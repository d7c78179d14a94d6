/*
 * The processes of search: one that writes the index of this machine (search/writer.h), and
 * readers that answer workers (search/reader.h), as many as half of the CPUs. They run in the
 * sandbox of sandbox_enter_folder; the writer has the workers' login to Redis.
 *
 * Search must never keep a site from starting: without a folder or a socket it is away.
 */
#pragma once

#include "os/supervisor.h"
#include "search/state.h"
#include "server/config.h"
#include "store/store.h"

/* The data of the processes; must stay valid until the next ones are started. */
struct search_process {
	struct config *config;
	struct store *store; /* of an open site; without a connection */
	struct search_state *state;
	struct text folder; /* of the index; empty: no search */
	int listener;	    /* -1: no search */
};

enum { SEARCH_BACKLOG = 128 };

/* Whether there is a folder and a socket. */
bool search_process_is_wanted(const struct search_process *data);

/* Starts them, in place of those that run, if any. */
void search_process_start(
    struct supervisor *supervisor, struct search_process *data);
