/*
 * The guards that a request passes before its page runs. Their order is the security
 * model: none is skipped, and each may rely on those before it.
 *
 *  1. parse      request_parse: well-formed, within limits, UTF-8. What it found is the
 *                answer at 4, once the host and the row are known.
 *  2. host       host_check: the origin's host and scheme (but for ANY_HOST).
 *  3. address    the row of routes.h for path and method; a path or query in another
 *                spelling is redirected: one page, one address.
 *  4. form       its content type; check_form: a POST has the site's origin and the
 *                session's token, so it was sent from a page of this reader's. No Redis
 *                so far.
 *  5. prepare    the row's function, which parses what the next steps need.
 *  6. session    check_lease: the data have this program's layout (store/lease.h).
 *                load_session: the member, the versions and the member's rate limit, in
 *                one round trip; of a private feed the member of its secret.
 *  7. access     check_access: the row's access level, held against the member.
 *  8. limits     the rate limit of the address, for what anyone may send; and the member's,
 *                if step 6 could not count as the form's token proves no session.
 *  9. values     what step 5 found wrong, and the numbers of the query: after access, so
 *                that readers without access learn nothing from them.
 * 10. visitors   what readers who are not signed in may use (pages/visitors.h).
 * 11. page       with the site's settings loaded. It checks what depends on the data:
 *                the author of an article, the end of its voting.
 *
 * A refusal by any of them, or by the page, takes one way back (finish_refusal): the form
 * with what was typed, the log-in page, or an error page.
 */
#include "pages/dispatch.h"

#include "base/arena.h"
#include "base/counters.h"
#include "base/crypto.h"
#include "base/log.h"
#include "base/url.h"
#include "http/route.h"
#include "pages/cookie.h"
#include "pages/host.h"
#include "pages/visitors.h"
#include "store/feed_key.h"
#include "store/lease.h"
#include "store/limit.h"
#include "store/site.h"

enum access {
	PUBLIC,
	ANY_HOST,
	ANYONE,
	LEAVERS,
	MEMBERS,
	GROUP_MODERATORS,
	MODERATORS,
	OWNERS
};

/* What each asks of a request, and does for it. */
static const struct access_rule {
	bool any_host;	  /* answered whatever host was asked for */
	bool has_session; /* the session is looked up and settings are read */
	bool form_cookie; /* a form's token is that of a cookie of its own */
	bool is_for_members;
	bool is_of_group; /* and who moderates the group of the path */
	enum role role;	  /* the lowest that is let in */
} access_rules[] = {
	[PUBLIC] = { .has_session = false },
	[ANY_HOST] = { .any_host = true },
	[ANYONE] = { .has_session = true, .form_cookie = true },
	[LEAVERS] = { .has_session = true },
	[MEMBERS] = { .has_session = true, .is_for_members = true },
	[GROUP_MODERATORS] = { .has_session = true,
	    .is_for_members = true,
	    .is_of_group = true },
	[MODERATORS] = { .has_session = true,
	    .is_for_members = true,
	    .role = ROLE_MODERATOR },
	[OWNERS] = { .has_session = true,
	    .is_for_members = true,
	    .role = ROLE_OWNER },
};

/* A row of the table: a page or a form for a GET, an action for a POST. */
struct page_route {
	enum access sees, sends;
	struct text query; /* the names that the address of a GET may have */
	enum limit limit;
	bool takes_files;
	page_prepare *prepare;
	page_answer *page, *action;
	page_form *form;
	struct text name; /* of a feed: its path in metrics */
};

#define PAGE(path_, access, query_, page_) \
	{ .sees = (access), .query = TEXT_INIT(query_), .page = (page_) },
#define FEED(path_, access, query_, page_)
#define PREPARED_ACTION(path_, access, limit_, prepare_, action_) \
	{ .sends = (access), \
		.limit = (limit_), \
		.prepare = (prepare_), \
		.action = (action_) },
