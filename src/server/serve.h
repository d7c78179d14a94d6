/*
 * Running a site: `tally up`, all of it, and `tally serve`, the workers alone.
 * The functions read the settings themselves, and return the exit status.
 */
#pragma once

#include "base/text.h"

/* Whether to cut the damaged end off Redis's file first: server/aof_repair.h. */
enum serve_repair { SERVE_NO_REPAIR, SERVE_REPAIR };

int serve_up(struct text folder, enum serve_repair repair);
int serve_workers(void);

/*
 * Writes the pages with which nginx answers requests that never reach a worker into
 * a folder, one "STATUS.html" each. Creates the folder if necessary.
 */
int serve_error_pages(struct text folder);
