/*
 * The pages with which nginx answers what never reaches a worker.
 */
#ifndef PROCESS_ERROR_PAGES_H
#define PROCESS_ERROR_PAGES_H

#include "views/views.h"

/*
 * Writes one "STATUS.html" each into the folder, which is made if need be. Each
 * is the old page or the new one at any moment. False, after a line that says
 * why, when one cannot be written.
 */
bool error_pages_write(
    struct arena *arena, const struct views *views, struct text folder);

#endif
