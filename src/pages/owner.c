#include "views/owner.h"
#include "pages/comment_body.h"
#include "pages/cookie.h"
#include "pages/form.h"
#include "store/move.h"
#include "store/pace.h"

static const struct form_row rows[] = { OWNER_INPUTS(FORM_ROW) };
static const struct form form = FORM_OF(rows);

static struct image_model
image_model_of(const struct page *page, enum image_kind kind)
{
	return (struct image_model){ .name = image_names[kind],
		.version = page->settings_held->images[kind].version };
}

/* What goes on with the data. */
struct progress {
	struct move move;
	struct pace pace;
};

static void
show_progress(struct owner_model *model, const struct progress *progress)
{
	const struct pace *pace = &progress->pace;

	model->is_moving = progress->move.from != 0;
	model->moved_percent = move_percent(&progress->move);
	model->is_pacing = pace_is_changing(pace);
	model->paced_percent = pace_percent(pace);
	model->votes_now = rule_votes_a_day(pace->vote_score);
	model->votes_wanted = rule_votes_a_day(pace->wanted);
}

/* Shows the form and those of the images. refused is an image with a problem, or NULL; progress
 * is NULL where it is not read. */
static enum http_status
show_owner_form(struct page *page, enum http_status status,
    struct owner_form *inputs, const struct image_model *refused,
    const struct progress *progress)
{
	struct owner_model model = owner_model_of(inputs);

	model.languages = language_choices(page->arena, inputs->language.value);
	/* A style sheet that hides everything can be corrected here. */
	page->is_unstyled = true;
	model.form = form_model_of(page, &form, inputs, status);
	model.inputs = *inputs;
	model.usual_interesting = page->store->rules.interesting;
	model.usual_days = RULE_NEWCOMER_DAYS;
	model.usual_votes = RULE_NEWCOMER_VOTES;
	model.usual_posts = page->store->rules.limits[LIMIT_NEWCOMER_POST];
	model.usual_comments =
	    page->store->rules.limits[LIMIT_NEWCOMER_COMMENT];
	model.logo = image_model_of(page, IMAGE_LOGO);
	model.icon = image_model_of(page, IMAGE_ICON);
	if (refused != NULL)
		*(text_equal(refused->name, model.logo.name) ? &model.logo
							     : &model.icon) =
		    *refused;
	if (progress != NULL)
		show_progress(&model, progress);
	model.changed = status == HTTP_OK && cookie_take_note(page, NOTE_SITE);
	model.is_new_owner = cookie_take_note(page, NOTE_OWNER);
	return page_show(page, status, &owner_view, &model);
}

/* The wanted worth of a vote as a choice, or as a number. */
static void
load_votes(struct page *page, const struct settings *settings,
    struct owner_form *inputs)
{
	int64_t wanted = settings_vote_score(
	    settings->vote_score, page->store->rules.vote_score);
	int64_t votes = rule_votes_a_day(wanted);
	struct text number = text_number(page->arena, votes);
	struct text choice = number;

	inputs->votes_a_day.value = number;
	if (rule_votes_choice(page->arena, &choice).kind == PROBLEM_NONE &&
	    rule_vote_score(votes) == wanted)
		return;
	inputs->votes_a_day.value = TEXT(RULE_VOTES_OTHER);
	inputs->votes_number.value = number;
}

/* The vote score to store for what was entered: the present one where nothing was, or what it
 * is shown as; points are whole numbers, and not every number of votes makes a day. */
static enum store_result
store_votes(struct page *page, const struct owner_form *inputs,
    struct settings *settings)
{
	struct text entered = inputs->votes_a_day.value;
	struct settings present;
	int64_t votes;

	if (settings_get(page->store, page->arena, &present) != STORE_OK)
		return STORE_DOWN;
	settings->vote_score = present.vote_score;
	if (text_equal(entered, TEXT(RULE_VOTES_OTHER)))
		entered = inputs->votes_number.value;
	votes = reply_number_of(entered);
	if (votes > 0 &&
	    votes !=
		rule_votes_a_day(settings_vote_score(
		    present.vote_score, page->store->rules.vote_score)))
		settings->vote_score =
		    text_number(page->arena, rule_vote_score(votes));
	return STORE_OK;
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
	struct progress progress;
	size_t pace_at;
	bool is_partial = false;

	form_fill(&form, &none, &inputs);
	settings_ask(&pipeline, buckets);
	move_ask(&pipeline, buckets);
	pace_at = pipeline.count;
	pace_ask(&pipeline, buckets);
	if (store_run_partial(page->store, &pipeline, &is_partial) !=
		STORE_OK ||
	    pipeline.replies[0].kind == REPLY_LOST)
		return page_failed(page, STORE_DOWN);
	settings_read(&pipeline.replies[0], &settings);
	progress.move = move_read(&pipeline.replies[1], buckets);
	progress.pace = pace_read(&pipeline.replies[pace_at], page->store);
	form_load(&form, &settings_schema, EDIT_NEVER, &settings, &inputs);
	load_votes(page, &settings, &inputs);
	return show_owner_form(page, status, &inputs, refused, &progress);
}

/* Of a refusal that had no settings, no form is shown: if it were sent, it would empty them. */
enum http_status
owner_form(struct page *page, enum http_status status)
{
	bool is_shown = page->viewer.role == ROLE_OWNER ||
	    page_has_unknown_sender(page, status);
	struct owner_form inputs;

	if (status == HTTP_OK)
		return show_stored(page, HTTP_OK, NULL);
	if (!is_shown || !pairs_has(page_sent(page), TEXT("name")))
		return status;
	form_fill(&form, page_sent(page), &inputs);
	return show_owner_form(page, status, &inputs, NULL, NULL);
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

/* Whether another number of votes was entered than the present one, and not chosen. */
static bool
has_unchosen_number(const struct page *page, const struct owner_form *inputs)
{
	struct text number = inputs->votes_number.value;

	return number.size > 0 &&
	    !text_equal(inputs->votes_a_day.value, TEXT(RULE_VOTES_OTHER)) &&
	    reply_number_of(number) !=
	    rule_votes_a_day(settings_vote_score(
		page->settings->vote_score, page->store->rules.vote_score));
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
	if (inputs->language.value.size > 0 &&
	    language_find(inputs->language.value) == NULL) {
		form_mark(page->arena, &inputs->language, PROBLEM_CHOICE);
		good = false;
	}
	if (text_equal(inputs->votes_a_day.value, TEXT(RULE_VOTES_OTHER)) &&
	    inputs->votes_number.value.size == 0) {
		form_mark(
		    page->arena, &inputs->votes_number, PROBLEM_VOTES_A_DAY);
		good = false;
	}
	if (has_unchosen_number(page, inputs)) {
		form_mark(
		    page->arena, &inputs->votes_number, PROBLEM_VOTES_CHOICE);
		good = false;
	}
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
	result = store_votes(page, &inputs, &settings);
	if (result == STORE_OK)
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
	return serve_file(
	    page, TYPE_CSS, style, page->settings_held->style_version);
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
