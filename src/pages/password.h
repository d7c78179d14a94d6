/*
 * Passwords, hashed and compared beside the worker's loop (base/background.h): each
 * takes some 20 ms and 19 MiB.
 *
 * The functions return HTTP_OK, or HTTP_UNAVAILABLE when too many jobs wait already.
 */
#pragma once

#include "pages/form.h"

/* Checks a new password of the member with that name, and hashes it. A bad one is not
 * hashed; its input is marked. */
enum http_status password_choose(struct page *page, struct input *password,
    struct text user, struct text *hash);

/* Compares a password with that of user, who may have id 0: then it takes as long, and
 * never fits. One that does not fit is logged as an event. */
enum http_status password_compare(struct page *page, const struct user *user,
    struct text password, bool *fits);

/* Compares the viewer's, whose record *user is set to; marks an input that does not fit. */
enum http_status password_check_viewer(
    struct page *page, struct input *password, struct user *user);

/*
 * Some actions need the password again (ASVS 5.0, 7.5.3 and 8.3.1) when the viewer logged
 * in longer ago than PASSWORD_FRESH_SECONDS: HTTP_FORBIDDEN unless the form has it.
 */
enum { PASSWORD_FRESH_SECONDS = 900 };
bool password_is_needed(const struct page *page);
enum http_status password_confirm(struct page *page);

/* The same however lately the viewer logged in. */
enum http_status password_ask(struct page *page);
