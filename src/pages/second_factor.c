#include "views/second_factor.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/qr.h"
#include "base/totp.h"
#include "base/url.h"
#include "pages/cookie.h"
#include "pages/form.h"
#include "pages/password.h"
#include "pages/recovery.h"
#include "pages/sign_in.h"
#include "store/limit.h"
#include "views/format.h"

/* Tries of a member whose password was given. A browser that has logged in as the member before
 * has a count of its own. */

static enum http_status
count_code(struct page *page, const struct user *user)
{
	struct text device = cookie_device(page, user);
	int64_t wait = 0;
	enum store_result result = device.size > 0
	    ? limit_take_device(
		  page->store, page->arena, LIMIT_CODE, device, &wait)
	    : limit_take_member(
		  page->store, page->arena, LIMIT_CODE, user->id, &wait);

	return result == STORE_OK ? HTTP_OK : page_limited(page, result, wait);
}

static void
refund_code(struct page *page, const struct user *user)
{
	struct text device = cookie_device(page, user);

	if (device.size > 0)
		(void)!limit_refund_device(
		    page->store, page->arena, LIMIT_CODE, device);
	else
		(void)!limit_refund_member(
		    page->store, page->arena, LIMIT_CODE, user->id);
}

static void
refuse_code(struct page *page, const struct user *user, struct input *code)
{
	static struct event_limiter mark;

	page_event_few(page, &mark,
	    (struct event){ .name = EVENT_CODE_WRONG, .subject = user->id });
	form_mark(page->arena, code, PROBLEM_CODE_WRONG);
}

/* The moment by Redis's clock. */
static int64_t
now_of(const struct page *page)
{
	return page->versions == NULL ? 0 : page->versions->now;
}

/* At log-in. */

static const struct form_row login_rows[] = { LOGIN_CODE_INPUTS(FORM_ROW) };
static const struct form login_form = FORM_OF(login_rows);

static enum http_status
show_login_code(
    struct page *page, enum http_status status, struct login_code_form *inputs)
{
	struct login_code_model model = { .return_to =
					      page_return_to(page, TEXT("/")) };

	if (page->asked.post.article != 0) {
		model.asked_name = post_request_word(&page->asked);
		model.asked_id = format_post(page->arena, page->asked.post);
	}
	cookie_use_form(page);
	model.form = form_model_of(page, &login_form, inputs, status);
	model.inputs = *inputs;
	return page_show(page, status, &login_code_view, &model);
}

/* The member who has sent the password from this browser: STORE_ABSENT when nobody has. */
static enum store_result
find_waiting(struct page *page, struct user *user)
{
	uint64_t id = cookie_login_member(page);
	enum store_result result;

	/* The proof contains a moment, which is not known without Redis. */
	if (page->versions == NULL)
		return STORE_DOWN;
	result = id == 0 ? STORE_ABSENT
			 : user_get(page->store, page->arena, id, user);
	return result == STORE_OK && !cookie_login_is_valid(page, user)
	    ? STORE_ABSENT
	    : result;
}

static enum http_status
begin_again(struct page *page)
{
	return page_redirect(page,
	    text_join(page->arena, TEXT("/login?"), sign_in_purpose(page)));
}

enum http_status
second_factor_login_form(struct page *page, enum http_status status)
{
	struct login_code_form inputs;
	enum store_result result;
	struct user user;

	form_fill(&login_form, page_sent(page), &inputs);
	if (status != HTTP_OK)
		return show_login_code(page, status, &inputs);
	result = find_waiting(page, &user);
	/* A session that goes on until the code was right. */
	if (result != STORE_OK && page_is_signed_in(page))
		return sign_in_go_on(page);
	if (result == STORE_ABSENT)
		return begin_again(page);
	return result == STORE_OK ? show_login_code(page, HTTP_OK, &inputs)
				  : page_failed(page, result);
}

/* Starts the session by the code, which Redis's function judges and uses up. */
static enum http_status
log_in_by_code(
    struct page *page, const struct user *user, struct login_code_form *inputs)
{
	struct second_factor factor = second_factor_of(
	    page->store, page->arena, user, inputs->code.value, now_of(page));
	enum store_result result = sign_in(page, user, &factor);

	if (result == STORE_FACTOR) {
		refuse_code(page, user, &inputs->code);
		return show_login_code(page, HTTP_UNPROCESSABLE, inputs);
	}
	if (result == STORE_ABSENT)
		return begin_again(page);
	if (result == STORE_OK) {
		refund_code(page, user);
		cookie_end_login(page);
	}
	return sign_in_finish(page, user, result);
}

enum http_status
second_factor_login_action(struct page *page)
{
	struct login_code_form inputs;
	enum store_result result;
	enum http_status status;
	struct user user;

	if (!form_read(&login_form, page->arena, page_sent(page), &inputs))
		return show_login_code(page, HTTP_UNPROCESSABLE, &inputs);
	result = find_waiting(page, &user);
	if (result == STORE_ABSENT)
		return begin_again(page);
	if (result != STORE_OK)
		return page_failed(page, result);
	status = count_code(page, &user);
	return status == HTTP_OK ? log_in_by_code(page, &user, &inputs)
				 : status;
}

/* In the settings. */

static const struct form_row rows[] = { SECOND_FACTOR_INPUTS(FORM_ROW) };
static const struct form form = FORM_OF(rows);

/* "otpauth://totp/Tally:ann?secret=...&issuer=Tally" (Google Authenticator's key URI format).
 * What it leaves out is the default of all apps. */
