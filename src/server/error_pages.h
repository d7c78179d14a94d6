/*
 * The pages with which nginx answers requests that never reach a worker.
 */
#pragma once

#include "pages/page.h"

/* Writes them into a folder, one "STATUS.html" each, with the views and the style of an
 * app. Creates the folder if necessary. False, and logged, on failure. */
bool error_pages_write(struct arena *arena, const struct app *app,
    struct text folder) __attribute__((warn_unused_result));
