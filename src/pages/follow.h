/*
 * Follows groups, and leaves them, for buttons on several pages.
 */
#pragma once

#include "pages/page.h"

/* The viewer follows the group of that name from now on, or no more; then the answer leads back
 * to where the form was. */
enum http_status follow_set(struct page *page, struct text name, bool follows);
