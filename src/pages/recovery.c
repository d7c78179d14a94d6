#include "pages/recovery.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "pages/cookie.h"
#include "pages/form.h"
#include "pages/password.h"
#include "pages/sign_in.h"
#include "store/limit.h"
#include "views/language.h"
#include "views/recovery.h"

static const struct form_row rows[] = { RECOVERY_INPUTS(FORM_ROW) };
static const struct form form = FORM_OF(rows);

static const struct form_row link_rows[] = { RECOVERY_LINK_INPUTS(FORM_ROW) };
static const struct form link_form = FORM_OF(link_rows);

/* The password was set: its member logs in, with the second factor if it is on. */
static enum http_status
finish_recovery(
    struct page *page, const struct user *user, enum store_result result)
{
	if (result == STORE_OK) {
		page_event(page,
		    (struct event){
			.name = EVENT_RECOVERED, .subject = user->id });
		cookie_set_note(page, NOTE_PASSWORD);
		result = sign_in(page, user, &sign_in_without_factor);
		if (result == STORE_DOWN)
			return sign_in_later(page);
	}
	return result == STORE_OK ? page_redirect(page, TEXT("/settings"))
				  : sign_in_finish(page, user, result);
}

static enum http_status
show_recovery_form(
    struct page *page, enum http_status status, struct recovery_form *inputs)
{
	struct recovery_model model = { .contact = page->settings->contact };

	cookie_use_form(page);
	model.form = form_model_of(page, &form, inputs, status);
	model.inputs = *inputs;
	return page_show(page, status, &recover_view, &model);
}

enum http_status
recovery_form(struct page *page, enum http_status status)
{
	struct recovery_form inputs;

	form_fill(&form, page_sent(page), &inputs);
	return show_recovery_form(page, status, &inputs);
}

/*
 * Counts a try, for its network by the route, and here for the member from that network alone:
 * so a stranger elsewhere locks nobody out. A browser that has logged in as the member before
 * has a count of its own.
 */
static enum store_result
count_recovery(
    struct page *page, const struct user *user, struct text name, int64_t *wait)
{
	struct text device = cookie_device(page, user);

	return device.size > 0
	    ? limit_take_device(
		  page->store, page->arena, LIMIT_CODE, device, wait)
	    : limit_take_name_from(page->store, page->arena, LIMIT_CODE, name,
		  page->request->address, wait);
}

static void
refund_recovery(struct page *page, const struct user *user, struct text name)
{
	struct text device = cookie_device(page, user);

	if (device.size > 0)
		(void)!limit_refund_device(
		    page->store, page->arena, LIMIT_CODE, device);
	else
		(void)!limit_refund_name_from(page->store, page->arena,
		    LIMIT_CODE, name, page->request->address);
}

/* Finds the member and the code: STORE_ABSENT for a wrong one of either, after the same
 * commands. */
static enum store_result
find_code(struct page *page, struct recovery_form *inputs, struct user *user,
    struct recovery *recovery)
{
	enum store_result result =
	    user_find(page->store, page->arena, inputs->username.value, user);

	if (result == STORE_ABSENT)
		user->id = 0;
	else if (result != STORE_OK)
		return result;
	*recovery = (struct recovery){ RECOVERY_BY_CODE,
		recovery_code_digest(
		    page->store, page->arena, user->id, inputs->code.value) };
	return recovery_codes_find(
	    page->store, page->arena, user->id, &recovery->digest, 1);
}

static enum http_status
refuse_code(struct page *page, struct recovery_form *inputs)
{
	static struct event_limiter mark;

	page_event_few(page, &mark, (struct event){ .name = EVENT_CODE_WRONG });
	form_mark(page->arena, &inputs->code, PROBLEM_RECOVERY_WRONG);
	return show_recovery_form(page, HTTP_UNPROCESSABLE, inputs);
}

/* The code is used up only with a password that is accepted. */
static enum http_status
recover_by_code(struct page *page, struct recovery_form *inputs,
    struct user *user, const struct recovery *recovery)
{
	enum store_result result;
	enum http_status status = password_choose(
	    page, &inputs->password, user->name, &user->password_hash);