static struct text
address_of(const struct page *page, struct text secret)
{
	struct arena *arena = page->arena;
	struct text site = url_encode(arena, page->settings->name);

	return text_format(arena,
	    "otpauth://totp/%.*s:%.*s?secret=%.*s&issuer=%.*s", TEXT_ARGS(site),
	    TEXT_ARGS(url_encode(arena, page->viewer.name)), TEXT_ARGS(secret),
	    TEXT_ARGS(site));
}

/* "ABCD EFGH ..." */
static struct text
group_secret(struct arena *arena, struct text secret)
{
	struct buffer grouped = buffer_in(arena, 64);

	for (size_t i = 0; i < secret.size; i++) {
		if (i > 0 && i % 4 == 0)
			buffer_add_char(&grouped, ' ');
		buffer_add_char(&grouped, secret.data[i]);
	}
	return buffer_text(&grouped);
}

/* The secret to turn it on with: the one that the form has sent, so that a member who has
 * scanned it can go on, or else a new one. */
static void
add_secret(const struct page *page, struct second_factor_model *model)
{
	struct text sent = pairs_get(&page->request->form, TEXT("secret"));
	struct qr qr;

	model->secret =
	    totp_is_secret(sent) ? sent : totp_new_secret(page->arena);
	model->grouped_secret = group_secret(page->arena, model->secret);
	model->address = address_of(page, model->secret);
	if (qr_encode(page->arena, model->address, &qr)) {
		model->qr_path = qr.path;
		model->qr_size = qr.size;
	}
}

/* made are the recovery codes of a factor that was just turned on, or NULL. */
static enum http_status
show_second_factor(struct page *page, enum http_status status,
    struct second_factor_form *inputs, const struct recovery_codes *made)
{
	int64_t since = made != NULL ? page->now : page->viewer.factor_on;
	struct second_factor_model model = { .is_on = since != 0 };

	if (model.is_on) {
		model.since = format_moment(page->arena, since);
		model.since_iso = format_iso(page->arena, since);
	} else {
		add_secret(page, &model);
	}
	model.is_required = model.is_on &&
	    page->viewer.role == ROLE_MODERATOR &&
	    page->settings->moderator_factor.size > 0;
	if (made != NULL)
		model.made = recovery_show_codes(page, made);
	model.was_turned_off =
	    status == HTTP_OK && cookie_take_note(page, NOTE_FACTOR_OFF);
	model.form = form_model_of(page, &form, inputs, status);
	model.inputs = *inputs;
	return page_show_secret(page, status, &second_factor_view, &model);
}

enum http_status
second_factor_form(struct page *page, enum http_status status)
{
	struct second_factor_form inputs;

	if (!page_is_signed_in(page) || status == HTTP_BAD_REQUEST)
		return status;
	form_fill(&form, page_sent(page), &inputs);
	return show_second_factor(page, status, &inputs, NULL);
}

static enum http_status
refuse_settings_code(struct page *page, const struct user *user,
    struct second_factor_form *inputs)
{
	refuse_code(page, user, &inputs->code);
	return show_second_factor(page, HTTP_UNPROCESSABLE, inputs, NULL);
}

static enum http_status
turn_on(struct page *page, const struct user *user,
    struct second_factor_form *inputs)
{
	struct text secret = pairs_get(&page->request->form, TEXT("secret"));
	struct recovery_codes codes =
	    recovery_codes_new(page->store, page->arena, user->id);
	enum store_result result;
	int64_t step;

	if (!totp_find_step(
		page->arena, secret, inputs->code.value, page->now, &step))
		return refuse_settings_code(page, user, inputs);
	result = second_factor_turn_on(
	    page->store, page->arena, user, secret, step, &codes);
	/* It is on already, perhaps by another tab. */
	if (result == STORE_TAKEN)
		return page_redirect(page, TEXT("/settings/second-factor"));
	if (result != STORE_OK)
		return page_failed(page, result);
	refund_code(page, user);
	page_event(page, (struct event){ .name = EVENT_FACTOR_ON });
	page->lacks_factor = false;
	inputs->code.value = TEXT("");
	return show_second_factor(page, HTTP_OK, inputs, &codes);
}

static enum http_status
turn_off(struct page *page, const struct user *user,
    struct second_factor_form *inputs)
{
	struct second_factor factor = second_factor_of(
	    page->store, page->arena, user, inputs->code.value, page->now);
	enum store_result result =
	    second_factor_turn_off(page->store, page->arena, user->id, &factor);

	if (result == STORE_FACTOR)
		return refuse_settings_code(page, user, inputs);
	if (result != STORE_OK)
		return page_failed(page, result);
	refund_code(page, user);
	page_event(page, (struct event){ .name = EVENT_FACTOR_OFF });
	cookie_set_note(page, NOTE_FACTOR_OFF);
	return page_redirect(page, TEXT("/settings/second-factor"));
}

/* "do" is "on" or "off". */
enum http_status
second_factor_action(struct page *page)
{
	struct text wanted = pairs_get(&page->request->form, TEXT("do"));
	bool turns_on = text_equal(wanted, TEXT("on"));
	struct second_factor_form inputs;
	enum http_status status;
	struct user user;

	if (!turns_on && !text_equal(wanted, TEXT("off")))
		return HTTP_BAD_REQUEST;
	if (!form_read(&form, page->arena, page_sent(page), &inputs))
		return show_second_factor(
		    page, HTTP_UNPROCESSABLE, &inputs, NULL);
	status = password_check_viewer(page, &inputs.password, &user);
	if (status == HTTP_OK && inputs.password.problem.size > 0)
		return show_second_factor(
		    page, HTTP_UNPROCESSABLE, &inputs, NULL);
	if (status == HTTP_OK)
		status = count_code(page, &user);
	if (status != HTTP_OK)
		return status;
	return turns_on ? turn_on(page, &user, &inputs)
			: turn_off(page, &user, &inputs);
}
