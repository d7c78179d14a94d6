/*
 * Checks the host of a request: every page has one address, at the site's origin. Without
 * an origin the site is served to its own machine only, so that no foreign DNS name
 * becomes an address of its pages.
 */
#pragma once

#include "pages/page.h"

/*
 * HTTP_OK when the request may be answered. HTTP_MOVED, with the location, for a GET at
 * another host or without the origin's https. Refused: such a POST and, without an origin,
 * everything that does not come from this machine.
 */
enum http_status host_check(struct page *page);
