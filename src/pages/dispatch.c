#include "pages/dispatch.h"

#include "base/arena.h"
#include "base/crypto.h"
#include "base/log.h"
#include "base/url.h"
#include "http/route.h"
#include "pages/cookie.h"
#include "pages/host.h"
#include "pages/vote_request.h"
#include "store/article.h"
#include "store/site.h"

enum access { PUBLIC, ANYONE, LEAVERS, MEMBERS, MODERATORS, OWNERS };

/* A row of the table: a page or a form for a GET, an action for a POST. */
struct row {
	enum access sees, sends;
	struct text query; /* the names that the address of a GET may have */
	enum limit limit;
	page_answer *page, *action;
	page_form *form;
};

#define PAGE(path_, access, query_, page_) \
	{ .sees = (access), .query = TEXT_INIT(query_), .page = (page_) },
#define ACTION(path_, access, limit_, action_) \
	{ .sends = (access), .limit = (limit_), .action = (action_) },
#define FORM(path_, sees_, sends_, query_, limit_, form_, action_) \
	{ .sees = (sees_), \
		.sends = (sends_), \
		.query = TEXT_INIT(query_), \
		.limit = (limit_), \
		.form = (form_), \
		.action = (action_) },
static const struct row rows[] = {
#include "pages/routes.h"
};

/* The same rows as HTTP knows them. */
#define PAGE(path_, access, query_, page_) \
	{ .path = TEXT_INIT(path_), .gets = true },
#define ACTION(path_, access, limit_, action_) \
	{ .path = TEXT_INIT(path_), .posts = true },
#define FORM(path_, sees_, sends_, query_, limit_, form_, action_) \
	{ .path = TEXT_INIT(path_), .gets = true, .posts = true },
