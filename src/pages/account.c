#include "base/arena.h"
#include "base/crypto.h"
#include "base/url.h"
#include "pages/page.h"

struct account {
	struct text username, password;
};

enum { USERNAME, PASSWORD, FIELDS };

static const struct form_field register_fields[FIELDS] = {
	[USERNAME] = { .name = "username",
	    .offset = offsetof(struct account, username),
	    .check = rule_user_name,
	    .label = "User name",
	    .hint = "2 to 20 letters, digits, '-' or '_'. Everybody sees it.",
	    .input = "input-line",
	    .autocomplete = "username",
	    .most = RULE_USER_NAME_MAX,
	    .required = true },
	[PASSWORD] = { .name = "password",
	    .offset = offsetof(struct account, password),
	    .check = rule_new_password,
	    .label = "Password",
	    .hint = "At least 8 characters; a few words are best.",
	    .input = "input-password",
	    .autocomplete = "new-password",
	    .most = RULE_PASSWORD_MAX,
	    .required = true },
};
static const struct form register_form = FORM(register_fields);

static const struct form_field login_fields[FIELDS] = {
	[USERNAME] = { .name = "username",
	    .offset = offsetof(struct account, username),
	    .check = rule_given_name,
	    .label = "User name",
	    .input = "input-line",
	    .autocomplete = "username",
	    .most = RULE_USER_NAME_MAX,
	    .required = true },
	[PASSWORD] = { .name = "password",
	    .offset = offsetof(struct account, password),
	    .check = rule_given_password,
	    .label = "Password",
	    .input = "input-password",
	    .autocomplete = "current-password",
	    .most = RULE_PASSWORD_MAX,
	    .required = true },
};
static const struct form login_form = FORM(login_fields);

static enum http_status
show_form(struct page *page, enum http_status status, const struct form *form,
    struct account *account, const struct text *problems)
{
	bool registering = form == &register_form;
	struct text return_to = page_return_to(page, TEXT("/"));
	struct account_model model = {
		.action = registering ? TEXT("/register") : TEXT("/login"),
		.button = registering ? TEXT("Register") : TEXT("Log in"),
		.registering = registering,
		.return_to = return_to,
		.return_to_encoded = url_encode(page->arena, return_to),
	};

	page_use_form_cookie(page);
	if (account != NULL)
		account->password = (struct text){ NULL, 0 };
	model.form = page_form(page, form, account, problems);
	return page_show(page, status, &account_view, model.button, &model);
}

enum http_status
account_register_page(struct page *page)
{
	return show_form(page, HTTP_OK, &register_form, NULL, NULL);
}

enum http_status
account_login_page(struct page *page)
{
	return show_form(page, HTTP_OK, &login_form, NULL, NULL);
}

/*
 * Whoever tries a name is counted for that name as well, wherever the tries
 * come from: it is a delay for its owner, too, but no lock. Nobody has a longer
 * name.
 */
static enum http_status
count_for_name(struct page *page, enum limit kind, struct text name)
{
	if (name.size > RULE_USER_NAME_MAX)
		return HTTP_OK;
	return page_limit(page, kind,
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
	struct text problems[FIELDS];
	struct account account;
	struct user user;
	enum store_result result;
	enum http_status status;

	if (form_read(&register_form, page->arena, &page->request->form,
		&account, problems) > 0)
		return show_form(page, HTTP_UNPROCESSABLE, &register_form,
		    &account, problems);
	status = count_for_name(page, LIMIT_REGISTER, account.username);
	if (status != HTTP_OK)
		return status;
	user = (struct user){ .name = account.username,
		.password_hash =
		    crypto_password_hash(page->arena, account.password) };
	result = user_create(page->store, page->arena, &user);
	if (result == STORE_TAKEN) {
		problems[USERNAME] =
		    TEXT("Somebody has that name already: choose another.");
		return show_form(page, HTTP_UNPROCESSABLE, &register_form,
		    &account, problems);
	}
	if (result == STORE_OK)
		result = sign_in(page, &user);
	return result == STORE_OK ? go_back(page) : page_failed(result);
}

static enum http_status
refuse_login(struct page *page, struct account *account)
{
	struct text problems[FIELDS] = {
		[PASSWORD] =
		    TEXT_INIT("The user name or the password is wrong.")
	};

	return show_form(
	    page, HTTP_UNPROCESSABLE, &login_form, account, problems);
}

/* An unknown name and a wrong password get the same answer in the same time. */
enum http_status
account_login_action(struct page *page)
{
	struct text problems[FIELDS];
	struct account account;
	struct user user = { .id = 0 };
	enum store_result result;
	enum http_status status;

	if (form_read(&login_form, page->arena, &page->request->form, &account,
		problems) > 0)
		return show_form(
		    page, HTTP_UNPROCESSABLE, &login_form, &account, problems);
	status = count_for_name(page, LIMIT_LOGIN, account.username);
	if (status != HTTP_OK)
		return status;
	result = user_find(page->store, page->arena, account.username, &user);
	if (result != STORE_OK && result != STORE_ABSENT)
		return page_failed(result);
	if (!crypto_password_fits(user.password_hash, account.password))
		return refuse_login(page, &account);
	result = sign_in(page, &user);
	/* There is a new password since it was looked at. */
	if (result == STORE_ABSENT)
		return refuse_login(page, &account);
	return result == STORE_OK ? go_back(page) : page_failed(result);
}

enum http_status
account_logout_action(struct page *page)
{
	enum store_result result =
	    session_end(page->store, page->arena, page_session_cookie(page));

	if (result != STORE_OK)
		return page_failed(result);
	page_set_session(page, (struct text){ NULL, 0 });
	return page_redirect(page, TEXT("/"));
}
