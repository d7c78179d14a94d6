#include "pages/page.h"

#include "base/arena.h"
#include "base/crypto.h"
#include "base/url.h"
#include "store/limit.h"
#include "views/format.h"

enum { FORM_COOKIE_BYTES = 16 };

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

struct frame
page_frame(const struct page *page, struct text title)
{
	return (struct frame){
		.title = title,
		.csrf = page->token,
		.here = request_target(page->arena, page->request),
		.here_encoded = url_encode(
		    page->arena, request_target(page->arena, page->request)),
		.signed_in = page_is_signed_in(page),
		.moderator = page_is_moderator(page),
		.viewer = page->viewer.name,
	};
}

enum http_status
page_show(struct page *page, enum http_status status, const struct view *view,
    struct text title, const void *model)
{
	struct frame frame = page_frame(page, title);

	page->response->body = views_render(
	    page->app->views, page->arena, view, &frame, model, VIEWS_PAGE)
				   .text;
	return status;
}

enum http_status
page_redirect(struct page *page, struct text path)
{
	page->response->location = path;
	return HTTP_SEE_OTHER;
}

struct text
page_return_to(const struct page *page, struct text otherwise)
{
	const struct request *request = page->request;
	struct text path = pairs_get(
	    request->method == HTTP_POST ? &request->form : &request->query,
	    TEXT("return_to"));

	return url_is_local_path(path) ? path : otherwise;
}

enum http_status
page_failed(enum store_result result)
{
	switch (result) {
	case STORE_OK:
	case STORE_DOWN:
		break;
	case STORE_ABSENT:
		return HTTP_NOT_FOUND;
	case STORE_REMOVED:
		return HTTP_GONE;
	case STORE_CLOSED:
	case STORE_TAKEN:
		return HTTP_CONFLICT;
	case STORE_FULL:
		return HTTP_UNPROCESSABLE;
	case STORE_LIMITED:
		return HTTP_TOO_MANY_REQUESTS;
	}
	return HTTP_UNAVAILABLE;
}

enum http_status
page_limit(struct page *page, enum limit kind, struct text who)
{
	int64_t wait = 0;
	enum store_result result =
	    limit_take(page->store, page->arena, kind, who, &wait);

	if (result == STORE_OK)
		return HTTP_OK;
	if (result == STORE_LIMITED)
		page->response->retry_after = (int)wait;
	return page_failed(result);
}

struct text
page_when_to_come_back(const struct page *page)
{
	return text_format(page->arena, "Come back in %.*s.",
	    TEXT_ARGS(format_span(page->arena, page->response->retry_after)));
}

enum http_status
page_error(struct page *page, enum http_status status)
{
	struct error_model model = error_model_of((int)status);

	if (status == HTTP_TOO_MANY_REQUESTS)
		model.advice = page_when_to_come_back(page);
	return page_show(page, status, &error_view, model.title, &model);
}

struct form_model
page_form(const struct page *page, const struct form *form, const void *values,
    const struct text *problems)
{
	struct field_line *lines =
	    arena_new(page->arena, struct field_line, form->count);
	struct form_model model = { .csrf = page->form_token.size > 0
		    ? page->form_token
		    : page->token };

	for (size_t i = 0; i < form->count; i++) {
		const struct form_field *field = &form->fields[i];

		lines[i] = (struct field_line){
			.name = text_of(field->name),
			.label = text_of(field->label),
			.hint = text_of(field->hint),
			.input = text_of(field->input),
			.autocomplete = text_of(field->autocomplete),
			.most = field->most,
			.required = field->required,
			.value = values == NULL ? (struct text){ NULL, 0 }
						: form_value(field, values),
		};
		if (problems != NULL && problems[i].size > 0) {
			lines[i].problem = problems[i];
			model.has_problems = true;
		}
	}
	model.fields = (struct mustache_list){ lines, form->count };
	return model;
}
