#include "views/edit.h"
#include "pages/comment_body.h"
#include "pages/form.h"
#include "pages/path.h"

static const struct form_row rows[] = { ARTICLE_INPUTS(FORM_ROW) };
static const struct form form = FORM_OF(rows);

/* The article of the path, if it is the viewer's and may still be edited. */
static enum http_status
find_editable(struct page *page, struct article *article)
{
	enum http_status status = path_article(page, article);

	if (status != HTTP_OK)
		return status;
	if (article->post.author.id != page->viewer.id)
		return HTTP_FORBIDDEN;
	if (article->post.removed != 0)
		return page_refuse_removed(page, &article->post);
	return post_is_open(&article->post, page->now)
	    ? HTTP_OK
	    : page_refuse(page, REASON_EDIT_CLOSED);
}

static bool
has_title_time(const struct page *page, const struct article *article)
{
	return page->now - article->post.posted < ARTICLE_EDIT_SECONDS;
}

/* Of a text that was posted as one. */
static bool
is_plain(const struct article *article)
{
	return article->text.size > 0 && article->markup.size == 0;
}

/* The title is left empty when the article could not be read or was removed. Its time is then
 * taken to last: a title and groups that were typed stay in the form. */
static struct edit_model
edit_model_of(
    struct page *page, enum store_result found, const struct article *article)
{
	struct edit_model model = { .has_title = true };
	struct post_id id = { .article = 0 };

	(void)path_post_id(page, &id);
	model.id = id.article;
	if (found != STORE_OK)
		return model;
	if (article->post.removed == 0)
		model.title = article->title;
	model.has_title = has_title_time(page, article);
	model.is_plain = is_plain(article);
	return model;
}

static enum http_status
show_edit_form(struct page *page, enum http_status status,
    enum store_result found, const struct article *article,
    struct article_form *inputs)
{
	struct edit_model model = edit_model_of(page, found, article);

	model.choices = form_group_choices(
	    page, inputs->groups.value, &inputs->groups.value);
	model.asks_names = model.choices.many ||
	    inputs->groups.value.size > 0 || inputs->groups.problem.size > 0;
	model.form = form_model_of(page, &form, inputs, status);
	model.inputs = *inputs;
	return page_show(page, status, &edit_view, &model);
}

/* With what the article has. */
static enum http_status
show_stored(struct page *page)
{
	const struct pairs nothing = { .count = 0 };
	struct article_form inputs;
	struct article article;
	enum http_status status = find_editable(page, &article);

	if (status != HTTP_OK)
		return status;
	form_fill(&form, &nothing, &inputs);
	form_load(&form, &article_schema, EDIT_EARLY, &article, &inputs);
	form_load(&form, &article_schema, EDIT_OPEN, &article, &inputs);
	inputs.groups.value = article.groups;
	return show_edit_form(page, HTTP_OK, STORE_OK, &article, &inputs);
}

/* Why a form that was refused is not shown again, or HTTP_OK: it is not the member's article; or
 * nothing was typed, and the empty form, if it were sent, would overwrite the text. */
static enum http_status
check_refused(struct page *page, enum http_status status,
    enum store_result found, const struct article *article)
{
	bool is_text_sent = pairs_has(page_sent(page), TEXT("text"));

	if (found == STORE_ABSENT && (page_is_signed_in(page) || !is_text_sent))
		return page_failed(page, found);
	if (found == STORE_OK && page_is_signed_in(page) &&
	    !page_is_author(page, &article->post))
		return HTTP_FORBIDDEN;
	if (is_text_sent)
		return HTTP_OK;
	return found == STORE_OK && status == HTTP_UNAUTHORIZED &&
		article->post.removed != 0
	    ? page_refuse(page, REASON_REMOVED)
	    : status;
}

/* Of a refusal the form shows what was sent, and of the article only what can be read. */
enum http_status
edit_form(struct page *page, enum http_status status)
{
	struct article_form inputs;
	struct found_post context;
	enum store_result found;
	enum http_status why;
	struct post_id id;

	if (status == HTTP_OK)
		return show_stored(page);
	if (!path_post_id(page, &id))
		return HTTP_NOT_FOUND;
	found = path_get_post(page, id, &context);
	why = check_refused(page, status, found, &context.article);
	if (why != HTTP_OK)
		return why;
	form_fill(&form, page_sent(page), &inputs);
	inputs.groups.value = form_chosen_groups(page, inputs.groups.value);
	return show_edit_form(page, status, found, &context.article, &inputs);
}