#define PREPARED_FORM( \
    path_, sees_, sends_, query_, limit_, prepare_, form_, action_) \
	{ .sees = (sees_), \
		.sends = (sends_), \
		.query = TEXT_INIT(query_), \
		.limit = (limit_), \
		.prepare = (prepare_), \
		.form = (form_), \
		.action = (action_) },
#define ACTION(path_, access, limit_, action_) \
	PREPARED_ACTION(path_, access, limit_, NULL, action_)
#define UPLOAD(path_, access, limit_, action_) \
	{ .sends = (access), \
		.limit = (limit_), \
		.action = (action_), \
		.takes_files = true },
#define FORM(path_, sees_, sends_, query_, limit_, form_, action_) \
	PREPARED_FORM( \
	    path_, sees_, sends_, query_, limit_, NULL, form_, action_)
static const struct page_route page_routes[] = {
#include "pages/routes.h"
};

/* The same rows as http/route.h takes them. */
#define PAGE(path_, access, query_, page_) \
	{ .path = TEXT_INIT(path_), .gets = true },
#define FEED(path_, access, query_, page_)
#define ACTION(path_, access, limit_, action_) \
	{ .path = TEXT_INIT(path_), .posts = true },
#define UPLOAD(path_, access, limit_, action_) \
	ACTION(path_, access, limit_, action_)
#define FORM(path_, sees_, sends_, query_, limit_, form_, action_) \
	{ .path = TEXT_INIT(path_), .gets = true, .posts = true },
#define PREPARED_ACTION(path_, access, limit_, prepare_, action_) \
	ACTION(path_, access, limit_, action_)
#define PREPARED_FORM( \
    path_, sees_, sends_, query_, limit_, prepare_, form_, action_) \
	FORM(path_, sees_, sends_, query_, limit_, form_, action_)
static const struct route routes[] = {
#include "pages/routes.h"
};

/* The rows of feeds, by their paths without an ending. */
#define PAGE(...)
#define ACTION(...)
#define UPLOAD(...)
#define FORM(...)
#define PREPARED_ACTION(...)
#define PREPARED_FORM(...)
#define FEED(path_, access, query_, page_) \
	{ .sees = (access), \
		.query = TEXT_INIT(query_), \
		.page = (page_), \
		.name = TEXT_INIT(path_ ".atom") },
static const struct page_route page_feeds[] = {
#include "pages/routes.h"
};

#define PAGE(...)
#define ACTION(...)
#define UPLOAD(...)
#define FORM(...)
#define PREPARED_ACTION(...)
#define PREPARED_FORM(...)
#define FEED(path_, access, query_, page_) \
	{ .path = TEXT_INIT(path_), .gets = true },
static const struct route feeds[] = {
#include "pages/routes.h"
};

enum {
	ROUTES = sizeof(routes) / sizeof(routes[0]),
	FEEDS = sizeof(feeds) / sizeof(feeds[0])
};

static const struct route_table {
	const struct route *routes;
	const struct page_route *pages;
	size_t count, counter; /* of rows; of the first one's requests */
} route_tables[] = { { routes, page_routes, ROUTES, 0 },
	{ feeds, page_feeds, FEEDS, ROUTES } };

/* Retry-After while Redis does not answer. */
enum { RETRY_SECONDS = 2 };

static bool
is_post(const struct page *page)
{
	return page->request->method == HTTP_POST;
}

static const struct access_rule *
access_rule_of(const struct page *page, const struct page_route *route)
{
	return &access_rules[is_post(page) ? route->sends : route->sees];
}

/* Looks up the member of a private feed's secret instead. Only rows of feeds have "key" in
 * their query, so it opens nothing else. */
static enum http_status
load_feed_reader(struct page *page, struct text key)
{
	enum store_result result = feed_key_find(
	    page->store, page->arena, key, &page->viewer, &page->now);

	page->is_keyed = result == STORE_OK;
	if (result == STORE_OK)
		return HTTP_OK;
	page->viewer = (struct user){ .id = 0 };
	page->token = (struct text){ NULL, 0 };
	return result == STORE_DOWN ? HTTP_UNAVAILABLE
				    : page_refuse(page, REASON_FEED_KEY);
}

