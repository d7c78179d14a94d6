#include "views/owner.h"
#include "pages/comment_body.h"
#include "pages/cookie.h"
#include "pages/form.h"

static const struct form_row rows[] = { OWNER_INPUTS(FORM_ROW) };
static const struct form form = FORM_OF(rows);

static enum http_status
show_owner_form(
    struct page *page, enum http_status status, struct owner_form *inputs)
{
	struct owner_model model = owner_model_of(inputs);

	/* A style sheet that hides everything can be corrected here. */
	page->is_unstyled = true;
	model.form = form_model_of(page, &form, inputs, status);
	model.inputs = *inputs;
	model.changed = status == HTTP_OK && cookie_take_note(page, NOTE_SITE);
	return page_show(page, status, &owner_view, &model);
}

enum http_status
owner_form(struct page *page, enum http_status status)
{
	struct owner_form inputs;
	struct settings settings;

	form_fill(&form, page_sent(page), &inputs);
	if (status != HTTP_OK)
		return page->viewer.role == ROLE_OWNER ||
			status == HTTP_UNAUTHORIZED
		    ? show_owner_form(page, status, &inputs)
		    : status;
	if (settings_get(page->store, page->arena, &settings) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	form_load(&form, &settings_schema, EDIT_NEVER, &settings, &inputs);
	return show_owner_form(page, HTTP_OK, &inputs);
}

/* The texts in Markdown have the rules of articles' as well. */
static bool
read_owner_form(struct page *page, struct owner_form *inputs)
{
	struct input *const texts[] = { &inputs->about, &inputs->rules,
		&inputs->announcement };
	bool good = form_read(&form, page->arena, page_sent(page), inputs);

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		good = comment_body_check(page, texts[i]) && good;
	return good;
}

enum http_status
owner_action(struct page *page)
{
	struct owner_form inputs;
	struct settings settings = { .name = TEXT("") };
	enum store_result result;

	if (!read_owner_form(page, &inputs))
		return show_owner_form(page, HTTP_UNPROCESSABLE, &inputs);
	form_store(&form, &inputs, &settings_schema, &settings);
	result = settings_set(page->store, page->arena, &settings);
	if (result != STORE_OK)
		return page_failed(page, result);
	page_event(page, (struct event){ .name = EVENT_SETTINGS_CHANGED });
	cookie_set_note(page, NOTE_SITE);
	return page_redirect(page, TEXT("/settings/site"));
}

/* Cached for a year under the address with its version; under any other version, which
 * anyone can make up, not at all. */
static enum http_status
serve_style(struct page *page, struct text style, struct text version)
{
	struct text named = pairs_get(&page->request->query, TEXT("v"));

	page->response->type = TYPE_CSS;
	page->response->cache =
	    text_equal(named, version) ? CACHE_ONE_YEAR : CACHE_NEVER;
	page->response->body = style;
	return HTTP_OK;
}

/* The file style.css, which nginx cannot serve under its version. */
enum http_status
owner_base_style_page(struct page *page)
{
	return serve_style(
	    page, page->app->base_style, page->app->base_style_version);
}

/* The owners' style sheet. */
enum http_status
owner_style_page(struct page *page)
{
	struct text style;

	page_load(page);
	style = text_copy(page->arena, page->settings->style);
	if (style.size == 0)
		return HTTP_NOT_FOUND;
	return serve_style(page, style,
	    text_number(page->arena, (int64_t)page->settings_held->version));
}
