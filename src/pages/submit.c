#include "views/submit.h"
#include "pages/form.h"
#include "store/article.h"

static const struct form_row rows[] = { SUBMIT_INPUTS(FORM_ROW) };
static const struct form form = FORM_OF(rows);

static enum http_status
show(struct page *page, enum http_status status, struct submission *submission)
{
	struct submit_model model;
	struct input *groups = &submission->groups;

	model.choices = form_choices(page, groups->value);
	groups->value = model.choices.others;
	model.asks_names = model.choices.many || groups->value.size > 0 ||
	    groups->problem.size > 0;
	model.form = form_model_of(page, &form, submission, status);
	model.inputs = *submission;
	return page_show(page, status, &submit_view, &model);
}

/* A link to /submit may fill the form in, as bookmarks and sharing do. */
enum http_status
submit_form(struct page *page, enum http_status status)
{
	struct submission submission;

	form_fill(&form, page_sent(page), &submission);
	submission.groups.value = form_chosen(page, submission.groups.value);
	return show(page, status, &submission);
}

/* What no single input can know. */
static void
check_link_and_text(struct arena *arena, struct submission *submission)
{
	bool has_link = submission->url.value.size > 0;
	bool has_text = submission->text.value.size > 0;

	if (has_link && has_text)
		form_mark(arena, &submission->url, PROBLEM_LINK_AND_TEXT);
	else if (!has_link && !has_text && submission->text.problem.size == 0)
		form_mark(arena, &submission->url, PROBLEM_NO_LINK_OR_TEXT);
}

enum http_status
submit_action(struct page *page)
{
	struct submission submission;
	struct article article;
	enum store_result result;

	form_fill(&form, page_sent(page), &submission);
	submission.groups.value = form_chosen(page, submission.groups.value);
	form_check(&form, page->arena, &submission);
	check_link_and_text(page->arena, &submission);
	result = form_check_groups(page, &submission.groups);
	if (result != STORE_OK)
		return page_failed(page, result);
	if (!form_is_good(&form, &submission))
		return show(page, HTTP_UNPROCESSABLE, &submission);
	article = (struct article){ .title = submission.title.value,
		.url = submission.url.value,
		.text = submission.text.value,
		.groups = submission.groups.value,
		.post.author = { page->viewer.id, page->viewer.name } };
	result = article_post(page->store, page->arena, &article);
	if (result != STORE_OK && result != STORE_TAKEN)
		return page_failed(page, result);
	return page_redirect(page,
	    text_format(page->arena, "/articles/%llu",
		(unsigned long long)article.post.id.article));
}