/*
 * Looks up the member of the session cookie; HTTP_OK without one, too. The same round
 * trip reads the versions and, with counts, counts what the member is about to do: unless the
 * form proves no session, so that it is counted after access is checked.
 */
static enum http_status
load_session(struct page *page, const struct page_route *route, bool counts)
{
	const struct access_rule *access = access_rule_of(page, route);
	struct text cookie = cookie_session(page);
	struct text key = pairs_get(&page->request->query, TEXT("key"));
	struct session_lookup lookup = { .limit = LIMIT_NONE };
	enum store_result result;

	if (page_is_feed(page) && key.size > 0)
		return load_feed_reader(page, key);
	if (cookie.size == 0 || !access->has_session)
		return HTTP_OK;
	lookup.versions = arena_new(page->arena, struct versions, 1);
	if (page->ahead != NULL && counts) {
		lookup.ahead = &page->ahead->pipeline;
		lookup.wants_day_bytes = page->store->rules.day_bytes != 0;
	}
	if (is_post(page) && counts && !access->form_cookie &&
	    !page->was_for_next_session)
		lookup.limit = route->limit;
	result = session_find(
	    page->store, page->arena, cookie, &page->viewer, &lookup);
	if (!lookup.is_ahead_answered)
		page->ahead = NULL;
	if (page->viewer.id != 0 && result != STORE_ABSENT) {
		page->versions = lookup.versions;
		page->session_age = lookup.age;
		if (lookup.wants_day_bytes)
			page->day_bytes = lookup.day_bytes;
		page->now = lookup.now;
	}
	if (result == STORE_DOWN)
		return page->viewer.id == 0 && site_is_partial(page->store)
		    ? page_refuse(page, REASON_MEMBER_DOWN)
		    : HTTP_UNAVAILABLE;
	if (result == STORE_LIMITED)
		return page_limited(page, result, lookup.wait);
	if (result == STORE_ABSENT) {
		/* Anyone may have sent it. */
		if (lookup.limit != LIMIT_NONE && page->viewer.id != 0)
			(void)!limit_refund_member(page->store, page->arena,
			    lookup.limit, page->viewer.id);
		page->viewer = (struct user){ .id = 0 };
		page->token = (struct text){ NULL, 0 };
	}
	return HTTP_OK;
}

/* Nothing is read from data that a newer release has moved to its layout. */
static enum http_status
check_lease(const struct page *page, const struct access_rule *access)
{
	if (page->app->lease == NULL || access->any_host ||
	    lease_hold(page->store, page->arena, page->app->lease) == STORE_OK)
		return HTTP_OK;
	return HTTP_UNAVAILABLE;
}

static void
load_token(struct page *page)
{
	(void)!session_token_of(
	    page->store, page->arena, cookie_session(page), &page->token);
}

/* Reads the group of the path, which says who moderates it. */
static enum http_status
check_group(struct page *page)
{
	struct group *group = arena_new(page->arena, struct group, 1);
	enum store_result result;

	page_load(page);
	result = group_get(page->store, page->arena,
	    pairs_get(&page->request->path_values, TEXT("name")), group);
	if (result == STORE_ABSENT && !page_is_moderator(page))
		*group = (struct group){ .created = 0 };
	else if (result != STORE_OK)
		return page_failed(page, result);
	if (!page_moderates(page, group))
		return page_refuse(page,
		    page->lacks_factor ||
			    group_has_moderator(group, page->viewer.id)
			? REASON_LACKS_FACTOR
			: REASON_FORBIDDEN);
	page->group = group;
	return HTTP_OK;
}

/* What a role allows depends on the settings (settings_lacks_factor). */
static enum http_status
check_access(struct page *page, const struct access_rule *access)
{
	if (!access->is_for_members)
		return HTTP_OK;
	if (!page_is_signed_in(page))
		return HTTP_UNAUTHORIZED;
	if (access->is_of_group)
		return check_group(page);
	if (access->role > ROLE_MEMBER)
		page_load(page);
	if (page->viewer.role >= access->role)
		return HTTP_OK;
	return page_refuse(page,
	    page->lacks_factor && access->role == ROLE_MODERATOR
		? REASON_LACKS_FACTOR
		: REASON_FORBIDDEN);
}

