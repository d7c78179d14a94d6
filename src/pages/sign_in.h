/*
 * Logging in, whichever form it follows: that of logging in, of registering, of a second factor, or
 * of recovery.
 */
#pragma once

#include "pages/page.h"

extern const struct second_factor sign_in_without_factor;

/*
 * Starts a session of a member whose password was verified, with that record, and sets its
 * cookies: as session_start. Always a new one, so that a session that was planted in this
 * browser is not used (session fixation). The browser's present session ends then, and goes on if
 * there is no new one.
 */
STORE_CALL sign_in(struct page *page, const struct user *user,
    const struct second_factor *factor);

/* The answer after that: to where the reader came from; with STORE_FACTOR to the form for
 * the second factor; else a refusal. */
enum http_status sign_in_finish(
    struct page *page, const struct user *user, enum store_result result);

/* The answer after an account or a password was saved, if no session could be started: to the form
 * for logging in, which says so. Sending the former form again would be refused. */
enum http_status sign_in_later(struct page *page);

/* "return_to=%2F&up=7": where the reader came from and what for, which the links between the
 * pages before logging in carry on; and the redirect there. */
struct text sign_in_purpose(const struct page *page);
enum http_status sign_in_go_on(struct page *page);
