#include "views/close_account.h"
#include "pages/cookie.h"
#include "pages/form.h"
#include "pages/password.h"
#include "store/close_account.h"

static const struct form_row rows[] = { CLOSE_ACCOUNT_INPUTS(FORM_ROW) };
static const struct form form = FORM_OF(rows);

static enum http_status
show_close_form(struct page *page, enum http_status status,
    struct close_account_form *inputs)
{
	const struct pairs *sent = page_sent(page);
	struct close_account_model model = { .name_goes = pairs_has(
						 sent, TEXT("name_goes")),
		.texts_go = pairs_has(sent, TEXT("texts_go")) };

	model.form = form_model_of(page, &form, inputs, status);
	model.inputs = *inputs;
	return page_show(page, status, &close_account_view, &model);
}

enum http_status
close_account_form(struct page *page, enum http_status status)
{
	struct close_account_form inputs;

	if (!page_is_signed_in(page))
		return status;
	form_fill(&form, page_sent(page), &inputs);
	return show_close_form(page, status, &inputs);
}

enum http_status
close_account_action(struct page *page)
{
	const struct pairs *sent = page_sent(page);
	unsigned goes = CLOSE_ACCOUNT_ERASE_NOTHING;
	struct close_account_form inputs;
	enum store_result result = STORE_OK;
	enum http_status status;
	struct user user;

	if (!form_read(&form, page->arena, sent, &inputs))
		return show_close_form(page, HTTP_UNPROCESSABLE, &inputs);
	status = password_check_viewer(page, &inputs.password, &user);
	if (status != HTTP_OK)
		return status;
	if (inputs.password.problem.size > 0)
		return show_close_form(page, HTTP_UNPROCESSABLE, &inputs);
	if (pairs_has(sent, TEXT("name_goes")))
		goes |= CLOSE_ACCOUNT_ERASE_NAME;
	if (pairs_has(sent, TEXT("texts_go")))
		goes |= CLOSE_ACCOUNT_ERASE_TEXTS;
	/* Refused to the last owner, without whom the site could not be configured. */
	if (user.role == ROLE_OWNER)
		result = user_step_down(page->store, page->arena, user.id);
	if (result == STORE_OK)
		result = close_account(page->store, page->arena, &user, goes);
	if (result != STORE_OK)
		return page_failed(page, result);
	page_event(page, (struct event){ .name = EVENT_ACCOUNT_CLOSED });
	cookie_set_session(page, (struct text){ NULL, 0 });
	cookie_set_note(page, NOTE_CLOSED);
	return page_redirect(page, TEXT("/login"));
}