/* At most 200 bytes of it for the log, with '?' for any that no origin has. */
static struct text
printable_origin(struct arena *arena, struct text origin)
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

/* Browsers send "Origin: null" from pages that send no referrer, as those of one-time links
 * do (nginx/http.conf). Where they send no Sec-Fetch-Site either, as without TLS, the token
 * alone decides. */
static bool
hides_origin(const struct page *page)
{
	return page_is_one_time_link(page) &&
	    page->request->fetch_site.size == 0 &&
	    text_equal(page->request->origin, TEXT("null"));
}

static bool
has_foreign_origin(const struct page *page)
{
	return !hides_origin(page) &&
	    request_origin_of(page->request, page->app->origin) == ORIGIN_OTHER;
}

/*
 * With a wrong TALLY_ORIGIN no form works, or only those of browsers that send
 * Sec-Fetch-Site: the log says so.
 */
static void
log_wrong_origin(const struct page *page)
{
	static int64_t logged_at;
	struct text origin = page->request->origin, site = page->app->origin;

	if (site.size > 0 && origin.size > 0 && !text_equal(origin, site) &&
	    !hides_origin(page) &&
	    (page->request->fetch_site.size == 0 ||
		text_equal(page->request->fetch_site, TEXT("same-origin"))))
		log_limited(&logged_at, "Origin %.*s is not TALLY_ORIGIN %.*s",
		    TEXT_ARGS(printable_origin(page->arena, origin)),
		    TEXT_ARGS(site));
}

/*
 * A POST must have this site's origin and the token of its reader's session. Needs no
 * Redis, so a forged cookie counts against no member; check_access finds a session
 * that has ended. A form that was shown again after that is valid in the next session of
 * the same browser: but its token says nothing of the session cookie, which may be forged.
 */
static enum http_status
check_form(struct page *page, const struct page_route *route)
{
	struct text sent = crypto_unmask_digest(
	    page->arena, pairs_get(&page->request->form, TEXT("csrf")));
	struct text token = page->token;

	if (!is_post(page))
		return HTTP_OK;
	log_wrong_origin(page);
	if (access_rule_of(page, route)->form_cookie) {
		cookie_use_form(page);
		token = page->form_token;
	} else if (token.size == 0) {
		return HTTP_OK;
	}
	if (has_foreign_origin(page) || token.size == 0)
		return page_refuse(page, REASON_STALE_FORM);
	if (crypto_equal(sent, token))
		return HTTP_OK;
	page->was_for_next_session = cookie_was_for_next_session(page, sent);
	return page->was_for_next_session
	    ? HTTP_OK
	    : page_refuse(page, REASON_STALE_FORM);
}

/* Redirects to the log-in page. What was sent goes along where the row has prepared
 * it; otherwise a note says that it was lost with the session. */
static enum http_status
send_to_login(struct page *page, const struct page_route *route)
{
	bool is_resumed = route->prepare != NULL && page->prepared == HTTP_OK;

	if (is_post(page) && !is_resumed)
		cookie_set_note(page, NOTE_ENDED);
	return page_redirect(page, page_login_path(page));
}

/* A new member's first page offers recovery codes, after the redirects to it. */
static enum http_status
show_page(struct page *page, const struct page_route *route)
{
	enum http_status status;

	page->has_registered =
	    page_is_signed_in(page) && cookie_has_note(page, NOTE_REGISTERED);
	status = route->form != NULL ? route->form(page, HTTP_OK)
				     : route->page(page);
	if (page->has_registered && status == HTTP_OK)
		cookie_take_note(page, NOTE_REGISTERED);
	return status;
}

