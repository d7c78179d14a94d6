/*
 * One request while a page answers it, and what every page may use.
 *
 * A page is a function that returns its HTTP status. Before it runs, dispatch has found
 * its row in routes.h, loaded the session and the settings, and checked access, method,
 * origin and token. A status from 400 on without a body becomes the form that was sent,
 * or an error page: `return HTTP_NOT_FOUND;` is a whole answer.
 */
#pragma once

#include "base/event.h"
#include "http/request.h"
#include "http/response.h"
#include "markup/hosts.h"
#include "pages/vote_request.h"
#include "store/session.h"
#include "store/settings.h"
#include "store/store.h"
#include "views/article_row.h"
#include "views/error.h"
#include "views/views.h"

/* What all requests of a worker share. A NULL cache is always empty. */
struct app {
	struct store *store;
	const struct views *views;
	struct settings_cache *settings;
	struct read_cache *read_cache; /* what was read from Redis */
	struct cache *row_cache;       /* HTML of a list's rows, for members */
	struct cache *list_cache;      /* of whole lists, for visitors */
	struct cache *html_cache;      /* of texts outside of threads */
	struct cache *body_cache;      /* of comments' texts, with the author */
	struct cache *comment_cache;   /* of comments, for members */
	struct vote_rings_cache *rings; /* NULL: found anew for each page */
	struct background *background;	/* NULL: jobs run at once */
	size_t *expensive;  /* how many lists of that kind are being read
			      (lists/merge.h); NULL: not counted */
	struct text origin; /* "https://example.org"; empty: served to this
			       machine only */
	struct text base_style, base_style_version; /* of every page */
	const struct password_file *breached;	    /* NULL: none */
};

/* The address of the page that a request belongs to: its own; for an action, the one
 * above, which has its form; or none. */
enum page_place { PLACE_NONE, PLACE_OWN, PLACE_PARENT };

struct page {
	struct store *store;
	struct arena *arena;
	const struct app *app;
	const struct request *request;
	struct response *response;
	struct user viewer;	/* id 0 when nobody is signed in */
	int64_t now;		/* Unix seconds; 0 when nobody is signed in */
	int64_t session_age;	/* seconds since the viewer logged in */
	struct text token;	/* the session's; in every form of a member */
	struct text form_token; /* of visitors' forms, in its place */

	/* By page_load_settings: versions is NULL when Redis does not answer, and
	 * settings are then those known last. */
	const struct versions *versions;
	const struct settings *settings;
	struct settings_snapshot *settings_held;
	const struct hosts *refused; /* by page_refused_hosts */

	/* By the row's prepare function. */
	enum http_status prepared;
	struct vote_request vote; /* of article 0: none was sent */

	enum page_place place;
	struct text canonical; /* the page's path, unless the request's */
	bool is_unstyled;      /* without the owners' style sheet */
	bool is_partial;       /* without what is out of reach, which it says */

	/* For the error page: why; a sentence in place of the reason's; and the end of
	 * the list that has no such page. */
	enum reason reason;
	struct text detail;
	struct pager_end end;
};

bool page_is_signed_in(const struct page *page);
bool page_is_moderator(const struct page *page);

/* Whether only the head is asked for: then nothing is rendered. */
bool page_is_head(const struct page *page);

/* Whether moderators look at what the viewer posts first. */
bool page_is_new(const struct page *page);

/* From when on the viewer may vote, in Unix seconds: 0 unless new members have to wait.
 * page_vote_wait is the sentence that says so; empty when there is no wait. */
int64_t page_votes_from(const struct page *page);
bool page_may_vote(const struct page *page);
struct text page_vote_wait(const struct page *page);

/* Renders a view into the response, unless only the head is asked for, and returns the
 * status. */
enum http_status page_show(struct page *page, enum http_status status,
    const struct view *view, const void *model);

/*
 * Reads the versions, unless the session's round trip did, and the settings that the site
 * has at that moment: once for the whole request. dispatch calls it before any page but
 * those for ANY_HOST and PUBLIC, which call it themselves if they need it.
 */
void page_load_settings(struct page *page);
void page_release_settings(struct page *page);

/* The hosts among the settings that links are refused to; NULL when there are none. */
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

/* "/login", which leads back to where the reader is; of a vote, with the vote. */
struct text page_login_path(const struct page *page);

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

/* The functions of a row (pages/routes.h). */
typedef enum http_status page_prepare(struct page *page);
typedef enum http_status page_answer(struct page *page);
typedef enum http_status page_form(struct page *page, enum http_status status);

/* A row of the table declares its functions. */
#define PAGE(path, access, query, page)	    page_answer page;
#define ACTION(path, access, limit, action) page_answer action;
#define FORM(path, sees, sends, query, limit, form, action) \
	page_form form; \
	page_answer action;
#define PREPARED_ACTION(path, access, limit, prepare, action) \
	page_prepare prepare; \
	page_answer action;
#define PREPARED_FORM(path, sees, sends, query, limit, prepare, form, action) \
	page_prepare prepare; \
	page_form form; \
	page_answer action;
#include "pages/routes.h"
