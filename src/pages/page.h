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
#include "lists/hidden.h"
#include "markup/hosts.h"
#include "pages/markdown.h"
#include "pages/post_request.h"
#include "store/group.h"
#include "store/session.h"
#include "store/settings.h"
#include "store/store.h"
#include "views/article_row.h"
#include "views/error.h"
#include "views/views.h"

/* The length of the moderators' queue, as a worker has read it. Moderators' pages have it in their
 * bar: it is read once a second at most, and after each form that a moderator sends. */
struct queue_length {
	/* Unix seconds, Redis's clock; 0: not yet, or it may be another. */
	int64_t at;
	int64_t length;
	uint64_t forms; /* sent by moderators so far */
};

/* What all requests of a worker share. A NULL cache is always empty. */
struct app {
	struct store *store;
	struct redis *search; /* a client (search/client.h); NULL: away */
	const struct views *views;
	struct settings_cache *settings;
	struct read_cache *read_cache; /* what was read from Redis */
	/* Some rows or comments each (pages/pieces.h). */
	struct cache *piece_cache;
	struct cache *part_cache;   /* what is between pieces, compressed */
	struct cache *list_cache;   /* of whole lists, for visitors */
	struct cache *feed_cache;   /* feeds */
	struct cache *html_cache;   /* of texts outside of threads */
	struct cache *body_cache;   /* of comments' texts, with the author */
	struct cache *search_cache; /* what visitors' searches found */
	struct queue_length *queue; /* NULL: read for each page */
	struct vote_rings_cache *rings;	 /* NULL: found for each page */
	struct background *background;	 /* NULL: jobs run at once */
	struct write_check *write_check; /* NULL: made for each request */
	struct visitors *visitors;	 /* NULL: they are not charged */
	struct lease *lease; /* of the layout; NULL: not asked for */
	/* How many lists of that kind are being read (lists/merge.h); NULL: not counted. */
	size_t *expensive;
	struct etags *etags; /* NULL: pages have none (pages/etag.h) */
	/* "https://example.org"; empty: served to this machine only. */
	struct text origin;
	struct text base_style, base_style_version; /* of every page */
	const struct password_file *breached;	    /* NULL: none */
};

/* The address of the page that a request belongs to: its own; for an action, the one
 * above, which has its form; or none. */
enum page_place { PLACE_NONE, PLACE_OWN, PLACE_PARENT };

/* What is asked for: a page for people, or the feed of a list (pages/feed.h). */
enum page_format { FORMAT_HTML, FORMAT_ATOM, FORMAT_JSON };

/* What a form that stores texts reads in the round trip of the session, beside page.day_bytes. */
struct page_ahead {
	struct text groups;	  /* names */
	struct pipeline pipeline; /* of group_ask_names */
};
enum { DAY_BYTES_UNREAD = -1 };

struct page {
	struct store *store;
	struct arena *arena;
	const struct app *app;
	const struct request *request;
	struct response *response;
	struct user viewer;	/* id 0 when nobody is signed in */
	int64_t now;		/* Unix seconds; 0 when nobody is signed in */
	int64_t session_age;	/* seconds since the viewer logged in */
	int64_t day_bytes;	/* as of limit_ask_bytes, or DAY_BYTES_UNREAD */
	struct text token;	/* the session's; in every form of a member */
	struct text form_token; /* of visitors' forms, in its place */
	bool was_for_next_session; /* the form: its token proves no session */
	bool has_registered; /* just now: the page offers recovery codes */
	/* By page_load: settings_lacks_factor; a moderator's role is then a member's in viewer,
	 * too. */
	bool lacks_factor;

	/* By page_load: versions is NULL when Redis does not answer, and
	 * settings are then those known last. */
	const struct versions *versions;
	const struct settings *settings;
	struct settings_snapshot *settings_held;
	struct reader reader;		    /* the viewer, as views have it */
	const struct hosts *blocked;	    /* by page_blocked_hosts */
	const struct hidden_filter *hidden; /* by page_hidden */
	/* By page_load, for moderators; 0: not known, too. */
	int64_t queue_length;
	bool knows_hidden;

	/* Of the query, 1 without: the page of a list, and the first of its entries to
	 * show, where their bytes took more than one page. */
	uint64_t number, from;

	/* Of a row for GROUP_MODERATORS, whose right to it was checked; otherwise NULL. */
	const struct group *group;

	/* By the row's prepare function. */
	enum http_status prepared;
	struct page_ahead *ahead;  /* NULL: nothing, or it was not answered */
	struct post_request asked; /* of article 0: nothing was sent */

