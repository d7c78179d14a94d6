/*
 * One request on its way through a page, and what every page may use.
 *
 * A page is a function that returns its HTTP status. Before it runs, its row in
 * routes.h was found, the session loaded, and access, method, origin and token
 * checked. After it, a status from 400 on without a body becomes the form that
 * was sent, or an error page: `return HTTP_NOT_FOUND;` is a whole answer.
 */
#pragma once

#include "base/event.h"
#include "http/request.h"
#include "http/response.h"
#include "markup/hosts.h"
#include "store/session.h"
#include "store/settings.h"
#include "store/store.h"
#include "views/article_row.h"
#include "views/error.h"
#include "views/views.h"

/* What all requests of a worker share. */
struct app {
	struct store *store;
	const struct views *views;
	struct settings_known *settings;
	struct read_cache *read_cache; /* what was read; NULL keeps nothing */
	/* What was rendered; likewise. */
	struct cache *row_cache, *list_cache, *html_cache, *body_cache,
	    *comment_cache;
	struct vote_rings_cache *rings; /* NULL: they are found for each page */
	struct background *background;	/* NULL: nothing has one */
	size_t *
	    expensive; /* lists that are being read (lists/merge.h); likewise */
	struct text
	    origin; /* "https://example.org"; empty: whatever Host says */
	/* The style sheet of every page, and its version, another for each content. */
	struct text base_style, base_style_version;
	const struct password_file *breached; /* NULL: there is none */
};

/* Where the page of a request is: at its address; in the one above, which has the
 * action's form; or there is none. */
enum page_place { PLACE_NONE, PLACE_OWN, PLACE_PARENT };

struct page {
	struct store *store;
	struct arena *arena;
	const struct app *app;
	const struct request *request;
	struct response *response;
	struct user viewer;		 /* id 0 when nobody is signed in */
	const struct versions *versions; /* for the viewer; NULL: not read */
	int64_t now;	     /* Unix seconds; 0 when nobody is signed in */
	int64_t session_age; /* seconds since the viewer logged in */
	struct text token;   /* the session's; every form of a member has it */
	struct text form_token; /* in place of it where nobody is signed in */
	enum page_place place;
	struct text canonical; /* its path, where it is not the request's */
	struct settings_held *settings; /* by page_settings */
	const struct hosts *refused;	/* by page_refused_hosts */
	bool is_unstyled;		/* without the owners' style sheet */
	struct text detail; /* what happened, in place of the reason's words */
	struct pager_end end; /* of a list, when there was no such page */
	enum reason reason;   /* why it is not answered as it was meant */
	bool is_partial; /* shown without what is out of reach, which it says */
};

bool page_is_signed_in(const struct page *page);
bool page_is_moderator(const struct page *page);

/* Whether only the head is asked for: then nothing is rendered. */
bool page_is_head(const struct page *page);

/* Whether moderators look at what the viewer posts first. */
bool page_is_new(const struct page *page);

/* Why a new member cannot vote yet, in a sentence; empty when nothing keeps the viewer
 * from it. */
struct text page_vote_wait(struct page *page);

/* Renders a view into the response, unless only the head is asked for, and returns the
 * status. */
enum http_status page_show(struct page *page, enum http_status status,
    const struct view *view, const void *model);

/* The site's settings, as they are while this request is answered; and with the version
 * under which what follows from them may be kept. */
const struct settings *page_settings(struct page *page);
const struct settings_held *page_settings_held(struct page *page);

/* The hosts among them to which no link leads; NULL when there are none. */
const struct hosts *page_refused_hosts(struct page *page);

/* 303 to a local path. */
enum http_status page_redirect(struct page *page, struct text path);

/*
 * 301 to where this page is, with what is known of the query: on this site, or on that
 * of an origin. HTTP_URI_TOO_LONG when nobody could ask for that.
 */
#define PAGE_THIS_SITE TEXT("")
enum http_status page_move(
    struct page *page, struct text site, struct text path);

/* What was sent: of a POST the form, else the query. */
const struct pairs *page_sent(const struct page *page);

/* The return_to that was sent when it is a local path, else otherwise. */
struct text page_return_to(const struct page *page, struct text otherwise);

/* What the viewer does as a moderator, for a reason. */
struct mod_action mod_form_action(const struct page *page, struct text reason);

/* Logs what the viewer did, or whoever event->member says, in this request. */
void page_event(const struct page *page, struct event event);
void page_event_few(
    const struct page *page, struct event_limiter *mark, struct event event);

struct text page_article_path(const struct page *page, uint64_t article);

/* The post that the path names, in ":id" and perhaps ":comment". */
bool path_post_id(const struct page *page, struct post_id *id);

/* "https://example.org": as it is set, or else as the reader asked for it. */
struct text page_origin(const struct page *page);

/* Where the reader is, or was before a POST: a local path. */
struct text page_back(const struct page *page);

/* Who reads a line of a list. */
struct reader page_reader(struct page *page);

/* Whether a path leads to a page that is for whoever is not signed in. Nobody is
 * sent back there. */
bool page_is_account_path(struct text path);

/* The query's page, 1 without one; false when it is in no form of a number, or
 * has more than nine digits, which are more pages than Redis can hold lines. */
bool page_number(const struct page *page, uint64_t *number);

/* "from": the first of a page's entries to show, from 1, where their bytes took more than
 * one page; 1 when there is none. False when it is none that a link has. */
bool page_from(const struct page *page, uint64_t *from);

/* Notes why there is no other answer, and returns the reason's status. */
enum http_status page_refuse(struct page *page, enum reason reason);

/* The same, with a sentence of what happened. */
enum http_status page_refuse_for(
    struct page *page, enum reason reason, struct text detail);

/* There is no such page of a list: its address, and how many pages it has. */
enum http_status page_past_end(
    struct page *page, struct text base, uint64_t pages);

/* The same for a call of the store that failed. */
enum http_status page_failed(struct page *page, enum store_result result);

/* The same of a list, where STORE_LIMITED is no matter of who asks: too many expensive
 * ones are being read. */
enum http_status page_list_failed(struct page *page, enum store_result result);

/* Whether a page goes on after a call of the store: also without what that was to read,
 * when it is out of reach and the rest of the site is not, which the page then says. */
bool page_may_continue(struct page *page, enum store_result result);

/*
 * Counts one more of kind for the network that the request came from.
 * HTTP_TOO_MANY_REQUESTS when it is one too many: the answer says when to come back.
 */
enum http_status page_limit_network(struct page *page, enum limit kind);

/* The same for the viewer, where an action counts by itself what it does. */
enum http_status page_limit_viewer(struct page *page, enum limit kind);

/* So many bytes that the viewer is about to store. */
enum http_status page_limit_bytes(struct page *page, size_t bytes);

/* The same for a count that was one too many, or could not be made. */
enum http_status page_limited(
    struct page *page, enum store_result result, int64_t wait);

/* What happened and what to do, as far as is known of an answer with status. */
struct error_words page_explain(
    const struct page *page, enum http_status status);
enum http_status page_error(struct page *page, enum http_status status);

typedef enum http_status page_answer(struct page *page);
typedef enum http_status page_form(struct page *page, enum http_status status);

/* Every page there is: a row of the table declares its functions. */
#define PAGE(path, access, query, page)	    page_answer page;
#define ACTION(path, access, limit, action) page_answer action;
#define FORM(path, sees, sends, query, limit, form, action) \
	page_form form; \
	page_answer action;
#include "pages/routes.h"
