#include "pages/apply.h"

#include "base/arena.h"
#include "pages/cookie.h"
#include "pages/form.h"
#include "pages/mod_form.h"
#include "pages/password.h"
#include "store/limit.h"
#include "store/user.h"
#include "views/apply.h"
#include "views/format.h"
#include "views/messages.h"

static const struct form_row rows[] = { APPLY_INPUTS(FORM_ROW) };
static const struct form form = FORM_OF(rows);

static enum http_status
show_apply_form(
    struct page *page, enum http_status status, struct apply_form *inputs)
{
	struct apply_model model = { .question = page->settings->question,
		.is_off = !settings_require_application(page->settings) };

	model.is_closed = settings_registration_is_closed(page->settings);
	model.by_invitation = settings_require_invitation(page->settings);
	model.is_open = !model.is_closed && !model.by_invitation;
	model.was_sent = cookie_take_note(page, NOTE_APPLIED);
	cookie_use_form(page);
	model.form = form_model_of(page, &form, inputs, status);
	model.inputs = *inputs;
	return page_show(page, status, &apply_view, &model);
}

enum http_status
apply_form(struct page *page, enum http_status status)
{
	struct apply_form inputs;

	if (status == HTTP_OK && page_is_signed_in(page))
		return page_redirect(page, TEXT("/"));
	form_fill(&form, page_sent(page), &inputs);
	return show_apply_form(page, status, &inputs);
}

/* Whether a member has the name, in any spelling. */
static enum store_result
find_name(struct page *page, struct text name)
{
	uint64_t id;

	if (user_find_ids(page->store, page->arena, &name, 1, &id) != STORE_OK)
		return STORE_DOWN;
	return id != 0 ? STORE_TAKEN : STORE_OK;
}

/* Once the form is valid; LIMIT_REGISTER counts by network. */
static enum http_status
add_application(struct page *page, struct apply_form *inputs)
{
	struct application application = { .name = inputs->username.value,
		.answer = inputs->answer.value };
	enum store_result result;
	enum http_status status = password_choose(page, &inputs->password,
	    application.name, &application.password_hash);

	if (status != HTTP_OK)
		return status;
	if (inputs->password.problem.size > 0)
		return show_apply_form(page, HTTP_UNPROCESSABLE, inputs);
	status = page_limit_network(page, LIMIT_REGISTER);
	if (status != HTTP_OK)
		return status;
	result = find_name(page, application.name);
	if (result == STORE_OK)
		result =
		    application_add(page->store, page->arena, &application);
	if (result == STORE_TAKEN) {
		(void)!limit_refund_network(page->store, page->arena,
		    LIMIT_REGISTER, page->request->address);
		form_mark(
		    page->arena, &inputs->username, PROBLEM_USER_NAME_TAKEN);
		return show_apply_form(page, HTTP_UNPROCESSABLE, inputs);
	}
	if (result == STORE_FULL)
		return page_refuse(page, REASON_APPLICATIONS_FULL);
	if (result != STORE_OK)
		return page_failed(page, result);
	cookie_set_note(page, NOTE_APPLIED);
	return page_redirect(page, TEXT("/apply"));
}