	struct pipeline *counting; /* of limit_send_bytes; NULL: none */
	int64_t *budget; /* that pays for it (pages/visitors.h); NULL: none */
	enum page_place place;
	enum page_format format;
	struct text canonical; /* the page's path, unless the request's */
	struct text search_in; /* by page_search_in; empty: everything */
	bool is_search; /* for nobody to index, with a field of its own */
	/* The path and query of the page's feed, without an ending: or empty. */
	struct text feed, feed_query;
	bool is_keyed;	  /* a feed, of the viewer by its secret */
	bool is_unstyled; /* without the owners' style sheet */
	bool is_partial;  /* without what is out of reach, which it says */

	/* For the error page: why; a sentence in place of the reason's; and the end of
	 * the list that has no such page. */
	enum reason reason;
	struct text detail;
	struct pager_end end;
};

bool page_is_signed_in(const struct page *page);
/* Whether it has the announcement: there is one, which the reader has not dismissed. */
bool page_announces(const struct page *page);
bool page_is_moderator(const struct page *page);

/* Whether a form for members was refused without knowing who has sent it: the session has ended, or
 * Redis does not say whose it is. Such a form is shown again, with what was typed. */
bool page_has_unknown_sender(const struct page *page, enum http_status refusal);

/* Whether the viewer moderates a group: one of its own moderators, with a second factor where
 * owners require it of moderators, or one of the site's. */
bool page_moderates(const struct page *page, const struct group *group);
/* The groups among names, as they are called now, that the viewer moderates; there is room for
 * RULE_GROUPS_MAX. A viewer who was never appointed, and is no moderator of the site, costs no
 * round trip. */
STORE_CALL page_moderated_groups(struct page *page, struct text names,
    struct text moderated[], size_t *count);
/* The viewer, as group_find_unusable takes who posts. */
uint64_t page_group_poster(const struct page *page);

/* A HEAD request: nothing is rendered. */
bool page_is_head(const struct page *page);

bool page_is_feed(const struct page *page);

/* Whether somebody reads the page: it is no HEAD request, and not fetched ahead. */
bool page_is_read(const struct page *page);

/* False for visitors, too. */
bool page_is_author(const struct page *page, const struct post *post);

/* Renders a view into the response, unless only the head is asked for, and returns the
 * status. The model is NULL of a view that has none (no_model in views/templates.h). */
enum http_status page_show(struct page *page, enum http_status status,
    const struct view *view, const void *model);

/* The same of a page with a secret, such as codes or a link that works once: it is not
 * compressed, since its compressed size would tell anyone who can put text on the page
 * something about the secret (BREACH). */
enum http_status page_show_secret(struct page *page, enum http_status status,
    const struct view *view, const void *model);

/* The same of XML 1.0, which cannot have all bytes that a text may have. */
enum http_status page_show_xml(
    struct page *page, const struct view *view, const void *model);

/* Has the field in the page's head search what an operator of the language names
 * (search/query.h): "author" and "ann". */
void page_search_in(struct page *page, struct text name, struct text value);

/* What is hidden from the viewer (lists/hidden.h): NULL when nothing is, and for visitors. Read
 * once for the whole request. */
STORE_CALL page_hidden(struct page *page, const struct hidden_filter **filter);

/* Redis's clock, as of the versions that the page has read; without these the worker's. */
int64_t page_clock(const struct page *page);

/* What a vote is worth, in points, as the lists are that this page shows. */
int64_t page_vote_score(const struct page *page);

/*
 * Loads what follows from the site and the viewer: the versions, unless the session's
 * round trip read them, the settings as of then, and the reader. Once for the whole
 * request: dispatch calls it before any page but those for ANY_HOST and PUBLIC, which
 * call it themselves if they need it.
 */
void page_load(struct page *page);
void page_release(struct page *page);

/* Has the reader's posts show whether they are saved, with a button: for pages whose posts are
 * in a form. Nothing for visitors and for HEAD requests. */
STORE_CALL page_read_saved(struct page *page);

/* The hosts that the settings block; NULL when there are none. */
const struct hosts *page_blocked_hosts(struct page *page);

/* A text in Markdown as at most max bytes of HTML, linking the names "@ann /g/redis".
 * Cached under all of that and the settings, since the texts of lists, inboxes and the site
 * recur. Empty for a HEAD request. */
struct markdown_html page_markdown(
    struct page *page, struct text source, struct text names, size_t max);

/* Its first RULE_WHOLE_BYTES, without saying that there is more: for a preview, the text of
 * a removed comment, and the owners' texts. */
struct text page_markdown_whole(
    struct page *page, struct text source, struct text names);

/* 303 to a local path. */
enum http_status page_redirect(struct page *page, struct text path);

/*
 * 301 to where this page is, with what is known of the query: on this site, or on that
 * of an origin. HTTP_URI_TOO_LONG when the address would be too long to request.
 */
