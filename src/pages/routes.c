#include "base/arena.h"
#include "base/crypto.h"
#include "base/url.h"
#include "pages/page.h"
#include "store/limit.h"

enum access { ANYONE, MEMBERS, MODERATORS };

struct route {
	enum http_method method;
	enum access access;
	enum limit limit;
	struct text path;
	page_answer *page;
	page_refusal *refused;
};

#define ROUTE(method_, path_, access_, limit_, page_, refused_) \
	{ .method = (HTTP_##method_), \
		.path = TEXT_INIT(path_), \
		.access = (access_), \
		.limit = (limit_), \
		.page = (page_), \
		.refused = (refused_) },
static const struct route routes[] = {
#include "pages/routes.h"
};
#undef ROUTE

enum { ROUTES = sizeof(routes) / sizeof(routes[0]), MAX_VALUES = 4 };

/* After which Redis may answer again. */
enum { RETRY_SECONDS = 2 };

/* Whether a path has the shape of a row; the parts that vary become values. */
static bool
path_fits(struct text shape, struct text path, struct pairs *values)
{
	struct text wanted, part;

	values->count = 0;
	while (text_cut(&shape, '/', &wanted)) {
		if (!text_cut(&path, '/', &part))
			return false;
		if (!text_starts(wanted, TEXT(":"))) {
			if (!text_equal(wanted, part))
				return false;
			continue;
		}
		if (part.size == 0 || values->count == MAX_VALUES)
			return false;
		values->items[values->count++] =
		    (struct pair){ text_slice(wanted, 1, wanted.size), part };
	}
	return path.data == NULL;
}

static bool
method_fits(enum http_method method, enum http_method wanted)
{
	return method == wanted || (method == HTTP_HEAD && wanted == HTTP_GET);
}

/*
 * The row of a request. NULL when there is none: then *allow names the methods
 * that the path has, or is NULL when there is no such path at all.
 */
static const struct route *
find_route(struct arena *arena, struct request *request, const char **allow)
{
	bool get = false, post = false;

	request->path_values.items = arena_new(arena, struct pair, MAX_VALUES);
	for (size_t i = 0; i < ROUTES; i++) {
		const struct route *route = &routes[i];

		if (!path_fits(
			route->path, request->path, &request->path_values))
			continue;
		if (method_fits(request->method, route->method))
			return route;
		get = get || route->method == HTTP_GET;
		post = post || route->method == HTTP_POST;
	}
	*allow = get && post ? "GET, HEAD, POST"
	    : get	     ? "GET, HEAD"
	    : post	     ? "POST"
			     : NULL;
	return NULL;
}

/* Who the cookie says is there. HTTP_OK for nobody, too. Where nothing is going
 * to be changed the page may well be a list. */
static enum http_status
load_session(struct page *page)
{
	struct text cookie = page_session_cookie(page);
	struct versions *versions = NULL;
	enum store_result result;

	if (cookie.size == 0)
		return HTTP_OK;
	if (page->request->method != HTTP_POST)
		versions = arena_new(page->arena, struct versions, 1);
	result = session_find(page->store, page->arena, cookie, &page->viewer,
	    &page->token, versions);
	if (result == STORE_OK)
		page->versions = versions;
	if (result == STORE_DOWN)
		return HTTP_UNAVAILABLE;
	if (result == STORE_ABSENT) {
		page->viewer = (struct user){ .id = 0 };
		page->token = (struct text){ NULL, 0 };
	}
	return HTTP_OK;
}

static enum http_status
check_access(const struct page *page, const struct route *route)
{
	if (route->access == ANYONE)
		return HTTP_OK;
	if (!page_is_signed_in(page))
		return HTTP_UNAUTHORIZED;
	if (route->access == MODERATORS && !page_is_moderator(page))
		return HTTP_FORBIDDEN;
	return HTTP_OK;
}

/* A POST has to come from a form of this site, for this reader. */
static enum http_status
check_form(struct page *page, const struct route *route)
{
	struct text sent = pairs_get(&page->request->form, TEXT("csrf"));
	struct text token = page->token;

	if (route->method != HTTP_POST)
		return HTTP_OK;
	if (route->access == ANYONE) {
		page_use_form_cookie(page);
		token = page->form_token;
	}
	if (request_origin_of(page->request, page->app->origin) == ORIGIN_OTHER)
		return HTTP_FORBIDDEN;
	return token.size > 0 && crypto_equal(sent, token) ? HTTP_OK
							   : HTTP_FORBIDDEN;
}

/* Members are counted as such; on what is for anyone, readers by where they
 * are: whoever registers is another member each time. */
static enum http_status
count(struct page *page, const struct route *route)
{
	struct text who = route->access == ANYONE
	    ? limit_address(page->arena, page->request->address)
	    : text_number(page->arena, (int64_t)page->viewer.id);

	return page_limit(page, route->limit, who);
}

/* Nobody is signed in: to the log-in page, and back to where this was. */
static enum http_status
send_to_login(struct page *page)
{
	const struct request *request = page->request;
	struct text back = page_return_to(page, TEXT("/"));
	struct text target = request_target(page->arena, request);

	if (request->method != HTTP_POST && url_is_local_path(target))
		back = target;
	return page_redirect(page,
	    text_join(page->arena, TEXT("/login?return_to="),
		url_encode(page->arena, back)));
}

static enum http_status
answer_route(
    struct page *page, const struct route *route, enum http_status parsed)
{
	enum http_status status = parsed;

	if (status == HTTP_OK)
		status = load_session(page);
	if (status == HTTP_OK)
		status = check_access(page, route);
	if (status == HTTP_UNAUTHORIZED && route->refused == page_error)
		return send_to_login(page);
	if (status == HTTP_OK)
		status = check_form(page, route);
	if (status == HTTP_OK)
		status = count(page, route);
	if (status == HTTP_OK)
		status = route->page(page);
	if (status >= HTTP_BAD_REQUEST && page->response->body.size == 0)
		status = route->refused(page, status);
	if (status == HTTP_UNAVAILABLE)
		page->response->retry_after = RETRY_SECONDS;
	return status;
}

void
page_serve(const struct app *app, struct arena *arena, struct request *request,
    struct response *response)
{
	struct page page = { .store = app->store,
		.arena = arena,
		.app = app,
		.request = request,
		.response = response };
	enum http_status parsed = request_parse(arena, request);
	const char *allow = NULL;
	const struct route *route = find_route(arena, request, &allow);

	*response = (struct response){ .status = HTTP_OK };
	if (route != NULL) {
		response->status = answer_route(&page, route, parsed);
		return;
	}
	if (parsed == HTTP_OK)
		parsed =
		    allow == NULL ? HTTP_NOT_FOUND : HTTP_METHOD_NOT_ALLOWED;
	if (parsed == HTTP_METHOD_NOT_ALLOWED)
		response->allow = allow;
	response->status = page_error(&page, parsed);
}
