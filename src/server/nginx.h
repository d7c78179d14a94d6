/*
 * The nginx of `tally up`, whose files are in the site's folder.
 */
#pragma once

#include "os/supervisor.h"
#include "server/config.h"

struct nginx;

/*
 * Writes nginx's configuration into the working directory. Logs and ends the process
 * when nginx is not installed or its address or port cannot be used. The result is in
 * the arena, which must outlive the supervisor.
 */
struct nginx *nginx_prepare(struct arena *arena, const struct config *config);

/* Copies the files that nginx serves from the folders of the settings
 * (server/assets.h); false, and logged, on failure. */
bool nginx_copy_files(struct arena *arena, const struct config *config)
    __attribute__((warn_unused_result));

/* Starts nginx and waits until it serves a page; false after 15 s, or when a process
 * ends or a stop is requested meanwhile. */
bool nginx_start(struct nginx *nginx, struct supervisor *supervisor);