	if (status != HTTP_OK)
		return status;
	if (inputs->password.problem.size > 0)
		return show_recovery_form(page, HTTP_UNPROCESSABLE, inputs);
	result = recovery_set_password(
	    page->store, page->arena, user->id, recovery, user->password_hash);
	return result == STORE_ABSENT ? refuse_code(page, inputs)
				      : finish_recovery(page, user, result);
}

enum http_status
recovery_action(struct page *page)
{
	struct recovery_form inputs;
	struct recovery recovery;
	struct user user = { .id = 0 };
	enum store_result found, result;
	struct text name;
	int64_t wait = 0;

	if (!form_read(&form, page->arena, page_sent(page), &inputs))
		return show_recovery_form(page, HTTP_UNPROCESSABLE, &inputs);
	name = text_lower(page->arena, inputs.username.value);
	found = find_code(page, &inputs, &user, &recovery);
	if (found != STORE_OK && found != STORE_ABSENT)
		return page_failed(page, found);
	result = count_recovery(page, &user, name, &wait);
	if (result != STORE_OK)
		return page_limited(page, result, wait);
	if (found == STORE_ABSENT)
		return refuse_code(page, &inputs);
	refund_recovery(page, &user, name);
	return recover_by_code(page, &inputs, &user, &recovery);
}

/* Links. */

static struct text
code_of(const struct page *page)
{
	return pairs_get(&page->request->path_values, TEXT("code"));
}

static enum http_status
show_link_form(struct page *page, enum http_status status,
    const struct user *user, struct recovery_link_form *inputs)
{
	struct recovery_link_model model = {
		.code = code_of(page),
		.account = user->name,
	};

	cookie_use_form(page);
	model.form = form_model_of(page, &link_form, inputs, status);
	model.inputs = *inputs;
	return page_show_secret(page, status, &recovery_link_view, &model);
}

/* The link of the address, and whose account it recovers: STORE_ABSENT when there is no such
 * link. */
static enum store_result
find_link(struct page *page, struct one_time_link *link, struct user *user)
{
	enum store_result result =
	    one_time_link_find(page->store, page->arena, code_of(page), link);

	if (result == STORE_OK && link->kind != ONE_TIME_LINK_RECOVERY)
		result = STORE_ABSENT;
	return result == STORE_OK
	    ? user_get(page->store, page->arena, link->user, user)
	    : result;
}

static enum http_status
refuse_link(struct page *page, enum store_result result)
{
	return result == STORE_ABSENT ? page_refuse(page, REASON_NO_LINK)
				      : page_failed(page, result);
}

enum http_status
recovery_link_form(struct page *page, enum http_status status)
{
	struct recovery_link_form inputs;
	struct one_time_link link;
	struct user user;
	enum store_result result = find_link(page, &link, &user);

	if (result != STORE_OK)
		return status == HTTP_OK ? refuse_link(page, result) : status;
	form_fill(&link_form, page_sent(page), &inputs);
	return show_link_form(page, status, &user, &inputs);
}

enum http_status
recovery_link_action(struct page *page)
{
	struct recovery recovery = { .kind = RECOVERY_BY_LINK };
	struct recovery_link_form inputs;
	struct one_time_link link;
	struct user user;
	enum store_result result = find_link(page, &link, &user);
	enum http_status status = HTTP_OK;

	if (result != STORE_OK)
		return refuse_link(page, result);
	if (form_read(&link_form, page->arena, page_sent(page), &inputs))
		status = password_choose(
		    page, &inputs.password, user.name, &user.password_hash);
	if (status != HTTP_OK)
		return status;
	if (inputs.password.problem.size > 0)
		return show_link_form(page, HTTP_UNPROCESSABLE, &user, &inputs);
	recovery.digest = link.digest;
	result = recovery_set_password(
	    page->store, page->arena, user.id, &recovery, user.password_hash);
	return result == STORE_ABSENT ? refuse_link(page, result)
				      : finish_recovery(page, &user, result);
}

/* Codes in the settings. */

static const struct form no_inputs = { NULL, 0 };