enum http_status
apply_action(struct page *page)
{
	struct apply_form inputs;
	struct settings settings;

	if (settings_get(page->store, page->arena, &settings) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	if (!settings_require_application(&settings))
		return HTTP_FORBIDDEN;
	if (!form_read(&form, page->arena, page_sent(page), &inputs))
		return show_apply_form(page, HTTP_UNPROCESSABLE, &inputs);
	return add_application(page, &inputs);
}

enum http_status
apply_show_state(struct page *page, const struct application *application)
{
	struct text moment = format_moment(page->arena,
	    application->declined != 0 ? application->declined
				       : application->applied);

	return page_refuse_for(page,
	    application->declined != 0 ? REASON_DECLINED : REASON_APPLIED,
	    application->declined != 0
		? message_declined(page->arena, moment, application->reason)
		: message_applied(page->arena, moment));
}

STORE_CALL
apply_add_waiting(struct page *page, struct mod_queue_model *model)
{
	struct application *applications;
	size_t count, waiting;

	if (application_list(page->store, page->arena, &applications, &count,
		&page->is_partial) != STORE_OK)
		return STORE_DOWN;
	model->applications = application_rows(
	    page->arena, applications, count, page->now, &waiting);
	if (waiting > 0)
		model->waiting = message_count(
		    page->arena, MESSAGE_APPLICATIONS, (int64_t)waiting);
	return STORE_OK;
}

/* The application of the path, unless it was decided on. */
static enum store_result
find_waiting(struct page *page, struct application *application)
{
	enum store_result result = application_find(page->store, page->arena,
	    pairs_get(&page->request->path_values, TEXT("name")), application);

	return result == STORE_OK && application->declined != 0 ? STORE_ABSENT
								: result;
}

/* It is logged when there is a member, and then deleted: so what was interrupted is still in the
 * queue, and what is done is in the log. */
static enum store_result
accept(struct page *page, const struct application *application,
    struct mod_action *action)
{
	enum store_result result = application_accept(
	    page->store, page->arena, application, &action->member.id);

	if (result != STORE_OK)
		return result;
	action->what = mod_action_words[MOD_ACCEPTED];
	action->member.name = application->name;
	result = mod_action_note(page->store, page->arena, action);
	return result == STORE_OK
	    ? application_end(page->store, page->arena, application)
	    : result;
}

static enum http_status
accept_application(struct page *page)
{
	struct application application;
	struct mod_action action;
	enum store_result result;
	enum http_status status = mod_form_read(page, &action);

	if (status != HTTP_OK)
		return status;
	result = find_waiting(page, &application);
	if (result == STORE_OK)
		result = accept(page, &application, &action);
	return result == STORE_TAKEN
	    ? page_refuse(page, REASON_NAME_TAKEN)
	    : page_finish(page, result, TEXT("/moderation"));
}

/* STORE_TAKEN when the application was accepted, but that was interrupted: it is completed. */
static enum store_result
check_unaccepted(struct page *page, const struct application *application,
    struct mod_action action)
{
	uint64_t id;
	enum store_result result =
	    application_find_member(page->store, page->arena, application, &id);

	if (result != STORE_OK || id == 0)
		return result;
	result = accept(page, application, &action);
	return result == STORE_OK ? STORE_TAKEN : result;
}

/* Neither the name nor the reason is in the public log: whoever applied is no member. */
static enum http_status
decline_application(struct page *page)
{
	struct application application;
	struct mod_action action;
	struct text reason;
	enum store_result result;
	enum http_status status = mod_form_read(page, &action);

	if (status != HTTP_OK)
		return status;
	reason = action.reason;
	action.what = mod_action_words[MOD_DECLINED];
	action.reason = TEXT("");
	result = find_waiting(page, &application);
	if (result == STORE_OK)
		result = check_unaccepted(page, &application, action);
	if (result == STORE_TAKEN)
		return page_refuse(page, REASON_ACCEPTED);
	if (result == STORE_OK)
		result = mod_action_note(page->store, page->arena, &action);
	if (result == STORE_OK)
		result = application_decline(
		    page->store, page->arena, &application, reason);
	return page_finish(page, result, TEXT("/moderation"));
}

static enum http_status
decide_on_application(struct page *page, struct text otherwise)
{
	struct text word = mod_form_choice(page, otherwise);

	if (text_equal(word, TEXT("accept")))
		return accept_application(page);
	return text_equal(word, TEXT("decline")) ? decline_application(page)
						 : HTTP_BAD_REQUEST;
}

enum http_status
apply_accept_action(struct page *page)
{
	return decide_on_application(page, TEXT("accept"));
}

enum http_status
apply_decline_action(struct page *page)
{
	return decide_on_application(page, TEXT("decline"));
}