#define PAGE_THIS_SITE TEXT("")
enum http_status page_move(
    struct page *page, struct text site, struct text path);

/* The form of a POST, else the query. */
const struct pairs *page_sent(const struct page *page);

/* "/login?return_to=...": back to where the reader is and, after a button of a list, with what
 * it asks. */
struct text page_login_path(const struct page *page);

/* The return_to that was sent, when it is a local path; else otherwise. */
struct text page_return_to(const struct page *page, struct text otherwise);

/* After an action on a post: back to the page that it was sent from, at the post. */
enum http_status page_return_to_post(struct page *page, struct post_id id);

/* Logs an event of this request, by the viewer unless event.member is set. */
void page_event(const struct page *page, struct event event);
void page_event_few(
    const struct page *page, struct event_limiter *mark, struct event event);

struct text page_article_path(const struct page *page, uint64_t article);

/*
 * Whether the request is for a one-time link, "/link/CODE". Its code is a secret, so it
 * must not be part of another address, which logs have: readers of an owner's link are led back to
 * PAGE_LINK, which redirects to the link in a cookie (pages/one_time_link.c), others to "/".
 */
#define PAGE_LINK TEXT("/link")
bool page_is_one_time_link(const struct page *page);

/* "https://example.org": the site's origin, or else from the Host of the request. */
struct text page_origin(const struct page *page);

/* The token of a form on this page, a visitor's or a member's, as the form has it: under a mask. */
struct text page_form_token(const struct page *page);

/* The local path where the reader is, or was before a POST. */
struct text page_back(const struct page *page);

/* Whether a path is that of logging in, registering or logging out: readers are never
 * sent back there. */
bool page_is_account_path(struct text path);

/*
 * Parses "page" and "from" of the query; false when one is malformed: no number, more than
 * nine digits (more pages than Redis can hold rows), or "from=1", which no link has.
 * dispatch calls it before a page that is shown.
 */
bool page_parse_numbers(struct page *page);

/* Sets the reason that the error page shows, and returns its status. */
enum http_status page_refuse(struct page *page, enum reason reason);

/* The same, with a sentence in place of the reason's. */
enum http_status page_refuse_for(
    struct page *page, enum reason reason, struct text detail);

/* The post was removed, by its author or by a moderator. */
enum http_status page_refuse_removed(
    struct page *page, const struct post *post);

/* A list has no such page: sets the list's address and how many pages it has. */
enum http_status page_past_end(
    struct page *page, struct text base, uint64_t pages);

/* The reason that follows from a failed call of the store. */
enum http_status page_failed(struct page *page, enum store_result result);

/* After an action: back to where the form was, or to otherwise; or page_failed. */
enum http_status page_finish(
    struct page *page, enum store_result result, struct text otherwise);

/* The same for a call on a post, which may be a comment that is gone; the form was on its page, if
 * nowhere else. */
enum http_status page_failed_on(
    struct page *page, enum store_result result, struct post_id id);
enum http_status page_finish_on(
    struct page *page, enum store_result result, struct post_id id);

/* page_failed for a list, where STORE_LIMITED is no matter of who asks: too many expensive
 * ones are being read. */
enum http_status page_list_failed(struct page *page, enum store_result result);

/* Whether a page can be shown after a call of the store: also without what is out of reach
 * while the rest of the site is not, which the page then says. */
bool page_may_continue(struct page *page, enum store_result result);

/*
 * Counts one of that limit for the network of the request. HTTP_TOO_MANY_REQUESTS, with
 * Retry-After, when the limit is reached.
 */
enum http_status page_limit_network(struct page *page, enum limit kind);

/* The same for the viewer, where the row has no limit. */
enum http_status page_limit_viewer(struct page *page, enum limit kind);

/* The same for so many bytes that the viewer is about to store. */
enum http_status page_limit_bytes(struct page *page, size_t bytes);

/* The refusal that follows from a count that reached its limit, or failed. */
enum http_status page_limited(
    struct page *page, enum store_result result, int64_t wait);

/* What happened and what the reader can do, for an answer with that status. */
struct error_words page_explain(
    const struct page *page, enum http_status status);
enum http_status page_error(struct page *page, enum http_status status);

/* The functions of a row (pages/routes.h). */
typedef enum http_status page_prepare(struct page *page);
typedef enum http_status page_answer(struct page *page);
typedef enum http_status page_form(struct page *page, enum http_status status);

/* A row of the table declares its functions. */
#define PAGE(path, access, query, page)	    page_answer page;
#define FEED(path, access, query, page)	    page_answer page;
#define ACTION(path, access, limit, action) page_answer action;
#define UPLOAD(path, access, limit, action) page_answer action;
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
