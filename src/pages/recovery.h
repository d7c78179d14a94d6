/*
 * Recovery codes, for the pages that show new ones.
 */
#pragma once

#include "pages/page.h"
#include "store/recovery.h"

/* New codes as a page shows them, once: a list with one struct new_codes_model. */
struct mustache_list recovery_show_codes(
    const struct page *page, const struct recovery_codes *codes);
