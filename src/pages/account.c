#include "views/account.h"
#include "base/counters.h"
#include "base/url.h"
#include "pages/apply.h"
#include "pages/cookie.h"
#include "pages/form.h"
#include "pages/password.h"
#include "pages/sign_in.h"
#include "store/article.h"
#include "store/invite.h"
#include "store/limit.h"
#include "store/user.h"
#include "views/format.h"
#include "views/messages.h"

/* Registering and logging in: the same page with other rules and another view. */
struct account_page {
	struct form form;
	const struct view *view;
};

static const struct form_row register_rows[] = { ACCOUNT_INPUTS(
    FORM_ROW, rule_new_user_name, rule_password_length) };
static const struct account_page registering = { FORM_OF(register_rows),
	&register_view };

static const struct form_row login_rows[] = { ACCOUNT_INPUTS(
    FORM_ROW, rule_given_name, rule_given_password) };
static const struct account_page logging_in = { FORM_OF(login_rows),
	&login_view };

/* What the reader came to do with a post, if anything: what is malformed is ignored. */
enum http_status
account_prepare(struct page *page)
{
	(void)post_request_parse(page_sent(page), &page->asked);
	return HTTP_OK;
}

/* What is asked of a post, and the title of its article: without a title when the article was
 * removed, or when Redis does not answer. */
static void
add_asked(struct page *page, struct account_model *model)
{
	const struct post_request *asked = &page->asked;
	struct article article;
	enum store_result result;
	int64_t now;

	if (asked->post.article == 0)
		return;
	result = article_get(
	    page->store, page->arena, asked->post.article, 0, &article, &now);
	model->asked_name = post_request_word(asked);
	model->is_vote = post_request_is_vote(asked);
	model->is_hiding = post_request_is_hiding(asked);
	model->is_saving = !model->is_vote && !model->is_hiding;
	model->asked_id = format_post(page->arena, asked->post);
	if (result == STORE_OK && article.post.removed == 0)
		model->asked_title = article.title;
}

/* What decides whether a reader may register: the settings as they are now, and the
 * invitation that was sent, if any. */
struct registration {
	struct settings settings;
	struct text code; /* of the invitation, as it was sent; or empty */
	struct invite invite;
	struct user host; /* the member who invited; id 0: none */
};

static enum store_result
read_registration(struct page *page, struct registration *registration)
{
	enum store_result result =
	    settings_get(page->store, page->arena, &registration->settings);
	uint64_t host;

	registration->host = (struct user){ .id = 0 };
	registration->code = pairs_get(page_sent(page), TEXT("invite"));
	if (result != STORE_OK || registration->code.size == 0)
		return result;
	result = invite_find(page->store, page->arena, registration->code,
	    &registration->invite, &host);
	if (result == STORE_OK)
		result = user_get(
		    page->store, page->arena, host, &registration->host);
	return result == STORE_ABSENT ? STORE_OK : result;
}

static bool
is_closed(const struct registration *registration)
{
	return settings_registration_is_closed(&registration->settings);
}

static bool
needs_invitation(const struct registration *registration)
{
	return registration->host.id == 0 &&
	    (settings_require_invitation(&registration->settings) ||
		settings_require_application(&registration->settings));
}

/* Adds nothing while Redis does not answer: sending the form will say so. */
static void
add_registration(struct page *page, struct account_model *model)
{
	struct registration registration;

	if (read_registration(page, &registration) != STORE_OK)
		return;
	model->invite = registration.code;
	model->is_closed = is_closed(&registration);
	model->by_invitation = needs_invitation(&registration);
	model->by_application =
	    settings_require_application(&registration.settings);
	model->contact = registration.settings.contact;
}

static enum http_status
show_account_form(struct page *page, enum http_status status,
    const struct account_page *kind, struct account_form *account)
{
	struct account_model model = { .return_to =
					   page_return_to(page, TEXT("/")) };

	add_asked(page, &model);
	if (kind == &registering)
		add_registration(page, &model);
	model.has_ended = cookie_take_note(page, NOTE_ENDED);
	model.has_left = cookie_take_note(page, NOTE_CLOSED);
	model.is_saved = cookie_take_note(page, NOTE_LOG_IN);
	model.submits = text_starts(model.return_to, TEXT("/submit"));
	model.query = sign_in_purpose(page);
	cookie_use_form(page);
	model.form = form_model_of(page, &kind->form, account, status);
	model.inputs = *account;
	return page_show(page, status, kind->view, &model);
}

static enum http_status
show_as_sent(
    struct page *page, enum http_status status, const struct account_page *kind)
{
	struct account_form account;

	if (status == HTTP_OK && page_is_signed_in(page))
		return sign_in_go_on(page);
	form_fill(&kind->form, page_sent(page), &account);
	return show_account_form(page, status, kind, &account);
}

enum http_status
account_register_form(struct page *page, enum http_status status)
{
	return show_as_sent(page, status, &registering);
}

enum http_status
account_login_form(struct page *page, enum http_status status)
{
	return show_as_sent(page, status, &logging_in);
}

static enum http_status
sign_in_new_member(struct page *page, const struct user *user)
{
	enum store_result result;

	page_event(page,
	    (struct event){ .name = EVENT_REGISTERED, .member = user->id });
	cookie_set_note(page, NOTE_REGISTERED);
	result = sign_in(page, user, &sign_in_without_factor);
	return result == STORE_OK ? sign_in_go_on(page) : sign_in_later(page);
}

