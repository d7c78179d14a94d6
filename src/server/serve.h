/*
 * Running a site: `tally up`, all of it, and `tally serve`, the workers alone.
 * The functions read the settings themselves, and return the exit status.
 */
#pragma once

#include "base/text.h"

/* Whether the damaged end of Redis's file is cut off first: server/aof_repair.h. */
enum serve_repair { SERVE_NO_REPAIR, SERVE_REPAIR };

int serve_up(struct text folder, enum serve_repair repair);
int serve_workers(void);

/*
 * Writes the pages with which nginx answers what never reaches a worker into a
 * folder, one "STATUS.html" each. The folder is created if necessary.
 */
int serve_error_pages(struct text folder);
