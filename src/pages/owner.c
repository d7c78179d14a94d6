#include "views/owner.h"
#include "pages/comment_body.h"
#include "pages/cookie.h"
#include "pages/form.h"
#include "store/move.h"

static const struct form_row rows[] = { OWNER_INPUTS(FORM_ROW) };
static const struct form form = FORM_OF(rows);

static struct image_model
image_model_of(const struct page *page, enum image_kind kind)
{
	return (struct image_model){ .name = image_names[kind],
		.version = page->settings_held->images[kind].version };
}

/* The form with those of the images, of which one may have a problem; move is NULL where it is
 * not read. */
static enum http_status
show_owner_form(struct page *page, enum http_status status,
    struct owner_form *inputs, const struct image_model *refused,
    const struct move *move)
{
	struct owner_model model = owner_model_of(inputs);

	/* A style sheet that hides everything can be corrected here. */
	page->is_unstyled = true;
	model.form = form_model_of(page, &form, inputs, status);
	model.inputs = *inputs;
	model.usual_interesting = page->store->rules.interesting;
	model.logo = image_model_of(page, IMAGE_LOGO);
	model.icon = image_model_of(page, IMAGE_ICON);
	if (refused != NULL)
		*(text_equal(refused->name, model.logo.name) ? &model.logo
							     : &model.icon) =
		    *refused;
	if (move != NULL) {
		model.is_moving = move->from != 0;
		model.moved_percent = move_percent(move);
	}
	model.changed = status == HTTP_OK && cookie_take_note(page, NOTE_SITE);
	return page_show(page, status, &owner_view, &model);
}

/* With the settings as they are. */
static enum http_status
show_stored(struct page *page, enum http_status status,
    const struct image_model *refused)
{
	const struct pairs none = { .count = 0 };
	const struct buckets *buckets = &page->store->buckets;
	struct pipeline pipeline =
	    pipeline_begin(page->store->redis, page->arena);
	struct owner_form inputs;
	struct settings settings;
	struct move move;
	bool is_partial = false;

	form_fill(&form, &none, &inputs);
	settings_ask(&pipeline, buckets);
	move_ask(&pipeline, buckets);
	if (store_run_partial(page->store, &pipeline, &is_partial) !=
		STORE_OK ||
	    pipeline.replies[0].kind == REPLY_LOST)
		return page_failed(page, STORE_DOWN);
	settings_take(&pipeline.replies[0], &settings);
	move = move_take(&pipeline.replies[1], buckets);
	form_load(&form, &settings_schema, EDIT_NEVER, &settings, &inputs);
	return show_owner_form(page, status, &inputs, refused, &move);
}

enum http_status
owner_form(struct page *page, enum http_status status)
{
	struct owner_form inputs;

	form_fill(&form, page_sent(page), &inputs);
	if (status != HTTP_OK)
		return page->viewer.role == ROLE_OWNER ||
			status == HTTP_UNAUTHORIZED
		    ? show_owner_form(page, status, &inputs, NULL, NULL)
		    : status;
	return show_stored(page, HTTP_OK, NULL);
}

static enum http_status
finish_change(struct page *page, enum store_result result)
{
	if (result != STORE_OK)
		return page_failed(page, result);
	page_event(page, (struct event){ .name = EVENT_SETTINGS_CHANGED });
	cookie_set_note(page, NOTE_SITE);
	return page_redirect(page, TEXT("/settings/site"));
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
		return show_owner_form(
		    page, HTTP_UNPROCESSABLE, &inputs, NULL, NULL);
	form_store(&form, &inputs, &settings_schema, &settings);
	result = settings_set(page->store, page->arena, &settings);
	return finish_change(page, result);
}

/* Stores a file that was sent as "file"; or, with "do=remove", removes the image. */
enum http_status
owner_image_action(struct page *page)
{
	struct text name =
	    pairs_get(&page->request->path_values, TEXT("image"));
	struct text file = pairs_get(&page->request->files, TEXT("file"));
	struct problem problem = { .kind = PROBLEM_NONE };
	struct image_model refused;
	size_t kind;

	if (!text_index(name, image_names, IMAGES, &kind))
		return HTTP_NOT_FOUND;
	if (text_equal(pairs_get(page_sent(page), TEXT("do")), TEXT("remove")))
		file = TEXT("");
	else
		problem = rule_image(page->arena, &file);
	if (problem.kind == PROBLEM_NONE)
		return finish_change(page,
		    image_set(
			page->store, page->arena, (enum image_kind)kind, file));
	refused = image_model_of(page, (enum image_kind)kind);
	refused.problem = message_problem(page->arena, &problem);
	return show_stored(page, HTTP_UNPROCESSABLE, &refused);
}

/* Cached for a year under the address with its version; under any other version, which
 * anyone can make up, not at all. */
static enum http_status
serve_file(struct page *page, enum response_type type, struct text file,
    struct text version)
{
	struct text named = pairs_get(&page->request->query, TEXT("v"));

	if (file.size == 0)
		return HTTP_NOT_FOUND;
	page->response->type = type;
	page->response->cache =
	    text_equal(named, version) ? CACHE_ONE_YEAR : CACHE_NEVER;
	page->response->body = file;
	return HTTP_OK;
}

/* The file style.css, which nginx cannot serve under its version. */
enum http_status
owner_base_style_page(struct page *page)
{
	return serve_file(page, TYPE_CSS, page->app->base_style,
	    page->app->base_style_version);
}

/* The owners' style sheet. */
enum http_status
owner_style_page(struct page *page)
{
	struct text style;

	page_load(page);
	style = text_copy(page->arena, page->settings->style);
	return serve_file(page, TYPE_CSS, style,
	    text_number(page->arena, (int64_t)page->settings_held->version));
}

static enum http_status
serve_image(struct page *page, enum image_kind kind)
{
	const struct image *image;

	page_load(page);
	image = &page->settings_held->images[kind];
	return serve_file(
	    page, TYPE_PNG, text_copy(page->arena, image->png), image->version);
}

enum http_status
owner_logo_page(struct page *page)
{
	return serve_image(page, IMAGE_LOGO);
}

enum http_status
owner_icon_page(struct page *page)
{
	return serve_image(page, IMAGE_ICON);
}
