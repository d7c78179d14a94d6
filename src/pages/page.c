#include "pages/page.h"

#include "base/arena.h"
#include "base/crypto.h"
#include "base/url.h"
#include "store/limit.h"

enum { FORM_COOKIE_BYTES = 16, MAX_PAGE_NUMBER = 999999999 };

bool
page_is_signed_in(const struct page *page)
{
	return page->viewer.id != 0;
}

bool
page_is_moderator(const struct page *page)
{
	return page_is_signed_in(page) && page->viewer.role == ROLE_MODERATOR;
}

static bool
is_https(const struct page *page)
{
	return page->request->https ||
	    text_starts(page->app->origin, TEXT("https://"));
}

/* Under https a name that only this host, over https, can set (RFC 6265bis). */
static struct text
session_cookie_name(const struct page *page)
{
	return is_https(page) ? TEXT("__Host-tally") : TEXT("tally");
}

static struct text
form_cookie_name(const struct page *page)
{
	return is_https(page) ? TEXT("__Host-tally-form") : TEXT("tally-form");
}

struct text
page_session_cookie(const struct page *page)
{
	return request_cookie(page->request, session_cookie_name(page));
}

void
page_set_session(struct page *page, struct text cookie)
{
	response_set_cookie(page->response, page->arena,
	    session_cookie_name(page), cookie,
	    cookie.size == 0 ? COOKIE_ENDED
			     : page->store->rules.session_seconds,
	    is_https(page));
}

void
page_use_form_cookie(struct page *page)
{
	struct text name = form_cookie_name(page);
	struct text secret = request_cookie(page->request, name);

	if (secret.size != (size_t)FORM_COOKIE_BYTES * 2) {
		secret = crypto_random_hex(page->arena, FORM_COOKIE_BYTES);
		response_set_cookie(page->response, page->arena, name, secret,
		    0, is_https(page));
	}
	page->form_token = session_token(page->store, page->arena, secret);
}

enum http_status
page_show(struct page *page, enum http_status status, const struct view *view,
    const void *model)
{
	struct text here = request_target(page->arena, page->request);
	struct frame frame = { .csrf = page->token,
		.here = here,
		.here_encoded = url_encode(page->arena, here),
		.signed_in = page_is_signed_in(page),
		.viewer = page->viewer.name };

	page->response->body =
	    views_page(page->app->views, page->arena, view, &frame, model);
	return status;
}

enum http_status
page_redirect(struct page *page, struct text path)
{
	page->response->location = path;
	return HTTP_SEE_OTHER;
}

const struct pairs *
page_sent(const struct page *page)
{
	return page->request->method == HTTP_POST ? &page->request->form
						  : &page->request->query;
}

struct text
page_return_to(const struct page *page, struct text otherwise)
{
	struct text path = pairs_get(page_sent(page), TEXT("return_to"));

	return url_is_local_path(path) ? path : otherwise;
}

struct text
page_way_back(const struct page *page)
{
	return page_is_signed_in(page)
	    ? (struct text){ NULL, 0 }
	    : request_target(page->arena, page->request);
}

bool
page_number(const struct page *page, uint64_t *number)
{
	const struct pairs *query = &page->request->query;

	*number = 1;
	if (!pairs_has(query, TEXT("page")))
		return true;
	return pairs_get_id(query, TEXT("page"), number) &&
	    *number <= MAX_PAGE_NUMBER;
}

enum http_status
page_refuse(struct page *page, enum reason reason)
{
	page->reason = reason;
	return (enum http_status)words_status(reason);
}

enum http_status
page_failed(struct page *page, enum store_result result)
{
	static const enum reason reasons[] = {
		[STORE_OK] = REASON_DOWN,
		[STORE_ABSENT] = REASON_NO_PAGE,
		[STORE_TAKEN] = REASON_TAKEN,
		[STORE_REMOVED] = REASON_REMOVED,
		[STORE_CLOSED] = REASON_CLOSED,
		[STORE_FULL] = REASON_UNPROCESSABLE,
		[STORE_LIMITED] = REASON_LIMITED,
		[STORE_DOWN] = REASON_DOWN,
	};

	return page_refuse(page, reasons[result]);
}

enum http_status
page_limit(struct page *page, enum limit kind, struct text who)
{
	int64_t wait = 0;
	enum store_result result = limit_take(page->store, page->arena, kind,
	    limit_of(page->arena, kind, who), &wait);

	return result == STORE_OK ? HTTP_OK : page_limited(page, result, wait);
}

enum http_status
page_limited(struct page *page, enum store_result result, int64_t wait)
{
	if (result == STORE_LIMITED)
		page->response->retry_after = (int)wait;
	return page_failed(page, result);
}

struct reason_words
page_explain(const struct page *page, enum http_status status)
{
	struct reason_words words = words_reason(page->reason, (int)status);

	if (status == HTTP_TOO_MANY_REQUESTS)
		words.advice =
		    words_come_back(page->arena, page->response->retry_after);
	return words;
}

enum http_status
page_error(struct page *page, enum http_status status)
{
	struct reason_words words = page_explain(page, status);

	return page_show(page, status, &error_view, &words);
}
