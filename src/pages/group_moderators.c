#include "views/group_moderators.h"
#include "base/arena.h"
#include "pages/form.h"
#include "pages/mod_form.h"
#include "pages/password.h"
#include "store/group_admin.h"

static const struct form_row rows[] = { GROUP_MODERATORS_INPUTS(FORM_ROW) };
static const struct form form = FORM_OF(rows);

static struct mustache_list
names_of_moderators(struct arena *arena, const struct group *group)
{
	struct text *names =
	    arena_new(arena, struct text, RULE_GROUP_MODERATORS_MAX);
	struct text rest = group->moderators;
	struct member moderator;
	size_t count = 0;

	while (count < RULE_GROUP_MODERATORS_MAX &&
	    group_next_moderator(&rest, &moderator))
		names[count++] = moderator.name;
	return (struct mustache_list){ names, count };
}

/* Reads the group of the path; one that was renamed or merged is the successor's. */
static enum http_status
read_group(struct page *page, struct group *group)
{
	enum store_result result = group_get(page->store, page->arena,
	    pairs_get(&page->request->path_values, TEXT("name")), group);

	return result == STORE_OK ? HTTP_OK : page_failed(page, result);
}

static struct text
path_of_moderators(struct arena *arena, struct text group)
{
	return text_format(arena, "/g/%.*s/moderators", TEXT_ARGS(group));
}

static enum http_status
show_moderators(struct page *page, enum http_status status,
    struct group_moderators_form *inputs)
{
	struct group_moderators_model model = { .none = true };
	struct group group;
	enum http_status found = read_group(page, &group);

	if (found != HTTP_OK)
		return found;
	if (group.into.size > 0)
		return page_redirect(
		    page, path_of_moderators(page->arena, group.into));
	model.group = group.name;
	model.moderators = names_of_moderators(page->arena, &group);
	model.none = model.moderators.count == 0;
	model.may_appoint =
	    page->viewer.role == ROLE_OWNER || status == HTTP_UNAUTHORIZED;
	model.may_resign = group_has_moderator(&group, page->viewer.id);
	model.needs_password = model.may_appoint && page_is_signed_in(page) &&
	    password_is_needed(page);
	model.form = form_model_of(page, &form, inputs, status);
	model.inputs = *inputs;
	return page_show(page, status, &group_moderators_view, &model);
}

enum http_status
group_moderators_form(struct page *page, enum http_status status)
{
	struct group_moderators_form inputs;

	if (status != HTTP_OK && status != HTTP_UNAUTHORIZED &&
	    page->viewer.role != ROLE_OWNER)
		return status;
	form_fill(&form, page_sent(page), &inputs);
	return show_moderators(page, status, &inputs);
}

/* Marks the name when it is the problem. */
static void
mark_name(struct page *page, enum store_result result, struct input *name)
{
	if (result == STORE_FULL)
		form_mark(page->arena, name, PROBLEM_GROUP_MODERATORS_FULL);
	else if (result == STORE_ABSENT)
		form_mark(page->arena, name, PROBLEM_MEMBER_UNKNOWN);
	else if (result == STORE_CLOSED)
		form_mark(page->arena, name, PROBLEM_GROUP_NO_MODERATOR);
}

/* STORE_ABSENT when there is no such member, and STORE_CLOSED when who is to be dismissed is
 * none of the moderators. */
static enum store_result
change_moderators(struct page *page, const struct group *group, bool appoints,
    const struct group_moderators_form *inputs)
{
	struct mod_action action = mod_form_action(page, inputs->reason.value);
	struct member member;
	struct user user;
	enum store_result result =
	    user_find(page->store, page->arena, inputs->name.value, &user);

	if (result == STORE_OK && user.closed != 0)
		result = STORE_ABSENT;
	if (result != STORE_OK)
		return result;
	member = (struct member){ user.id, user.name };
	if (appoints)
		return group_appoint(
		    page->store, page->arena, group->name, member, action);
	if (!group_has_moderator(group, user.id))
		return STORE_CLOSED;
	return group_dismiss(
	    page->store, page->arena, group->name, member, action);
}

enum http_status
group_moderators_action(struct page *page)
{
	struct text what = pairs_get(page_sent(page), TEXT("do"));
	bool appoints = text_equal(what, TEXT("appoint"));
	struct group_moderators_form inputs;
	struct group group;
	enum store_result result;
	enum http_status status;

	if (!appoints && !text_equal(what, TEXT("dismiss")))
		return HTTP_BAD_REQUEST;
	status = read_group(page, &group);
	if (status == HTTP_OK && group.into.size > 0)
		status = HTTP_NOT_FOUND;
	if (status == HTTP_OK)
		status = password_confirm(page);
	if (status != HTTP_OK)
		return status;
	if (!form_read(&form, page->arena, page_sent(page), &inputs))
		return show_moderators(page, HTTP_UNPROCESSABLE, &inputs);
	result = change_moderators(page, &group, appoints, &inputs);
	mark_name(page, result, &inputs.name);
	if (!form_is_valid(&form, &inputs))
		return show_moderators(page, HTTP_UNPROCESSABLE, &inputs);
	return result == STORE_OK
	    ? page_redirect(page, path_of_moderators(page->arena, group.name))
	    : page_failed(page, result);
}

/* One of the site's moderators, who is none of the group's, stays as it is. */
enum http_status
group_moderators_resign_action(struct page *page)
{
	struct member self = { page->viewer.id, page->viewer.name };

	return page_finish(page,
	    group_dismiss(page->store, page->arena, page->group->name, self,
		mod_form_action(page, TEXT(""))),
	    path_of_moderators(page->arena, page->group->name));
}
