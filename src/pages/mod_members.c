#include "views/mod_members.h"
#include "base/arena.h"
#include "pages/form.h"
#include "pages/mod_form.h"
#include "pages/mod_notes.h"
#include "pages/password.h"
#include "pages/path.h"
#include "store/account_status.h"
#include "store/second_factor.h"

enum { MEMBERS_ON_A_PAGE = 50 };

static const struct form_row rows[] = { MOD_MEMBER_INPUTS(FORM_ROW) };
static const struct form form = FORM_OF(rows);

/* Reads the moderators, in no order, and a page of the newest members. */
static enum store_result
read_members(struct page *page, uint64_t number, struct mod_members *members)
{
	enum store_result result;
	uint64_t *ids;
	size_t count;

	result = user_moderators(page->store, page->arena, &ids, &count);
	if (result == STORE_OK)
		result = user_get_reachable(page->store, page->arena, ids,
		    count, &members->moderators, &members->moderator_count,
		    &page->is_partial);
	if (!page_may_continue(page, result))
		return result;
	result = user_newest(page->store, page->arena,
	    (number - 1) * MEMBERS_ON_A_PAGE, MEMBERS_ON_A_PAGE,
	    &members->newest, &members->newest_count, &members->more,
	    &page->is_partial);
	return page_may_continue(page, result) ? STORE_OK : result;
}

