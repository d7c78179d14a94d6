#include "views/settings.h"
#include "pages/cookie.h"
#include "pages/form.h"
#include "pages/password.h"
#include "store/feed_key.h"
#include "store/recovery.h"
#include "store/second_factor.h"
#include "views/format.h"

static const struct form_row rows[] = { SETTINGS_INPUTS(FORM_ROW) };
static const struct form form = FORM_OF(rows);

static void
show_security(const struct page *page, const struct user *user,
    struct settings_model *model)
{
	model->has_codes = model->codes_left > 0;
	model->has_factor = second_factor_is_on(user);
	if (user->recovery_made != 0) {
		model->link_made =
		    format_moment(page->arena, user->recovery_made);
		model->link_made_iso =
		    format_iso(page->arena, user->recovery_made);
	}
	if (user->recovered != 0) {
		model->recovered = format_moment(page->arena, user->recovered);
		model->recovered_iso = format_iso(page->arena, user->recovered);
	}
}

/* feed_key is a new one, or empty. */
static enum http_status
show_settings(struct page *page, enum http_status status,
    struct settings_form *change, struct text feed_key)
{
	struct settings_model model;
	struct invite invites[INVITES_MAX];
	struct user user;
	struct session *sessions;
	enum store_result result;
	size_t count, invite_count;
	int64_t now, codes_left = 0;

	result = session_list(page->store, page->arena, cookie_session(page),
	    &sessions, &count, &now);
	if (result == STORE_OK)
		result = invite_list(page->store, page->arena, page->viewer.id,
		    invites, &invite_count);
	if (result == STORE_OK)
		result =
		    user_get(page->store, page->arena, page->viewer.id, &user);
	if (result == STORE_OK)
		result = recovery_codes_count(
		    page->store, page->arena, page->viewer.id, &codes_left);
	if (result != STORE_OK)
		return page_failed(page, result);
	model = settings_model_of(
	    page->arena, sessions, count, now, invites, invite_count);
	model.codes_left = codes_left;
	model.may_invite = !settings_registration_is_closed(page->settings);
	model.needs_password = password_is_needed(page);
	model.site = page_origin(page);
	model.has_feed_key = user.feed_key.size > 0;
	model.feed_key = feed_key;
	show_security(page, &user, &model);
	model.is_home = user.home != 0;
	model.is_scoreless = user.scoreless != 0;
	model.gravities = settings_gravities(page->arena, user.gravity);
	model.languages = language_choices(page->arena, user.language);
	model.is_site_language = user.language.size == 0;
	model.is_owner = page->viewer.role == ROLE_OWNER;
	model.form = form_model_of(page, &form, change, status);
	model.inputs = *change;
	model.changed =
	    status == HTTP_OK && cookie_take_note(page, NOTE_PASSWORD);
	model.saved_front = cookie_take_note(page, NOTE_FRONT);
	model.saved_hot = cookie_take_note(page, NOTE_HOT);
	model.saved_scores = cookie_take_note(page, NOTE_SCORES);
	model.saved_language = cookie_take_note(page, NOTE_LANGUAGE);
	model.saved = model.saved_front || model.saved_hot ||
	    model.saved_scores || model.saved_language;
	return page_show_secret(page, status, &settings_view, &model);
}

enum http_status
settings_page(struct page *page)
{
	struct settings_form change;

	form_fill(&form, page_sent(page), &change);
	return show_settings(page, HTTP_OK, &change, TEXT(""));
}

/* Ends every session and starts a new one for this browser; unless another change of the
 * password came first, which has ended this one. */
static enum http_status
change_password(struct page *page, const struct user *user, struct text hash)
{
	const struct second_factor factor = { .kind =
						  SECOND_FACTOR_OF_SESSION };
	struct user changed = *user;
	struct text cookie;
	enum store_result result = user_set_password(
	    page->store, page->arena, user->id, user->password_hash, hash);

	if (result == STORE_OK)
		page_event(
		    page, (struct event){ .name = EVENT_PASSWORD_CHANGED });
	if (result == STORE_OK)
		result = session_start(page->store, page->arena, user->id, hash,
		    &factor, page->request->agent, &cookie);
	if (result == STORE_TAKEN || result == STORE_ABSENT)
		return page_redirect(page, TEXT("/login"));
	if (result != STORE_OK)
		return page_failed(page, result);
	changed.password_hash = hash;
	cookie_set_session(page, cookie);
	cookie_set_device(page, &changed);
	cookie_set_note(page, NOTE_PASSWORD);
	return page_redirect(page, TEXT("/settings"));
}

/* The form is part of the settings; passwords are not shown again. */
enum http_status
settings_password_form(struct page *page, enum http_status status)
{
	struct settings_form change;

	if (status == HTTP_OK)
		return page_redirect(page, TEXT("/settings#change"));
	if (!page_is_signed_in(page))
		return status;
	form_fill(&form, page_sent(page), &change);
	return show_settings(page, status, &change, TEXT(""));
}

