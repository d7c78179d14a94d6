#include "views/submit.h"
#include "pages/comment_body.h"
#include "pages/cookie.h"
#include "pages/form.h"
#include "pages/newcomers.h"
#include "store/article.h"

static const struct form_row rows[] = { ARTICLE_INPUTS(FORM_ROW) };
static const struct form form = FORM_OF(rows);

static struct submit_model
submit_model_of(
    struct page *page, enum http_status status, struct article_form *submission)
{
	struct submit_model model = { .is_posted = false };
	struct input *groups = &submission->groups;

	model.choices = form_group_choices(page, groups->value, &groups->value);
	model.asks_names = model.choices.many || groups->value.size > 0 ||
	    groups->problem.size > 0;
	model.form = form_model_of(page, &form, submission, status);
	model.inputs = *submission;
	return model;
}

enum http_status
submit_prepare(struct page *page)
{
	form_read_ahead(page,
	    form_chosen_groups(
		page, pairs_get(page_sent(page), TEXT("groups"))));
	return HTTP_OK;
}

/* The query may fill the form in, for bookmarklets and share links. */
enum http_status
submit_form(struct page *page, enum http_status status)
{
	struct article_form submission;
	struct submit_model model;

	form_fill(&form, page_sent(page), &submission);
	submission.groups.value =
	    form_chosen_groups(page, submission.groups.value);
	model = submit_model_of(page, status, &submission);
	return page_show(page, status, &submit_view, &model);
}

/* The rule of two inputs: a link or a text, or both. */
static void
check_link_or_text(struct arena *arena, struct article_form *submission)
{
	if (submission->url.value.size == 0 &&
	    submission->text.value.size == 0 &&
	    submission->text.problem.size == 0)
		form_mark(arena, &submission->url, PROBLEM_NO_LINK_OR_TEXT);
}

/* Marks a link to a blocked host. */
static void
check_host(struct page *page, struct article_form *submission)
{
	struct problem problem = { .kind = PROBLEM_LINK_BLOCKED };

	if (submission->url.problem.size == 0 &&
	    submission->url.value.size > 0 &&
	    hosts_contain(page->arena, page_blocked_hosts(page),
		submission->url.value, &problem.word))
		submission->url.problem =
		    message_problem(page->arena, &problem);
}

/* Shows the form with its problems, and the article that has the link already; link is
 * empty when it is not valid. */
static enum http_status
refuse_submission(
    struct page *page, struct article_form *submission, struct text link)
{
	struct submit_model model =
	    submit_model_of(page, HTTP_UNPROCESSABLE, submission);
	enum store_result result = STORE_ABSENT;
	struct article article;
	uint64_t id = 0;
	int64_t now = 0;

	if (link.size > 0)
		result = article_find_link(page->store, page->arena, link, &id);
	if (result == STORE_OK)
		result = article_get(page->store, page->arena, id,
		    page->viewer.id, &article, &now);
	if (result != STORE_OK && result != STORE_ABSENT)
		return page_failed(page, result);
	/* A removed one is not shown. */
	model.is_posted = result == STORE_OK && article.post.removed == 0;
	if (model.is_posted) {
		article_compute_score(page_vote_score(page), &article);
		model.earlier = article_row_model_of(
		    page->arena, &article, now, &page->reader);
		model.is_own = article.post.author.id == page->viewer.id;
	}
	return page_show(page, HTTP_UNPROCESSABLE, &submit_view, &model);
}

/* Redirects to the article, with a note if it was there already. */
static enum http_status
redirect_to_article(struct page *page, uint64_t id, enum store_result result)
{
	if (result == STORE_TAKEN)
		cookie_set_note(page,
		    text_join(page->arena, NOTE_REPEATED,
			text_number(page->arena, (int64_t)id)));
	return page_redirect(page, page_article_path(page, id));
}

/* Whether a redirect to the article that has the link would lose the text: its author or its text
 * is another one. A repeated form loses nothing. */
static bool
has_other_text(struct page *page, const struct article *article, uint64_t id)
{
	struct article there;
	int64_t now;

	return article->url.size > 0 && article->text.size > 0 &&
	    (article_get(page->store, page->arena, id, page->viewer.id, &there,
		 &now) != STORE_OK ||
		there.post.author.id != page->viewer.id ||
		!text_equal(there.text, article->text));
}

/* Shows the form with the rendered text. */
static enum http_status
show_preview(
    struct page *page, struct article_form *submission, struct text links)
{
	struct submit_model model = submit_model_of(page, HTTP_OK, submission);

	model.preview.text =
	    page_markdown_whole(page, submission->text.value, links);
	return page_show(page, HTTP_OK, &submit_view, &model);
}

enum http_status
submit_action(struct page *page)
{
	struct article_form submission;
	struct article article;
	struct comment_body_names names;
	struct text good_link = { NULL, 0 };
	enum http_status status;
	enum store_result result;

	form_fill(&form, page_sent(page), &submission);
	submission.groups.value =
	    form_chosen_groups(page, submission.groups.value);
	form_check(&form, page->arena, &submission);
	(void)comment_body_check(page, &submission.text);
	if (submission.url.problem.size == 0)
		good_link = submission.url.value;
	check_host(page, &submission);
	check_link_or_text(page->arena, &submission);
	result = form_check_groups(page, TEXT(""), &submission.groups);
	if (result != STORE_OK)
		return page_failed(page, result);
	if (!form_is_valid(&form, &submission))
		return refuse_submission(page, &submission, good_link);
	result = comment_body_find_names(page, submission.text.value, &names);
	if (result != STORE_OK)
		return page_failed(page, result);
	if (pairs_has(page_sent(page), TEXT("preview")))
		return show_preview(page, &submission, names.links);
	article = (struct article){ .links = names.links,
		.post.author = { page->viewer.id, page->viewer.name } };
	form_store(&form, &submission, &article_schema, &article);
	if (article.text.size > 0)
		article.markup = TEXT(ARTICLE_MARKDOWN);
	status = page_limit_bytes(page, form_bytes(&form, &submission));
	if (status == HTTP_OK)
		status = newcomers_limit(page, LIMIT_NEWCOMER_POST);
	if (status != HTTP_OK)
		return status;
	article.is_reviewed = newcomers_are_reviewed(page);
	article.is_held = newcomers_are_held(page);
	result = article_post(page->store, page->arena, &article);
	if (result != STORE_OK && result != STORE_TAKEN)
		return page_failed(page, result);
	if (result == STORE_TAKEN)
		newcomers_refund(page, LIMIT_NEWCOMER_POST);
	if (result == STORE_TAKEN &&
	    has_other_text(page, &article, article.post.id.article))
		return refuse_submission(page, &submission, good_link);
	return redirect_to_article(page, article.post.id.article, result);
}
