#include "views/member_about.h"
#include "base/arena.h"
#include "pages/form.h"
#include "pages/mod_form.h"
#include "pages/newcomers.h"
#include "pages/path.h"
#include "store/account_status.h"
#include "store/newcomer.h"

static const struct form_row rows[] = { MEMBER_ABOUT_INPUTS(FORM_ROW) };
static const struct form form = FORM_OF(rows);

static enum http_status
show_about_form(struct page *page, enum http_status status,
    struct member_about_form *inputs, struct text preview)
{
	struct member_about_model model = { .preview.text = preview };

	model.is_held = newcomers_are_held(page);
	model.form = form_model_of(page, &form, inputs, status);
	model.inputs = *inputs;
	return page_show(page, status, &member_about_view, &model);
}

enum http_status
member_about_form(struct page *page, enum http_status status)
{
	struct member_about_form inputs;

	form_fill(&form, page_sent(page), &inputs);
	if (status == HTTP_OK)
		inputs.text.value = page->viewer.about;
	return show_about_form(page, status, &inputs, TEXT(""));
}

/* A newcomer's links are checked as those of a comment. */
static enum store_result
check_about(struct page *page, struct member_about_form *inputs)
{
	enum store_result result =
	    newcomer_settle(page->store, page->arena, &page->viewer, page->now);

	form_read(&form, page->arena, page_sent(page), inputs);
	return result == STORE_OK ? newcomers_check_links(page, &inputs->text)
				  : result;
}

enum http_status
member_about_action(struct page *page)
{
	struct member_about_form inputs;
	enum store_result result = check_about(page, &inputs);

	if (result != STORE_OK)
		return page_failed(page, result);
	if (inputs.text.problem.size > 0)
		return show_about_form(
		    page, HTTP_UNPROCESSABLE, &inputs, TEXT(""));
	if (pairs_has(page_sent(page), TEXT("preview")))
		return show_about_form(page, HTTP_OK, &inputs,
		    page_markdown_whole(page, inputs.text.value, TEXT("")));
	return page_finish(page,
	    user_set_about(
		page->store, page->arena, page->viewer.id, inputs.text.value),
	    text_join(page->arena, TEXT("/u/"), page->viewer.name));
}

/* One that is empty already is not logged again. */
enum http_status
member_about_empty_action(struct page *page)
{
	struct user user;
	struct mod_action action;
	enum http_status status = mod_form_read(page, &action);

	if (status == HTTP_OK)
		status = path_member(page, &user);
	if (status == HTTP_OK && !mod_form_may_act_on(page, &user))
		status = HTTP_FORBIDDEN;
	if (status != HTTP_OK)
		return status;
	return page_finish(page,
	    user.about.size == 0
		? STORE_OK
		: account_empty_about(page->store, page->arena, &user, action),
	    text_format(page->arena, "/u/%.*s/suspend", TEXT_ARGS(user.name)));
}
