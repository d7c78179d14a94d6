/*
 * Passwords, hashed and compared beside the worker's loop (base/background.h): each
 * takes some 20 ms and 19 MiB.
 *
 * HTTP_OK, or HTTP_UNAVAILABLE when too many others wait for the same.
 */
#pragma once

#include "pages/form.h"

/* Judges a new password of the member with that name, and hashes it. The input is marked,
 * and nothing is hashed, when it is not good. */
enum http_status password_choose(struct page *page, struct input *password,
    struct text user, struct text *hash);

/* Whether it is that of user, who may be nobody (id 0); when it is not, that is an event.
 */
enum http_status password_compare(struct page *page, const struct user *user,
    struct text password, bool *fits);
