/*
 * What the site keeps in a reader's browser: the session, the secret of a form for
 * somebody who has none, a note of what was just done, and as whom it has logged in.
 */
#pragma once

#include "base/text.h"

struct page;
struct user;

/*
 * A page with a form for somebody who is not signed in: its token is kept in a
 * cookie of its own, which this sets when there is none.
 */
void cookie_use_form(struct page *page);

/*
 * A form that is shown again because the session has ended: its token is good in the
 * next session of this browser, and for no other form than such a one.
 */
void cookie_use_next_session(struct page *page);
bool cookie_was_for_next_session(const struct page *page, struct text token);

/*
 * What was just done, for the page that the reader is sent to: it is shown there
 * once. cookie_take_note says whether there is such a note, and takes it away.
 */
#define NOTE_PASSWORD TEXT("password")
#define NOTE_ENDED    TEXT("ended")  /* the session, before what was asked */
#define NOTE_CLOSED   TEXT("closed") /* the account */
#define NOTE_SITE     TEXT("site")
#define NOTE_REPEATED TEXT("repeated-") /* and the article's id */
void cookie_set_note(struct page *page, struct text note);
bool cookie_take_note(struct page *page, struct text note);

/* Takes up a session in the reader's browser, or takes it away. */
void cookie_set_session(struct page *page, struct text cookie);
struct text cookie_session(const struct page *page);

/*
 * The name of this browser as one that has logged in as the member before (OWASP, "Slow
 * down online guessing attacks with device cookies"), signed by the site. Empty when it
 * has not, or not since the member chose a new password or logged out everywhere else
 * (user->distrusted). It is no session, and says nothing but that.
 */
struct text cookie_device(const struct page *page, const struct user *user);
void cookie_set_device(struct page *page, const struct user *user);