struct mustache_list
recovery_show_codes(const struct page *page, const struct recovery_codes *codes)
{
	struct recovery_code_row *lines =
	    arena_new(page->arena, struct recovery_code_row, RECOVERY_CODES);
	struct new_codes_model *model =
	    arena_new(page->arena, struct new_codes_model, 1);
	struct buffer joined = buffer_in(page->arena, 256);

	for (size_t i = 0; i < RECOVERY_CODES; i++) {
		lines[i].code = codes->codes[i];
		if (i > 0)
			buffer_add_char(&joined, ' ');
		buffer_add(&joined, codes->codes[i]);
	}
	*model = (struct new_codes_model){
		.rows = { lines, RECOVERY_CODES },
		.joined = buffer_text(&joined),
		.csrf = page_form_token(page),
	};
	return (struct mustache_list){ model, 1 };
}

/* made is what was just made, or NULL. */
static enum http_status
show_codes_form(struct page *page, enum http_status status,
    const struct recovery_codes *made)
{
	struct recovery_codes_model model = { .needs_password =
						  password_is_needed(page) };
	enum store_result result = recovery_codes_count(
	    page->store, page->arena, page->viewer.id, &model.left);

	if (result != STORE_OK && status == HTTP_OK)
		return page_failed(page, result);
	model.has_codes = model.left > 0;
	if (made != NULL)
		model.made = recovery_show_codes(page, made);
	model.form = form_model_of(page, &no_inputs, NULL, status);
	return page_show_secret(page, status, &recovery_codes_view, &model);
}

enum http_status
recovery_codes_form(struct page *page, enum http_status status)
{
	return page_is_signed_in(page) && status != HTTP_BAD_REQUEST
	    ? show_codes_form(page, status, NULL)
	    : status;
}

static enum http_status
renew_codes(struct page *page)
{
	struct recovery_codes codes =
	    recovery_codes_new(page->store, page->arena, page->viewer.id);
	enum http_status status = password_confirm(page);
	enum store_result result;

	if (status != HTTP_OK)
		return status;
	result = recovery_codes_store(
	    page->store, page->arena, page->viewer.id, &codes);
	if (result != STORE_OK)
		return page_failed(page, result);
	page_event(page, (struct event){ .name = EVENT_CODES_RENEWED });
	return show_codes_form(page, HTTP_OK, &codes);
}

/* A line for each word of the form's field, once all are codes of the viewer's. */
static enum http_status
download_codes(struct page *page)
{
	struct text rest = pairs_get(&page->request->form, TEXT("codes")), code;
	struct buffer file = buffer_in(page->arena, 512);
	struct text digests[RECOVERY_CODES];
	enum store_result result;
	size_t count = 0;

	buffer_add(&file,
	    LANGUAGE_FILL(page->arena,
		TR("Recovery codes of {member} on {site}\n{address}\nEach "
		   "works once."),
		{ "member", page->viewer.name },
		{ "site", page->settings->name },
		{ "address", page_origin(page) }));
	buffer_add(&file, TEXT("\n\n"));
	while (count < RECOVERY_CODES && text_next_word(&rest, &code)) {
		buffer_add(&file, code);
		buffer_add_char(&file, '\n');
		if (rule_given_code(page->arena, &code).kind != PROBLEM_NONE)
			return HTTP_BAD_REQUEST;
		digests[count++] = recovery_code_digest(
		    page->store, page->arena, page->viewer.id, code);
	}
	if (count == 0 || text_next_word(&rest, &code))
		return HTTP_BAD_REQUEST;
	result = recovery_codes_find(
	    page->store, page->arena, page->viewer.id, digests, count);
	if (result == STORE_ABSENT)
		return page_refuse(page, REASON_CODES_REPLACED);
	if (result != STORE_OK)
		return page_failed(page, result);
	page->response->type = TYPE_PLAIN;
	page->response->download = text_format(page->arena,
	    "%.*s-recovery-codes.txt", TEXT_ARGS(page->viewer.name));
	page->response->body = buffer_text(&file);
	return HTTP_OK;
}

/* "do" is "renew" or "download". */
enum http_status
recovery_codes_action(struct page *page)
{
	struct text wanted = pairs_get(&page->request->form, TEXT("do"));

	if (text_equal(wanted, TEXT("renew")))
		return renew_codes(page);
	return text_equal(wanted, TEXT("download")) ? download_codes(page)
						    : HTTP_BAD_REQUEST;
}
