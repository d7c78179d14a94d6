/*
 * One request on its way through a page, and what every page may use.
 *
 * A page is a function that returns its HTTP status. Before it runs, its row in
 * routes.h was found, the session loaded, and access, method, origin and token
 * checked. After it, a status from 400 on without a body becomes an error page.
 */
#ifndef PAGES_PAGE_H
#define PAGES_PAGE_H

#include "http/form.h"
#include "http/request.h"
#include "http/response.h"
#include "store/session.h"
#include "store/store.h"
#include "views/views.h"

/* What all requests of a worker share. */
struct app {
	struct store *store;
	const struct views *views;
	struct kept *kept;	    /* what was read; NULL keeps nothing */
	struct memo *lines, *pages; /* what was rendered; likewise */
	struct text
	    origin; /* "https://example.org"; empty: whatever Host says */
};

struct page {
	struct store *store;
	struct arena *arena;
	const struct app *app;
	const struct request *request;
	struct response *response;
	struct user viewer;		 /* id 0 when nobody is signed in */
	const struct versions *versions; /* for the viewer; NULL: not read */
	struct text token; /* the session's; every form of a member has it */
	struct text form_token; /* in place of it where nobody is signed in */
};

/* Answers a request, whatever it is. */
void page_serve(const struct app *app, struct arena *arena,
    struct request *request, struct response *response);

/* What a page's template shows around its model. */
struct frame page_frame(const struct page *page, struct text title);

bool page_is_signed_in(const struct page *page);
bool page_is_moderator(const struct page *page);

/* Renders a view into the response and returns the status. */
enum http_status page_show(struct page *page, enum http_status status,
    const struct view *view, struct text title, const void *model);

/* 303 to a local path. */
enum http_status page_redirect(struct page *page, struct text path);

/* The form's or query's return_to when it is a local path, else otherwise. */
struct text page_return_to(const struct page *page, struct text otherwise);

/* What a failed call of the store is to the reader; nothing was shown yet. */
enum http_status page_failed(enum store_result result);

/*
 * Counts one more of kind for who. HTTP_TOO_MANY_REQUESTS when it is one too
 * many: the answer says when to come back.
 */
enum http_status page_limit(
    struct page *page, enum limit kind, struct text who);

/* "Come back in 5 minutes.", with an answer that has such a time. */
struct text page_when_to_come_back(const struct page *page);

/* The page that says what happened and what to do. */
enum http_status page_error(struct page *page, enum http_status status);

/* Shows a form's fields with the values and problems it has. */
struct form_model page_form(const struct page *page, const struct form *form,
    const void *values, const struct text *problems);

/*
 * A page with a form for somebody who is not signed in: its token is kept in a
 * cookie of its own, which this sets when there is none.
 */
void page_use_form_cookie(struct page *page);

/* Takes up a session in the reader's browser, or takes it away. */
void page_set_session(struct page *page, struct text cookie);
struct text page_session_cookie(const struct page *page);

typedef enum http_status page_answer(struct page *page);
typedef enum http_status page_refusal(
    struct page *page, enum http_status status);

#define PLAINLY page_error

/* Every page there is: a row of the table declares its functions. */
#define ROUTE(method, path, access, limit, page, refused) \
	page_answer page; \
	page_refusal refused;
#include "pages/routes.h"
#undef ROUTE

#endif
