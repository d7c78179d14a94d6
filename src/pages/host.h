/*
 * Where a request was sent: the site has one address, that of its origin, and every
 * page is there alone. Without an origin it is served to its own machine only, so
 * that no name that somebody else's DNS leads here becomes an address of its pages.
 */
#pragma once

#include "pages/page.h"

/*
 * HTTP_OK where the request may be answered. HTTP_MOVED, with the location, for what
 * was asked for by another host or without the origin's https; a form that was sent
 * so is refused, and so is everything that comes by a name while there is no origin.
 */
enum http_status host_check(struct page *page);
