#include "base/arena.h"
#include "pages/page.h"
#include "store/article.h"
#include "store/group.h"

struct submission {
	struct text title, url, text, groups;
};

enum { TITLE, LINK, BODY, GROUPS, FIELDS };

static const struct form_field fields[FIELDS] = {
	[TITLE] = { .name = "title",
	    .offset = offsetof(struct submission, title),
	    .check = rule_title,
	    .label = "Title",
	    .input = "input-line",
	    .most = RULE_TITLE_MAX,
	    .required = true },
	[LINK] = { .name = "url",
	    .offset = offsetof(struct submission, url),
	    .check = rule_link,
	    .label = "Link",
	    .hint = "Either a link or a text, not both.",
	    .input = "input-line",
	    .autocomplete = "url",
	    .most = RULE_LINK_MAX },
	[BODY] = { .name = "text",
	    .offset = offsetof(struct submission, text),
	    .check = rule_body,
	    .label = "Text",
	    .hint = "Plain text; a blank line begins a new paragraph.",
	    .input = "input-text",
	    .most = RULE_TEXT_MAX },
	[GROUPS] = { .name = "groups",
	    .offset = offsetof(struct submission, groups),
	    .check = rule_groups,
	    .label = "Groups",
	    .hint = "Their names, with spaces between; up to 16.",
	    .input = "input-line",
	    .most = 560 },
};
static const struct form submit_form = FORM(fields);

/* Everything that no single field can know. */
static enum store_result
check_together(const struct page *page, const struct submission *submission,
    struct text *problems)
{
	struct text unknown = { NULL, 0 };
	enum store_result result = STORE_OK;

	if (submission->url.size > 0 && submission->text.size > 0)
		problems[LINK] = TEXT("An article has a link or a text, not "
				      "both: leave one of them empty.");
	else if (submission->url.size == 0 && submission->text.size == 0 &&
	    problems[BODY].size == 0)
		problems[LINK] = TEXT("An article needs a link or a text.");
	if (problems[GROUPS].size == 0)
		result = group_unknown(
		    page->store, page->arena, submission->groups, &unknown);
	if (unknown.size > 0)
		problems[GROUPS] = text_format(page->arena,
		    "There is no group \"%.*s\".", TEXT_ARGS(unknown));
	return result;
}

static enum http_status
show_form(struct page *page, enum http_status status,
    const struct submission *submission, const struct text *problems)
{
	struct submit_model model = { .form = page_form(page, &submit_form,
					  submission, problems) };

	if (status >= HTTP_BAD_REQUEST && status != HTTP_UNPROCESSABLE) {
		struct error_model error = error_model_of((int)status);

		model.problem = error.title;
		model.advice = status == HTTP_TOO_MANY_REQUESTS
		    ? page_when_to_come_back(page)
		    : error.advice;
		model.signed_out = status == HTTP_UNAUTHORIZED;
	}
	return page_show(
	    page, status, &submit_view, TEXT("Submit an article"), &model);
}

/* A link to /submit may fill the form in, as bookmarks and sharing do. */
enum http_status
submit_page(struct page *page)
{
	const struct pairs *query = &page->request->query;
	struct submission submission = {
		.title = pairs_get(query, TEXT("title")),
		.url = pairs_get(query, TEXT("url")),
		.text = pairs_get(query, TEXT("text")),
		.groups = pairs_get(query, TEXT("groups")),
	};

	return show_form(page, HTTP_OK, &submission, NULL);
}

static bool
has_problems(const struct text *problems)
{
	for (size_t i = 0; i < FIELDS; i++)
		if (problems[i].size > 0)
			return true;
	return false;
}

enum http_status
submit_action(struct page *page)
{
	struct submission submission;
	struct text problems[FIELDS];
	struct article article;
	enum store_result result;

	form_read(&submit_form, page->arena, &page->request->form, &submission,
	    problems);
	result = check_together(page, &submission, problems);
	if (result != STORE_OK)
		return page_failed(result);
	if (has_problems(problems))
		return show_form(
		    page, HTTP_UNPROCESSABLE, &submission, problems);
	article = (struct article){ .title = submission.title,
		.url = submission.url,
		.text = submission.text,
		.groups = submission.groups,
		.post.author = { page->viewer.id, page->viewer.name } };
	result = article_post(page->store, page->arena, &article);
	if (result != STORE_OK && result != STORE_TAKEN)
		return page_failed(result);
	return page_redirect(page,
	    text_format(page->arena, "/articles/%llu",
		(unsigned long long)article.post.id.article));
}

/* Whatever was refused, what was typed is shown again and can be sent again. */
enum http_status
submit_refused(struct page *page, enum http_status status)
{
	struct submission submission;
	struct text problems[FIELDS];

	form_read(&submit_form, page->arena, &page->request->form, &submission,
	    problems);
	return show_form(page, status, &submission, NULL);
}
