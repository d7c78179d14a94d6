#include "views/account.h"
#include "base/crypto.h"
#include "base/url.h"
#include "pages/form.h"
#include "store/user.h"

/* Registering and logging in: one page, but for its words and its rules. */
struct kind {
	struct form form;
	const struct view *view;
	enum limit limit;
};

static const struct form_row register_rows[] = { ACCOUNT_INPUTS(
    FORM_ROW, rule_user_name, rule_new_password) };
static const struct kind registering = { FORM_OF(register_rows),
	&account_register_view, LIMIT_REGISTER };

static const struct form_row login_rows[] = { ACCOUNT_INPUTS(
    FORM_ROW, rule_given_name, rule_given_password) };
static const struct kind logging_in = { FORM_OF(login_rows),
	&account_login_view, LIMIT_LOGIN };

static enum http_status
show(struct page *page, enum http_status status, const struct kind *kind,
    const struct account *account)
{
	struct account_model model = { .inputs = *account,
		.return_to = page_return_to(page, TEXT("/")) };

	page_use_form_cookie(page);
	model.return_to_encoded = url_encode(page->arena, model.return_to);
	model.form = form_model_of(page, &kind->form, account, status);
	return page_show(page, status, kind->view, &model);
}

static enum http_status
show_as_sent(
    struct page *page, enum http_status status, const struct kind *kind)
{
	struct account account;

	form_fill(&kind->form, page_sent(page), &account);
	return show(page, status, kind, &account);
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

/*
 * Reads the form. Whoever tries a name is counted for that name as well,
 * wherever the tries come from: it is a delay for its owner, too, but no lock.
 * Nobody has a longer name.
 */
static enum http_status
take(struct page *page, const struct kind *kind, struct account *account)
{
	struct text name;

	if (!form_read(&kind->form, page->arena, page_sent(page), account))
		return show(page, HTTP_UNPROCESSABLE, kind, account);
	name = account->username.value;
	if (name.size > RULE_USER_NAME_MAX)
		return HTTP_OK;
	return page_limit(page, kind->limit,
	    text_join(
		page->arena, TEXT("name:"), text_lower(page->arena, name)));
}

/* A new session each time: one that somebody else knows is never taken up. */
static enum store_result
sign_in(struct page *page, const struct user *user)
{
	struct text cookie;
	enum store_result result =
	    session_end(page->store, page->arena, page_session_cookie(page));

	if (result == STORE_OK)
		result = session_start(page->store, page->arena, user->id,
		    user->password_hash, page->request->agent, &cookie);
	if (result == STORE_OK)
		page_set_session(page, cookie);
	return result;
}

static enum http_status
go_back(struct page *page)
{
	return page_redirect(page, page_return_to(page, TEXT("/")));
}

enum http_status
account_register_action(struct page *page)
{
	struct account account;
	struct user user;
	enum store_result result;
	enum http_status status = take(page, &registering, &account);

	if (status != HTTP_OK)
		return status;
	user = (struct user){ .name = account.username.value,
		.password_hash =
		    crypto_password_hash(page->arena, account.password.value) };
	result = user_create(page->store, page->arena, &user);
	if (result == STORE_TAKEN) {
		form_mark(
		    page->arena, &account.username, PROBLEM_USER_NAME_TAKEN);
		return show(page, HTTP_UNPROCESSABLE, &registering, &account);
	}
	if (result == STORE_OK)
		result = sign_in(page, &user);
	return result == STORE_OK ? go_back(page) : page_failed(page, result);
}

/* An unknown name and a wrong password get the same answer in the same time. */
enum http_status
account_login_action(struct page *page)
{
	struct account account;
	struct user user = { .id = 0 };
	enum store_result result;
	enum http_status status = take(page, &logging_in, &account);

	if (status != HTTP_OK)
		return status;
	result =
	    user_find(page->store, page->arena, account.username.value, &user);
	if (result != STORE_OK && result != STORE_ABSENT)
		return page_failed(page, result);
	result =
	    crypto_password_fits(user.password_hash, account.password.value)
	    ? sign_in(page, &user)
	    : STORE_ABSENT;
	/* It was wrong, or there is a new one since it was looked at. */
	if (result == STORE_ABSENT) {
		form_mark(page->arena, &account.password, PROBLEM_LOGIN_WRONG);
		return show(page, HTTP_UNPROCESSABLE, &logging_in, &account);
	}
	return result == STORE_OK ? go_back(page) : page_failed(page, result);
}

enum http_status
account_logout_action(struct page *page)
{
	enum store_result result =
	    session_end(page->store, page->arena, page_session_cookie(page));

	if (result != STORE_OK)
		return page_failed(page, result);
	page_set_session(page, (struct text){ NULL, 0 });
	return page_redirect(page, TEXT("/"));
}
