/*
 * The site's cookies: the session, a log-in that waits for a second factor, the secret of visitors'
 * forms, a note for the next page, a one-time link to come back to, the announcement that a visitor
 * has dismissed, the proof that this browser has logged in as a member before, and the name under
 * which a visitor's expensive pages are counted.
 */
#pragma once

#include "base/text.h"
#include "http/status.h"
#include "store/store.h"

struct page;
struct user;

/* Sets page->form_token for a visitor's form, from a cookie that this sets when the
 * browser has none. */
void cookie_use_form(struct page *page);

/*
 * The same for a form that is shown again because the session has ended: its token is
 * valid in the next session of this browser, and only for such forms.
 */
void cookie_use_next_session(struct page *page);
bool cookie_was_for_next_session(const struct page *page, struct text token);

/*
 * A note of what was just done, for the page that the reader is redirected to, which shows
 * it once. cookie_take_note is true when the browser has that note, and clears it.
 */
#define NOTE_PASSWORD	TEXT("password")
#define NOTE_ENDED	TEXT("ended")  /* the session, before the POST */
#define NOTE_CLOSED	TEXT("closed") /* the account */
#define NOTE_LOG_IN	TEXT("log-in") /* with what was just saved */
#define NOTE_SITE	TEXT("site")
#define NOTE_APPLIED	TEXT("applied")
#define NOTE_REPEATED	TEXT("repeated-")  /* and the article's id */
#define NOTE_REGISTERED TEXT("registered") /* to offer recovery codes */
#define NOTE_FACTOR_OFF TEXT("factor-off")
#define NOTE_OWNER	TEXT("owner") /* whom a link has made the owner */
/* A choice in settings. */
#define NOTE_FRONT    TEXT("front")
#define NOTE_HOT      TEXT("hot")
#define NOTE_LANGUAGE TEXT("language")
#define NOTE_SCORES   TEXT("scores")
void cookie_set_note(struct page *page, struct text note);
bool cookie_take_note(struct page *page, struct text note);
bool cookie_has_note(const struct page *page, struct text note);
/* page_finish, with a note if the change was saved. */
enum http_status cookie_finish(struct page *page, enum store_result result,
    struct text note, struct text target);

/* The code of a one-time link, for as long as that is valid; an empty one clears it. */
void cookie_set_link(struct page *page, struct text code);
struct text cookie_link(const struct page *page);

/* Notes which announcement a visitor has dismissed: nginx reads it, and requests say it
 * (struct request, variant). */
void cookie_set_dismissed(struct page *page, int64_t announced);

/*
 * A random name that the site has signed, for a day (pages/visitors.h):
 * empty when the request has none, or an old one. It is derived from nothing.
 */
struct text cookie_visit(const struct page *page);
void cookie_set_visit(struct page *page);

/* The session's cookie; an empty one clears it. */
void cookie_set_session(struct page *page, struct text cookie);
struct text cookie_session(const struct page *page);

/*
 * The id of a browser that has logged in as the member before, signed by the site (OWASP,
 * "Slow down online guessing attacks with device cookies"). Empty when it has not, or not
 * since the member chose a new password or logged out everywhere else
 * (user->distrusted). It is no session, and grants nothing but a limit of its own.
 */
struct text cookie_device(const struct page *page, const struct user *user);
void cookie_set_device(struct page *page, const struct user *user);

/*
 * The proof that this browser was sent the password of a member who has a second factor, for
 * ten minutes in which that is asked for. cookie_login_member is the member's id, 0 when the
 * browser has none; cookie_login_is_valid then checks it, with the member's record: a new
 * password ends it, as logging out everywhere else does.
 */
void cookie_set_login(struct page *page, const struct user *user);
void cookie_end_login(struct page *page);
uint64_t cookie_login_member(const struct page *page);
bool cookie_login_is_valid(const struct page *page, const struct user *user);
