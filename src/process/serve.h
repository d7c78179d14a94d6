/*
 * Running a site: `tally up`, all of it, and `tally serve`, the workers alone.
 */
#ifndef PROCESS_SERVE_H
#define PROCESS_SERVE_H

#include "process/config.h"

struct arena;

/* Both return the status that the process ends with. */
int serve_up(struct arena *arena, struct config *config, struct text folder);
int serve_workers(struct arena *arena, struct config *config);

/*
 * Writes the pages with which nginx answers what never reaches a worker, one
 * "STATUS.html" each, into a folder.
 */
int serve_error_pages(
    struct arena *arena, const struct config *config, struct text folder);

#endif
