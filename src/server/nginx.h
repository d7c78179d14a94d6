/*
 * The nginx of `tally up`, whose files are in the site's folder.
 */
#pragma once

#include "os/supervisor.h"
#include "server/config.h"

struct nginx;

/*
 * Writes its configuration into the working directory. Logs and ends the process
 * when nginx is not installed or its address or port cannot be used. The result
 * lives in the arena, and has to outlive the supervisor.
 */
struct nginx *nginx_prepare(struct arena *arena, const struct config *config);

/* From now on it serves the files of these settings (server/assets.h), as they are
 * now; false, and logged, when it does not. */
bool nginx_copy_files(struct arena *arena, const struct config *config)
    __attribute__((warn_unused_result));

/* Starts it and waits until it serves a page; false when it does not. */
bool nginx_start(struct nginx *nginx, struct supervisor *supervisor);