/* Guards 7 to 10, and then the page. */
static enum http_status
run_page(struct page *page, const struct page_route *route)
{
	const struct access_rule *access = access_rule_of(page, route);
	enum http_status status = check_access(page, access);

	/* Registering makes another member each time: so what anyone may send is
	 * counted by network. */
	if (status == HTTP_OK && is_post(page) && access->form_cookie)
		status = page_limit_network(page, route->limit);
	else if (status == HTTP_OK && page->was_for_next_session &&
	    page_is_signed_in(page))
		status = page_limit_viewer(page, route->limit);
	if (status == HTTP_OK)
		status = page->prepared;
	if (status == HTTP_OK && !is_post(page) && !page_parse_numbers(page))
		status = HTTP_BAD_REQUEST;
	if (status != HTTP_OK)
		return status;
	if (access->has_session)
		page_load(page);
	if (is_post(page))
		return route->action(page);
	if (access->has_session && visitors_is_deep(page))
		status = visitors_admit(page);
	if (status != HTTP_OK)
		return status;
	return show_page(page, route);
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

/* Shows the form with what was typed, and why it was refused: also when the session that
 * it was typed in has ended. */
static enum http_status
show_form_again(
    struct page *page, const struct page_route *route, enum http_status status)
{
	if (status == HTTP_UNAUTHORIZED)
		cookie_use_next_session(page);
	return route->form(page, status);
}

/* Gives a refusal that the page left without a body its form or its error page. */
static enum http_status
finish_refusal(
    struct page *page, const struct page_route *route, enum http_status status)
{
	static struct event_limiter mark;

	if (status == HTTP_UNAVAILABLE && is_post(page) &&
	    (page->reason == REASON_DEFAULT || page->reason == REASON_DOWN) &&
	    site_is_full(page->store))
		page->reason = REASON_FULL;
	if (status == HTTP_FORBIDDEN)
		page_event_few(
		    page, &mark, (struct event){ .name = EVENT_REFUSED });
	if (is_bare_refusal(page, status) && is_post(page) &&
	    route->form != NULL) {
		page_load(page);
		status = show_form_again(page, route, status);
	}
	if (status == HTTP_UNAUTHORIZED && is_bare(page))
		return send_to_login(page, route);
	/* An error page is not theirs who have the secret of a feed. */
	if (page->is_keyed)
		page->viewer = (struct user){ .id = 0 };
	if (is_bare_refusal(page, status))
		status = page_error(page, status);
	if (status == HTTP_UNAVAILABLE)
		page->response->retry_after = RETRY_SECONDS;
	return status;
}

/* Guards 4 to 6, the page behind the others, and what follows a refusal. */
static enum http_status
answer_route(
    struct page *page, const struct page_route *route, enum http_status parsed)
{
	enum http_status status = parsed, session;

	if (access_rule_of(page, route)->has_session)
		load_token(page);
	if (status == HTTP_OK && page->request->is_multipart &&
	    !route->takes_files)
		status = HTTP_BAD_REQUEST;
	if (status == HTTP_OK)
		status = check_form(page, route);
	if (status == HTTP_OK && route->prepare != NULL)
		page->prepared = route->prepare(page);
	session = check_lease(page, access_rule_of(page, route));
	/* Refused or not, a member sees the page as a member. */
	if (session == HTTP_OK)
		session = load_session(page, route, status == HTTP_OK);
	if (status == HTTP_OK)
		status = session;
	if (status == HTTP_OK)
		status = run_page(page, route);
	return finish_refusal(page, route, status);
}

/* 301 to the address that was meant, when the path differs from one in case or in
 * slashes at its end; else the status that the path has. */
static enum http_status
correct_path(struct page *page, struct request *request,
    const struct route_table *table, struct route_match match)
{
	struct text meant = route_correct_path(
	    page->arena, table->routes, table->count, request->path);
	struct request moved = *request;
	struct route_match found;

	page->response->allow = match.allow;
	if (request->method == HTTP_POST || meant.size == 0 ||
	    text_equal(meant, request->path))
		return match.status;
	page->response->allow = NULL;
	moved.path = meant;
	found = route_find(page->arena, table->routes, table->count, &moved);
	if (found.status == HTTP_OK)
		request_filter_query(
		    page->arena, request, table->pages[found.row].query);
	return page_move(page, PAGE_THIS_SITE, meant);
}

/* Whether a GET's query has only names that the page knows, in canonical spelling. */
static bool
has_canonical_query(
    struct page *page, struct request *request, const struct page_route *route)
{
	return request_filter_query(page->arena, request, route->query) ||
	    is_post(page);
}

/* Guards 2 and 3. HTTP_OK when a row answers. */
static enum http_status
check_address(struct page *page, struct request *request,
    enum http_status parsed, const struct route_table *table,
    struct route_match match)
{
	bool is_found = match.status == HTTP_OK;
	const struct page_route *route = &table->pages[match.row];
	bool is_canonical = !is_found || parsed != HTTP_OK ||
	    has_canonical_query(page, request, route);
	enum http_status status = HTTP_OK;

	if (!is_found || !access_rule_of(page, route)->any_host)
		status = host_check(page);
	if (status != HTTP_OK)
		return status;
	if (!is_found)
		return parsed == HTTP_OK
		    ? correct_path(page, request, table, match)
		    : parsed;
	return is_canonical ? HTTP_OK
			    : page_move(page, PAGE_THIS_SITE, request->path);
}

/* An error page where no row answers, as the member sees it who is signed in; at another
 * host no session is looked up. */
static enum http_status
refuse_address(struct page *page, enum http_status status)
{
	static const struct page_route none = { .sees = ANYONE,
		.sends = ANYONE };

	if (status != HTTP_MISDIRECTED) {
		load_token(page);
		/* Without Redis this address is as wrong. */
		(void)load_session(page, &none, false);
	}
	return page_error(page, status);
}

/* Takes the ending of a feed off the path. */
static enum page_format
cut_ending(struct request *request)
{
	static const struct text endings[] = { [FORMAT_ATOM] =
						   TEXT_INIT(".atom"),
		[FORMAT_JSON] = TEXT_INIT(".json") };

	for (enum page_format f = FORMAT_ATOM; f <= FORMAT_JSON; f++) {
		size_t size = request->path.size - endings[f].size;

		if (request->path.size <= endings[f].size ||
		    !text_equal(endings[f],
			text_slice(request->path, size, endings[f].size)))
			continue;
		request->ending = endings[f];
		request->path.size = size;
		return f;
	}
	return FORMAT_HTML;
}

void
dispatch_request(const struct app *app, struct arena *arena,
    struct request *request, struct response *response)
{
	struct page page = { .store = app->store,
		.arena = arena,
		.app = app,
		.request = request,
		.response = response,
		.number = 1,
		.from = 1,
		.prepared = HTTP_OK,
		.day_bytes = DAY_BYTES_UNREAD };
	enum http_status parsed = request_parse(arena, request);
	const struct route_table *table;
	struct route_match match;
	enum http_status status;

	page.format = cut_ending(request);
	table = &route_tables[page_is_feed(&page)];
	match = route_find(arena, table->routes, table->count, request);
	*response = (struct response){ .status = HTTP_OK };
	if (match.status == HTTP_OK)
		page.place =
		    table->routes[match.row].gets ? PLACE_OWN : PLACE_PARENT;
	status = check_address(&page, request, parsed, table, match);
	if (status == HTTP_OK)
		status = answer_route(&page, &table->pages[match.row], parsed);
	else if (status >= HTTP_BAD_REQUEST)
		status = refuse_address(&page, status);
	response->status = status;
	visitors_end(&page);
	counters_add_request(match.status == HTTP_OK
		? table->counter + match.row
		: COUNTER_ROUTES_MAX,
	    (unsigned)status);
	page_release(&page);
}

struct text
dispatch_path(size_t row)
{
	_Static_assert((int)ROUTES + (int)FEEDS <= (int)COUNTER_ROUTES_MAX,
	    "all routes are counted");
	if (row < ROUTES)
		return routes[row].path;
	return row < (size_t)ROUTES + FEEDS ? page_feeds[row - ROUTES].name
					    : TEXT("");
}