/* unknown is the name of no member that was looked for, or empty. */
static enum http_status
show_members(struct page *page, struct text unknown)
{
	struct mod_members members = { .more = false };
	struct mod_members_model model;
	uint64_t number = page->number;

	if (read_members(page, number, &members) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	if (members.newest_count == 0 && number > 1 && !page->is_partial)
		return page_redirect(page, TEXT("/members"));
	if (!page_is_signed_in(page) && !page->is_partial)
		page->response->cache = CACHE_ONE_SECOND;
	model = mod_members_model_of(page->arena, &members, number);
	model.unknown = unknown;
	return page_show(page, unknown.size > 0 ? HTTP_NOT_FOUND : HTTP_OK,
	    &mod_members_view, &model);
}

/* Of a name that is no member's, and is what was typed, the page has the form again. */
static enum http_status
find_member(struct page *page, struct text typed)
{
	struct text name = typed;
	struct user user;
	enum store_result result =
	    rule_user_name(page->arena, &name).kind == PROBLEM_NONE
	    ? user_find(page->store, page->arena, name, &user)
	    : STORE_ABSENT;

	if (result == STORE_ABSENT)
		return show_members(page, typed);
	return result == STORE_OK
	    ? page_redirect(
		  page, text_join(page->arena, TEXT("/u/"), user.name))
	    : page_failed(page, result);
}

/* Looking for one is for moderators: others have the list alone. */
enum http_status
mod_members_page(struct page *page)
{
	struct text typed =
	    text_trim(pairs_get(&page->request->query, TEXT("member")));

	if (typed.size == 0)
		return show_members(page, TEXT(""));
	return page_is_moderator(page) ? find_member(page, typed)
				       : page_redirect(page, TEXT("/members"));
}

/* Owners recover their accounts by codes, or by the command. */
static bool
may_recover(const struct page *page, const struct user *user)
{
	return page->viewer.role == ROLE_OWNER && user->role != ROLE_OWNER &&
	    user->closed == 0 && user->suspended <= page->now;
}

/* link is a new one, or empty. */
static enum http_status
show_member_form(struct page *page, enum http_status status,
    const struct user *user, struct mod_member_form *inputs, struct text link)
{
	struct mod_member_model model =
	    mod_member_model_of(page->arena, user, page->now);

	model.may_act = mod_form_may_act_on(page, user);
	model.may_appoint =
	    page->viewer.role == ROLE_OWNER && user->closed == 0;
	model.is_self = user->id == page->viewer.id;
	model.may_recover = may_recover(page, user);
	model.has_factor = second_factor_is_on(user);
	model.link = link;
	model.needs_password = password_is_needed(page);
	model.about.text = page_markdown_whole(page, user->about, TEXT(""));
	if (mod_notes_read(page, user, &model) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	model.form = form_model_of(page, &form, inputs, status);
	model.inputs = *inputs;
	return page_show_secret(page, status, &mod_member_view, &model);
}

enum http_status
mod_members_suspend_form(struct page *page, enum http_status status)
{
	struct mod_member_form inputs;
	struct user user;
	enum http_status found;

	if (status != HTTP_OK && !page_is_moderator(page))
		return status;
	found = path_member(page, &user);
	if (found != HTTP_OK)
		return found;
	form_fill(&form, page_sent(page), &inputs);
	return show_member_form(page, status, &user, &inputs, TEXT(""));
}

/* When a suspension of so many days ends; 0 to lift it. */
static int64_t
suspension_end(const struct page *page, struct text days)
{
	uint64_t number = 0;

	if (days.size == 0)
		return 0;
	text_to_u64(days, &number);
	return number == 0 ? USER_SUSPENDED_FOREVER
			   : page->now + (int64_t)number * 86400;
}

enum http_status
mod_members_suspend_action(struct page *page)
{
	struct store *store = page->store;
	struct arena *arena = page->arena;
	struct mod_member_form inputs;
	enum store_result result;
	struct user user;
	struct mod_action action;
	int64_t until;
	enum http_status status = path_member(page, &user);

	if (status != HTTP_OK)
		return status;
	if (!mod_form_may_act_on(page, &user))
		return HTTP_FORBIDDEN;
	form_read(&form, arena, page_sent(page), &inputs);
	/* No days lift a suspension, and there is none. */
	if (inputs.days.value.size == 0 && user.suspended <= page->now)
		form_mark(arena, &inputs.days, PROBLEM_DAYS);
	if (!form_is_valid(&form, &inputs))
		return show_member_form(
		    page, HTTP_UNPROCESSABLE, &user, &inputs, TEXT(""));
	action = mod_form_action(page, inputs.reason.value);
	until = suspension_end(page, inputs.days.value);
	result = until == 0
	    ? account_readmit(store, arena, &user, action)
	    : account_suspend(store, arena, &user, until, action);
	return page_finish(
	    page, result, text_join(arena, TEXT("/u/"), user.name));
}

enum http_status
mod_members_vouch_action(struct page *page)
{
	struct user user;
	struct mod_action action;
	enum http_status status = mod_form_read(page, &action);

	if (status == HTTP_OK)
		status = path_member(page, &user);
	if (status != HTTP_OK)
		return status;
	return page_finish(page,
	    user.trusted != 0
		? STORE_OK
		: account_vouch(page->store, page->arena, &user, action),
	    text_join(page->arena, TEXT("/u/"), user.name));
}

/* Shows the link in the answer: it is known to nobody afterwards. With "factor" it turns the
 * second factor off. */
enum http_status
mod_members_recover_action(struct page *page)
{
	enum one_time_link_factor factor =
	    pairs_has(page_sent(page), TEXT("factor")) ? FACTOR_IS_TURNED_OFF
						       : FACTOR_STAYS;
	const struct pairs none = { .count = 0 };
	struct mod_member_form inputs;
	struct user user;
	enum store_result result;
	struct text code;
	enum http_status status = path_member(page, &user);

	if (status == HTTP_OK && !may_recover(page, &user))
		status = HTTP_FORBIDDEN;
	if (status == HTTP_OK)
		status = password_ask(page);
	if (status != HTTP_OK)
		return status;
	result = account_make_link(page->store, page->arena, &user, factor,
	    mod_form_action(page, TEXT("")), &code);
	if (result != STORE_OK)
		return page_failed(page, result);
	form_fill(&form, &none, &inputs);
	return show_member_form(page, HTTP_OK, &user, &inputs,
	    text_format(page->arena, "%.*s%.*s/%.*s",
		TEXT_ARGS(page_origin(page)), TEXT_ARGS(PAGE_LINK),
		TEXT_ARGS(code)));
}

enum http_status
mod_members_role_action(struct page *page)
{
	struct text word = pairs_get(page_sent(page), TEXT("role"));
	struct user user;
	struct mod_action action;
	enum role role;
	enum store_result result = STORE_OK;
	enum http_status status = mod_form_read(page, &action);

	if (status == HTTP_OK && !role_parse(word, &role))
		status = HTTP_BAD_REQUEST;
	if (status == HTTP_OK)
		status = path_member(page, &user);
	if (status == HTTP_OK && user.closed != 0)
		status = HTTP_FORBIDDEN;
	if (status == HTTP_OK)
		status = password_confirm(page);
	if (status != HTTP_OK)
		return status;
	if (user.role == ROLE_OWNER && role != ROLE_OWNER)
		result = user_step_down(page->store, page->arena, user.id);
	if (result == STORE_OK)
		result = account_appoint(
		    page->store, page->arena, &user, role, action);
	return page_finish(
	    page, result, text_join(page->arena, TEXT("/u/"), user.name));
}