/* Creates the member, once the form is valid: LIMIT_REGISTER counts by network. */
static enum http_status
register_member(struct page *page, const struct registration *registration,
    struct account_form *account)
{
	struct user user = { .name = account->username.value, .newcomer = 1 };
	enum store_result result;
	enum http_status status = password_choose(
	    page, &account->password, user.name, &user.password_hash);

	if (status != HTTP_OK)
		return status;
	if (account->password.problem.size > 0)
		return show_account_form(
		    page, HTTP_UNPROCESSABLE, &registering, account);
	status = page_limit_network(page, LIMIT_REGISTER);
	if (status != HTTP_OK)
		return status;
	result = registration->host.id == 0
	    ? user_create(page->store, page->arena, &user)
	    : invite_register(page->store, page->arena, &registration->invite,
		  &registration->host, &user);
	if (result == STORE_OK)
		return sign_in_new_member(page, &user);
	(void)!limit_refund_network(
	    page->store, page->arena, LIMIT_REGISTER, page->request->address);
	/* The invitation has just been used. */
	if (result == STORE_ABSENT)
		return HTTP_FORBIDDEN;
	if (result == STORE_TAKEN) {
		form_mark(
		    page->arena, &account->username, PROBLEM_USER_NAME_TAKEN);
		return show_account_form(
		    page, HTTP_UNPROCESSABLE, &registering, account);
	}
	return page_failed(page, result);
}

enum http_status
account_register_action(struct page *page)
{
	struct account_form account;
	struct registration registration;

	if (!form_read(
		&registering.form, page->arena, page_sent(page), &account))
		return show_account_form(
		    page, HTTP_UNPROCESSABLE, &registering, &account);
	if (read_registration(page, &registration) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	if (is_closed(&registration) || needs_invitation(&registration))
		return HTTP_FORBIDDEN;
	return register_member(page, &registration, &account);
}

/*
 * Counts a log-in. A browser that has logged in as the member before has a count of its
 * own, so that guesses by others never lock the member out. All others are counted by
 * network, and by name over all networks.
 */
static enum http_status
count_login_try(struct page *page, const struct user *user, struct text name)
{
	struct text device = cookie_device(page, user);
	enum store_result result;
	int64_t wait = 0;

	if (device.size > 0) {
		result = limit_take_device(
		    page->store, page->arena, LIMIT_LOGIN, device, &wait);
	} else {
		result = limit_take_network(page->store, page->arena,
		    LIMIT_LOGIN, page->request->address, &wait);
		/* No member has a longer name. */
		if (result == STORE_OK && name.size <= RULE_USER_NAME_MAX)
			result = limit_take_name(page->store, page->arena,
			    LIMIT_LOGIN, text_lower(page->arena, name), &wait);
	}
	if (result == STORE_LIMITED)
		counters_add(COUNTER_LOGINS_LIMITED, 1);
	return result == STORE_OK ? HTTP_OK : page_limited(page, result, wait);
}

/* An unknown name and a wrong password get the same answer, after the same time. */
enum http_status
account_login_action(struct page *page)
{
	struct account_form account;
	struct application application = { .applied = 0 };
	struct user user = { .id = 0 };
	enum store_result result;
	enum http_status status;
	bool fits;

	if (!form_read(
		&logging_in.form, page->arena, page_sent(page), &account))
		return show_account_form(
		    page, HTTP_UNPROCESSABLE, &logging_in, &account);
	result =
	    user_find(page->store, page->arena, account.username.value, &user);
	if (result == STORE_ABSENT)
		result = application_find(page->store, page->arena,
		    account.username.value, &application);
	if (result != STORE_OK && result != STORE_ABSENT)
		return page_failed(page, result);
	if (user.id == 0)
		user.password_hash = application.password_hash;
	status = count_login_try(page, &user, account.username.value);
	if (status != HTTP_OK)
		return status;
	status = password_compare(page, &user, account.password.value, &fits);
	if (status != HTTP_OK)
		return status;
	if (fits && user.id == 0)
		return apply_show_state(page, &application);
	result =
	    fits ? sign_in(page, &user, &sign_in_without_factor) : STORE_ABSENT;
	/* Wrong, or changed since it was compared. */
	if (result == STORE_ABSENT) {
		counters_add(COUNTER_LOGINS_FAILED, 1);
		form_mark(page->arena, &account.password, PROBLEM_LOGIN_WRONG);
		return show_account_form(
		    page, HTTP_UNPROCESSABLE, &logging_in, &account);
	}
	/* This was no guess, and does not count as one. */
	if ((result == STORE_OK || result == STORE_FACTOR) &&
	    cookie_device(page, &user).size == 0)
		(void)!limit_refund_network(page->store, page->arena,
		    LIMIT_LOGIN, page->request->address);
	return sign_in_finish(page, &user, result);
}

/* Succeeds also when the session had ended already. */
enum http_status
account_logout_action(struct page *page)
{
	enum store_result result =
	    session_end(page->store, page->arena, cookie_session(page));

	if (result != STORE_OK)
		return page_failed(page, result);
	if (page_is_signed_in(page))
		page_event(page, (struct event){ .name = EVENT_LOGGED_OUT });
	cookie_set_session(page, (struct text){ NULL, 0 });
	return page_redirect(page, TEXT("/"));
}