/* Sets inputs that the form does not have to what the article has, and marks a title that
 * was changed too late. */
static void
complete_inputs(struct page *page, const struct article *article,
    struct article_form *inputs)
{
	struct text title = text_trim(inputs->title.value);

	form_check(&form, page->arena, inputs);
	inputs->url.value = article->url;
	inputs->url.problem = TEXT("");
	if (!has_title_time(page, article)) {
		form_load(&form, &article_schema, EDIT_EARLY, article, inputs);
		inputs->groups.value = article->groups;
		inputs->groups.problem = TEXT("");
		if (title.size > 0 && !text_equal(title, article->title))
			form_mark(
			    page->arena, &inputs->title, PROBLEM_TITLE_LATE);
	}
}

static enum store_result
save_article(struct page *page, const struct article *article,
    const struct article_form *inputs)
{
	struct article edited = *article;
	struct comment_body_names names;
	enum store_result result =
	    comment_body_find_names(page, inputs->text.value, &names);

	form_store(&form, inputs, &article_schema, &edited);
	edited.links = names.links;
	if (!is_plain(article))
		edited.markup =
		    edited.text.size > 0 ? TEXT(ARTICLE_MARKDOWN) : TEXT("");
	if (result == STORE_OK)
		result = article_edit(page->store, page->arena, &edited);
	if (result != STORE_OK || text_equal(edited.groups, article->groups))
		return result;
	return article_set_groups(page->store, page->arena,
	    article->post.id.article, edited.groups,
	    form_words_without(page->arena, article->groups, edited.groups));
}

enum http_status
edit_action(struct page *page)
{
	struct article_form inputs;
	struct article article;
	enum store_result result;
	enum http_status status = find_editable(page, &article);

	if (status != HTTP_OK)
		return status;
	form_fill(&form, page_sent(page), &inputs);
	inputs.groups.value = form_chosen_groups(page, inputs.groups.value);
	complete_inputs(page, &article, &inputs);
	if (article.url.size == 0 && inputs.text.value.size == 0 &&
	    inputs.text.problem.size == 0)
		form_mark(page->arena, &inputs.text, PROBLEM_TEXT_UNSEEN);
	if (!is_plain(&article))
		(void)comment_body_check(page, &inputs.text);
	result = form_check_groups(page, article.groups, &inputs.groups);
	if (result == STORE_OK)
		result = form_check_barred(page, &article, &inputs.groups);
	if (result != STORE_OK)
		return page_failed(page, result);
	if (!form_is_valid(&form, &inputs))
		return show_edit_form(
		    page, HTTP_UNPROCESSABLE, STORE_OK, &article, &inputs);
	/* An edit stores neither link nor groups. */
	status = page_limit_bytes(page,
	    form_bytes(&form, &inputs) - inputs.url.value.size -
		inputs.groups.value.size);
	if (status != HTTP_OK)
		return status;
	result = save_article(page, &article, &inputs);
	/* The time for edits has just ended. */
	if (result == STORE_CLOSED)
		return page_refuse(page, REASON_EDIT_CLOSED);
	return page_finish(
	    page, result, page_article_path(page, article.post.id.article));
}

enum http_status
edit_withdraw_action(struct page *page)
{
	enum store_result result;
	struct article article;
	enum http_status status = find_editable(page, &article);

	if (status != HTTP_OK && page->reason != REASON_HELD)
		return status;
	result = post_withdraw(
	    page->store, page->arena, article.post.id, page->viewer.id);
	if (result == STORE_OK)
		page_event(page,
		    (struct event){ .name = EVENT_WITHDRAWN,
			.article = article.post.id.article });
	return result == STORE_CLOSED
	    ? page_refuse(page, REASON_EDIT_CLOSED)
	    : page_finish(page, result,
		  page_article_path(page, article.post.id.article));
}
