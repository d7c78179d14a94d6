#include "base/arena.h"
#include "base/crypto.h"
#include "pages/page.h"
#include "views/format.h"

struct change {
	struct text current, password;
};

enum { CURRENT, PASSWORD, FIELDS };

static const struct form_field fields[FIELDS] = {
	[CURRENT] = { .name = "current",
	    .offset = offsetof(struct change, current),
	    .check = rule_given_password,
	    .label = "Current password",
	    .input = "input-password",
	    .autocomplete = "current-password",
	    .most = RULE_PASSWORD_MAX,
	    .required = true },
	[PASSWORD] = { .name = "password",
	    .offset = offsetof(struct change, password),
	    .check = rule_new_password,
	    .label = "New password",
	    .hint = "At least 8 characters; a few words are best. It logs you "
		    "out everywhere else.",
	    .input = "input-password",
	    .autocomplete = "new-password",
	    .most = RULE_PASSWORD_MAX,
	    .required = true },
};
static const struct form change_form = FORM(fields);

static struct session_line
line_of(struct arena *arena, const struct session *session, int64_t now)
{
	return (struct session_line){
		.id = session->id,
		.agent = session->agent,
		.since = format_moment(arena, session->created),
		.since_iso = format_iso(arena, session->created),
		.seen = format_age(arena, now, session->seen),
		.seen_iso = format_iso(arena, session->seen),
		.current = session->current,
	};
}

/* No password is ever written into a page. */
static enum http_status
show_settings(
    struct page *page, enum http_status status, const struct text *problems)
{
	static const struct change nothing;
	struct settings_model model = { .form = page_form(page, &change_form,
					    &nothing, problems) };
	struct session *sessions;
	struct session_line *lines;
	enum store_result result;
	size_t count;
	int64_t now;

	result = session_list(page->store, page->arena,
	    page_session_cookie(page), &sessions, &count, &now);
	if (result != STORE_OK)
		return page_failed(result);
	lines = arena_new(page->arena, struct session_line, count);
	for (size_t i = 0; i < count; i++)
		lines[i] = line_of(page->arena, &sessions[i], now);
	model.sessions = (struct mustache_list){ lines, count };
	model.several = count > 1;
	model.changed = status == HTTP_OK &&
	    pairs_has(&page->request->query, TEXT("changed"));
	return page_show(
	    page, status, &settings_view, TEXT("Settings"), &model);
}

enum http_status
settings_page(struct page *page)
{
	return show_settings(page, HTTP_OK, NULL);
}

/* Every session ends, and this browser gets a new one; unless somebody was
 * faster with another change, who has ended this one. */
static enum http_status
change_password(
    struct page *page, const struct user *user, struct text password)
{
	struct text hash = crypto_password_hash(page->arena, password), cookie;
	enum store_result result = user_set_password(
	    page->store, page->arena, user->id, user->password_hash, hash);

	if (result == STORE_OK)
		result = session_start(page->store, page->arena, user->id, hash,
		    page->request->agent, &cookie);
	if (result == STORE_TAKEN || result == STORE_ABSENT)
		return page_redirect(page, TEXT("/login"));
	if (result != STORE_OK)
		return page_failed(result);
	page_set_session(page, cookie);
	return page_redirect(page, TEXT("/settings?changed=1"));
}

enum http_status
settings_password_action(struct page *page)
{
	struct text problems[FIELDS];
	struct change change;
	struct user user;
	enum store_result result;

	if (form_read(&change_form, page->arena, &page->request->form, &change,
		problems) > 0)
		return show_settings(page, HTTP_UNPROCESSABLE, problems);
	result = user_get(page->store, page->arena, page->viewer.id, &user);
	if (result != STORE_OK)
		return page_failed(result);
	if (!crypto_password_fits(user.password_hash, change.current)) {
		problems[CURRENT] = TEXT("That is not your password.");
		return show_settings(page, HTTP_UNPROCESSABLE, problems);
	}
	return change_password(page, &user, change.password);
}

/* "session" names the one that ends; "others" are all but this browser's. */
enum http_status
settings_sessions_action(struct page *page)
{
	struct text named = pairs_get(&page->request->form, TEXT("session"));
	enum store_result result;

	if (named.size == 0)
		return HTTP_BAD_REQUEST;
	if (text_equal(named, TEXT("others")))
		named = (struct text){ NULL, 0 };
	result = session_end_other(
	    page->store, page->arena, page_session_cookie(page), named);
	/* One that was ended already is what was wanted. */
	if (result != STORE_OK && result != STORE_ABSENT)
		return page_failed(result);
	return page_redirect(page, TEXT("/settings"));
}