static const struct route routes[] = {
#include "pages/routes.h"
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

/* After which Redis may answer again. */
enum { RETRY_SECONDS = 2 };

static bool
is_post(const struct page *page)
{
	return page->request->method == HTTP_POST;
}

/*
 * Who the cookie says is there; HTTP_OK for nobody, too. Where nothing is going to
 * be changed the page may well be a list. What a member does is counted in the same
 * round trip: counts is false when it is refused already.
 */
static enum http_status
load_session(struct page *page, const struct row *row, bool counts)
{
	struct text cookie = cookie_session(page);
	struct visit visit = { .limit = LIMIT_NONE };
	struct vote_request ballot;
	enum store_result result;

	if (cookie.size == 0 || (!is_post(page) && row->sees == PUBLIC))
		return HTTP_OK;
	/* Whether a new member votes yet, and which hosts are refused, are settings. */
	if (!is_post(page) || row->limit == LIMIT_VOTE || row->form != NULL)
		visit.versions = arena_new(page->arena, struct versions, 1);
	if (is_post(page) && counts && row->sends != ANYONE)
		visit.limit = row->limit;
	if (visit.limit == LIMIT_VOTE &&
	    vote_request_read(page, &ballot) == HTTP_OK)
		visit.voted = ballot.post;
	result = session_find(
	    page->store, page->arena, cookie, &page->viewer, &visit);
	if (page->viewer.id != 0 &&
	    (result == STORE_OK || result == STORE_DOWN)) {
		page->versions = visit.versions;
		page->session_age = visit.age;
		page->now = visit.now;
	}
	if (result == STORE_DOWN)
		return page->viewer.id == 0 && site_is_partial(page->store)
		    ? page_refuse(page, REASON_MEMBER_DOWN)
		    : HTTP_UNAVAILABLE;
	if (result == STORE_LIMITED)
		return page_limited(page, result, visit.wait);
	if (result == STORE_ABSENT) {
		page->viewer = (struct user){ .id = 0 };
		page->token = (struct text){ NULL, 0 };
	}
	return HTTP_OK;
}

static void
load_token(struct page *page)
{
	(void)!session_token_of(
	    page->store, page->arena, cookie_session(page), &page->token);
}

static enum http_status
check_access(const struct page *page, enum access access)
{
	if (access <= LEAVERS)
		return HTTP_OK;
	if (!page_is_signed_in(page))
		return HTTP_UNAUTHORIZED;
	if ((access == MODERATORS && !page_is_moderator(page)) ||
	    (access == OWNERS && page->viewer.role != ROLE_OWNER))
		return HTTP_FORBIDDEN;
	return HTTP_OK;
}

/* Its beginning, of which other bytes than an origin has become '?'. */
static struct text
printable(struct arena *arena, struct text origin)
{
	enum { MAX = 200 };
	size_t size = origin.size < MAX ? origin.size : MAX;
	char *bytes = arena_bytes(arena, size);

	for (size_t i = 0; i < size; i++) {
		bytes[i] = '?';
		if (origin.data[i] > ' ' && origin.data[i] <= '~')
			bytes[i] = origin.data[i];
	}
	return (struct text){ bytes, size };
}

/*
 * With a setting that is wrong no form works, or only those of browsers that say
 * themselves where a form is from: whoever runs the site is told.
 */
static void
tell_wrong_origin(const struct page *page)
{
	static int64_t told;
	struct text origin = page->request->origin, site = page->app->origin;

	if (site.size > 0 && origin.size > 0 && !text_equal(origin, site) &&
	    (page->request->fetch_site.size == 0 ||
		text_equal(page->request->fetch_site, TEXT("same-origin"))))
		log_limited(&told, "Origin %.*s is not TALLY_ORIGIN %.*s",
		    TEXT_ARGS(printable(page->arena, origin)), TEXT_ARGS(site));
}

/*
 * A POST has to come from a form of this site, for this reader. Redis is not
 * asked: a cookie that was made up counts against nobody. Whether the session has
 * ended is for check_access to say. A form that was shown again when it had ended is
 * good once its reader has logged in in another tab.
 */
static enum http_status
check_form(struct page *page, const struct row *row)
{
	struct text sent = pairs_get(&page->request->form, TEXT("csrf"));
	struct text token = page->token;

	if (!is_post(page))
		return HTTP_OK;
	tell_wrong_origin(page);
	if (row->sends == ANYONE) {
		cookie_use_form(page);
		token = page->form_token;
	} else if (token.size == 0) {
		return HTTP_OK;
	}
	if (request_origin_of(page->request, page->app->origin) ==
		ORIGIN_OTHER ||
	    token.size == 0 ||
	    (!crypto_equal(sent, token) &&
		!cookie_was_for_next_session(page, sent)))
		return page_refuse(page, REASON_STALE_FORM);
	return HTTP_OK;
}

/* Nobody is signed in: to the log-in page, and back to where this was, with the
 * vote that was to be cast. */
static enum http_status
send_to_login(struct page *page, const struct row *row)
{
	struct text what = TEXT(""), back = page_back(page);
	struct vote_request ballot;

	if (row->limit == LIMIT_VOTE &&
	    vote_request_read(page, &ballot) == HTTP_OK) {
		what = text_join(page->arena, TEXT("&"),
		    vote_request_query(page->arena, &ballot));
		back = page_return_to(page, TEXT("/"));
	} else if (is_post(page)) {
		cookie_set_note(page, NOTE_ENDED);
	}
	return page_redirect(page,
	    text_format(page->arena, "/login?return_to=%.*s%.*s",
		TEXT_ARGS(url_encode(page->arena, back)), TEXT_ARGS(what)));
}

/* Through what guards the row to its function. */
static enum http_status
enter(struct page *page, const struct row *row)
{
	bool posts = is_post(page);
	enum http_status status =
	    check_access(page, posts ? row->sends : row->sees);

	if (status == HTTP_OK && !posts)
		return row->form != NULL ? row->form(page, HTTP_OK)
					 : row->page(page);
	/* Members were counted with their session; on what is for anyone, readers
	 * are counted by where they are: whoever registers is another member each
	 * time. */
	if (status == HTTP_OK && row->sends == ANYONE)
		status = page_limit_network(page, row->limit);
	return status == HTTP_OK ? row->action(page) : status;
}

static bool
is_bare(const struct page *page)
{
	return page->response->body.size == 0 && !page->response->is_unrendered;
}

static bool
is_bare_refusal(const struct page *page, enum http_status status)
{
	return status >= HTTP_BAD_REQUEST && is_bare(page);
}

static enum http_status
answer(struct page *page, const struct row *row, enum http_status parsed)
{
	static struct event_limiter mark;
	page_form *typed = is_post(page) ? row->form : NULL;
	enum http_status status = parsed, session = HTTP_OK;

	load_token(page);
	if (status == HTTP_OK)
		status = check_form(page, row);
	/* Whatever is wrong, whoever is signed in is shown as such. */
	session = load_session(page, row, status == HTTP_OK);
	if (status == HTTP_OK)
		status = session == HTTP_OK ? enter(page, row) : session;
	if (status == HTTP_UNAVAILABLE && is_post(page) &&
	    (page->reason == REASON_DEFAULT || page->reason == REASON_DOWN) &&
	    site_is_full(page->store))
		page->reason = REASON_FULL;
	if (status == HTTP_FORBIDDEN)
		page_event_few(
		    page, &mark, (struct event){ .name = EVENT_REFUSED });
	/* A form that was typed in a session that has ended since is shown
	 * again, unless there is nothing in it to lose. */
	if (is_bare_refusal(page, status) && typed != NULL) {
		if (status == HTTP_UNAUTHORIZED)
			cookie_use_next_session(page);
		status = typed(page, status);
	}
	if (status == HTTP_UNAUTHORIZED && is_bare(page))
		return send_to_login(page, row);
	if (is_bare_refusal(page, status))
		status = page_error(page, status);
	if (status == HTTP_UNAVAILABLE)
		page->response->retry_after = RETRY_SECONDS;
	return status;
}

/* An address that is nearly one of ours leads there. */
static enum http_status
move_to_meant(
    struct page *page, struct request *request, struct route_match match)
{
	struct text meant =
	    route_correct_path(page->arena, routes, ROWS, request->path);
	struct request moved = *request;
	struct route_match found;

	page->response->allow = match.allow;
	if (request->method == HTTP_POST || meant.size == 0 ||
	    text_equal(meant, request->path))
		return match.status;
	page->response->allow = NULL;
	moved.path = meant;
	found = route_find(page->arena, routes, ROWS, &moved);
	if (found.status == HTTP_OK)
		request_filter_query(
		    page->arena, request, rows[found.row].query);
	return page_move(page, PAGE_THIS_SITE, meant);
}

/* Whether the address says what its page knows, and nothing else. */
static bool
is_canonical(struct page *page, struct request *request, const struct row *row)
{
	return request_filter_query(page->arena, request, row->query) ||
	    is_post(page);
}

/* What needs no session; nothing here asks Redis. HTTP_OK when the page is to
 * answer. */
static enum http_status
check_address(struct page *page, struct request *request,
    enum http_status parsed, struct route_match match)
{
	const struct row *row =
	    match.status == HTTP_OK ? &rows[match.row] : NULL;
	bool good = row == NULL || parsed != HTTP_OK ||
	    is_canonical(page, request, row);
	enum http_status status = HTTP_OK;

	if (row == NULL || row->page != about_health_page)
		status = host_check(page);
	if (status != HTTP_OK)
		return status;
	if (row == NULL)
		return parsed == HTTP_OK ? move_to_meant(page, request, match)
					 : parsed;
	return good ? HTTP_OK : page_move(page, PAGE_THIS_SITE, request->path);
}

/* What no row answers, for whoever is signed in; on another site nobody is. */
static enum http_status
refuse(struct page *page, enum http_status status)
{
	static const struct row nothing = { .sees = ANYONE };

	if (status != HTTP_MISDIRECTED) {
		load_token(page);
		/* Without Redis there is as little at this address. */
		(void)load_session(page, &nothing, false);
	}
	return page_error(page, status);
}

void
dispatch_request(const struct app *app, struct arena *arena,
    struct request *request, struct response *response)
{
	struct page page = { .store = app->store,
		.arena = arena,
		.app = app,
		.request = request,
		.response = response };
	enum http_status parsed = request_parse(arena, request);
	struct route_match match = route_find(arena, routes, ROWS, request);
	enum http_status status;

	*response = (struct response){ .status = HTTP_OK };
	if (match.status == HTTP_OK)
		page.place = routes[match.row].gets ? PLACE_OWN : PLACE_PARENT;
	status = check_address(&page, request, parsed, match);
	if (status == HTTP_OK)
		status = answer(&page, &rows[match.row], parsed);
	else if (status >= HTTP_BAD_REQUEST)
		status = refuse(&page, status);
	response->status = status;
	if (page.settings != NULL)
		settings_leave(page.settings);
}