enum http_status
settings_password_action(struct page *page)
{
	struct settings_form change;
	struct user user;
	enum http_status status;
	struct text hash;

	if (!form_read(&form, page->arena, page_sent(page), &change))
		return show_settings(
		    page, HTTP_UNPROCESSABLE, &change, TEXT(""));
	status = password_check_viewer(page, &change.current, &user);
	if (status != HTTP_OK)
		return status;
	if (change.current.problem.size > 0)
		return show_settings(
		    page, HTTP_UNPROCESSABLE, &change, TEXT(""));
	if (text_equal(change.current.value, change.password.value)) {
		form_mark(page->arena, &change.password, PROBLEM_PASSWORD_SAME);
		return show_settings(
		    page, HTTP_UNPROCESSABLE, &change, TEXT(""));
	}
	status = password_choose(page, &change.password, user.name, &hash);
	if (status != HTTP_OK)
		return status;
	if (change.password.problem.size > 0)
		return show_settings(
		    page, HTTP_UNPROCESSABLE, &change, TEXT(""));
	return change_password(page, &user, hash);
}

enum http_status
settings_invite_action(struct page *page)
{
	enum store_result result;

	if (settings_registration_is_closed(page->settings))
		return HTTP_FORBIDDEN;
	result = invite_create(page->store, page->arena, page->viewer.id);
	if (result == STORE_FULL)
		return page_refuse(page, REASON_INVITES_FULL);
	if (result != STORE_OK)
		return page_failed(page, result);
	page_event(page, (struct event){ .name = EVENT_INVITED });
	return page_redirect(page, TEXT("/settings#invites"));
}

/* The form is part of the settings. */
enum http_status
settings_feeds_form(struct page *page, enum http_status status)
{
	return status == HTTP_OK ? page_redirect(page, TEXT("/settings#feeds"))
				 : status;
}

/* Shows the new addresses in the answer: they are known to nobody afterwards. "do" is
 * "renew" or "end". */
enum http_status
settings_feeds_action(struct page *page)
{
	struct text wanted = pairs_get(&page->request->form, TEXT("do")), key;
	struct settings_form change;
	enum store_result result;

	if (text_equal(wanted, TEXT("end")))
		return page_finish(page,
		    feed_key_end(page->store, page->arena, page->viewer.id),
		    TEXT("/settings#feeds"));
	if (!text_equal(wanted, TEXT("renew")))
		return HTTP_BAD_REQUEST;
	result =
	    feed_key_renew(page->store, page->arena, page->viewer.id, &key);
	if (result != STORE_OK)
		return page_failed(page, result);
	page_event(page, (struct event){ .name = EVENT_FEED_KEY_RENEWED });
	form_fill(&form, &page->request->query, &change);
	return show_settings(page, HTTP_OK, &change, key);
}

/* The gravity of the order hot. */
enum http_status
settings_hot_action(struct page *page)
{
	struct text gravity = pairs_get(&page->request->form, TEXT("gravity"));

	if (rule_gravity(page->arena, &gravity).kind != PROBLEM_NONE)
		return HTTP_BAD_REQUEST;
	return cookie_finish(page,
	    user_set_gravity(
		page->store, page->arena, page->viewer.id, gravity),
	    NOTE_HOT, TEXT("/settings#hot"));
}

/* The language of the member's pages; empty: the site's. */
enum http_status
settings_language_action(struct page *page)
{
	struct text tag = pairs_get(&page->request->form, TEXT("language"));

	if (tag.size > 0 && language_find(tag) == NULL)
		return HTTP_BAD_REQUEST;
	return cookie_finish(page,
	    user_set_language(page->store, page->arena, page->viewer.id, tag),
	    NOTE_LANGUAGE, TEXT("/settings#language"));
}

enum http_status
settings_scores_action(struct page *page)
{
	struct text state = pairs_get(&page->request->form, TEXT("state"));
	bool hides = text_equal(state, TEXT("off"));

	if (!hides && !text_equal(state, TEXT("on")))
		return HTTP_BAD_REQUEST;
	return cookie_finish(page,
	    user_set_scoreless(
		page->store, page->arena, page->viewer.id, hides),
	    NOTE_SCORES, TEXT("/settings#scores"));
}

/* For password managers (W3C, A Well-Known URL for Changing Passwords). */
enum http_status
settings_change_page(struct page *page)
{
	return page_redirect(page, TEXT("/settings#change"));
}

/* Makes the device cookies of all other browsers invalid, so that a browser whose session
 * was ended has no limit of its own for guesses. */
static enum http_status
distrust_other_browsers(struct page *page)
{
	struct user user;
	enum store_result result =
	    user_distrust_browsers(page->store, page->arena, page->viewer.id);

	if (result == STORE_OK)
		result =
		    user_get(page->store, page->arena, page->viewer.id, &user);
	if (result != STORE_OK)
		return page_failed(page, result);
	cookie_set_device(page, &user);
	return HTTP_OK;
}

/* Ends the session that "session" names; "others": all but this browser's. */
enum http_status
settings_sessions_action(struct page *page)
{
	struct text named = pairs_get(&page->request->form, TEXT("session"));
	enum store_result result;
	enum http_status status;

	if (named.size == 0)
		return HTTP_BAD_REQUEST;
	status = password_confirm(page);
	if (status != HTTP_OK)
		return status;
	if (text_equal(named, TEXT("others")))
		named = (struct text){ NULL, 0 };
	result = session_end_other(
	    page->store, page->arena, cookie_session(page), named);
	/* One that had ended already is no failure. */
	if (result != STORE_OK && result != STORE_ABSENT)
		return page_failed(page, result);
	status = distrust_other_browsers(page);
	if (status != HTTP_OK)
		return status;
	page_event(page, (struct event){ .name = EVENT_SESSIONS_ENDED });
	return page_redirect(page, TEXT("/settings"));
}
