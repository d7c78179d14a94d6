/*
 * The nginx of `tally up`, whose files are in the site's folder.
 */
#ifndef PROCESS_NGINX_H
#define PROCESS_NGINX_H

#include "process/config.h"
#include "process/supervisor.h"

struct nginx;

/*
 * Writes its configuration into the working directory. Ends the process with
 * one line when nginx, its address or its port cannot be had.
 */
struct nginx *nginx_prepare(struct arena *arena, const struct config *config);

/* Starts it and waits until it hands out a page; false when it does not. */
bool nginx_start(struct nginx *nginx, struct supervisor *supervisor);

void nginx_free(struct nginx *nginx);

#endif
