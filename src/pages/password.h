/*
 * Passwords, hashed and compared beside the worker's loop (base/background.h): each
 * takes some 20 ms and 19 MiB.
 *
 * HTTP_OK, or HTTP_UNAVAILABLE when too many others wait for the same.
 */
#pragma once

#include "pages/page.h"

/* crypto_password_hash of it. */
enum http_status password_hash(
    struct page *page, struct text password, struct text *hash);

/* crypto_password_fits of both. */
enum http_status password_compare(
    struct page *page, struct text hash, struct text password, bool *fits);
