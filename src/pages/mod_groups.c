#include "views/mod_groups.h"
#include "pages/form.h"
#include "pages/mod_form.h"
#include "store/group_admin.h"

static const struct form_row rows[] = { MOD_GROUPS_INPUTS(FORM_ROW) };
static const struct form form = FORM_OF(rows);

static struct text
group_name_of(const struct page *page)
{
	return pairs_get(&page->request->path_values, TEXT("name"));
}

/* Sets the inputs that the pressed button does not use to what the group has. */
static void
complete_inputs(const struct page *page, const struct group *group,
    struct mod_groups_form *inputs)
{
	struct text what = pairs_get(page_sent(page), TEXT("do"));

	if (!text_equal(what, TEXT("title")))
		inputs->title.value = group->title;
	if (!text_equal(what, TEXT("name")) && !text_equal(what, TEXT("merge")))
		inputs->name.value = group->name;
	if (!text_equal(what, TEXT("texts"))) {
		inputs->description.value = group->description;
		inputs->rules.value = group->rules;
	}
}

static enum http_status
show_group_form(
    struct page *page, enum http_status status, struct mod_groups_form *inputs)
{
	struct mod_groups_model model = { .is_closed = false };
	struct group group;
	enum store_result result =
	    group_get(page->store, page->arena, group_name_of(page), &group);

	if (result != STORE_OK)
		return page_failed(page, result);
	if (group.into.size > 0)
		return page_redirect(
		    page, text_join(page->arena, TEXT("/groups/"), group.into));
	complete_inputs(page, &group, inputs);
	model.group = group.name;
	model.is_closed = group.closed != 0;
	model.form = form_model_of(page, &form, inputs, status);
	model.inputs = *inputs;
	return page_show(page, status, &mod_groups_view, &model);
}

enum http_status
mod_groups_form(struct page *page, enum http_status status)
{
	struct mod_groups_form inputs;

	if (status != HTTP_OK && !page_is_moderator(page))
		return status;
	form_fill(&form, page_sent(page), &inputs);
	return show_group_form(page, status, &inputs);
}

/* The result of a button, and where it redirects to. */
struct group_change {
	enum store_result result;
	struct input *input; /* to mark, if the name is the problem; or NULL */
	struct text next;
};

static struct group_change
change_group(struct page *page, struct text what,
    struct mod_groups_form *inputs, struct mod_action action)
{
	struct store *store = page->store;
	struct arena *arena = page->arena;
	struct text name = group_name_of(page);
	struct text group = text_join(arena, TEXT("/g/"), name);
	struct text renamed = text_join(arena, TEXT("/g/"), inputs->name.value);

	if (text_equal(what, TEXT("title")))
		return (struct group_change){ group_retitle(store, arena, name,
						  inputs->title.value, action),
			&inputs->title, group };
	if (text_equal(what, TEXT("texts")))
		return (struct group_change){ group_describe(store, arena, name,
						  inputs->description.value,
						  inputs->rules.value, action),
			NULL, group };
	if (text_equal(what, TEXT("name")))
		return (struct group_change){ group_rename(store, arena, name,
						  inputs->name.value, action),
			&inputs->name, renamed };
	if (text_equal(what, TEXT("merge")))
		return (struct group_change){ group_merge(store, arena, name,
						  inputs->name.value, action),
			&inputs->name, renamed };
	if (text_equal(what, TEXT("close")))
		return (struct group_change){
			group_close(store, arena, name, action), NULL, group
		};
	if (text_equal(what, TEXT("open")))
		return (struct group_change){
			group_open(store, arena, name, action), NULL, group
		};
	return (struct group_change){ group_delete(store, arena, name, action),
		NULL, TEXT("/groups") };
}

/* Validates the inputs that the pressed button uses. */
static void
check_inputs(struct page *page, struct mod_groups_form *inputs,
    bool needs_title, bool needs_name, bool needs_texts)
{
	form_check(&form, page->arena, inputs);
	if (!needs_title)
		inputs->title.problem = TEXT("");
	if (!needs_name)
		inputs->name.problem = TEXT("");
	if (!needs_texts) {
		inputs->description.problem = TEXT("");
		inputs->rules.problem = TEXT("");
	}
}

enum http_status
mod_groups_action(struct page *page)
{
	static const struct text all[] = { TEXT_INIT("title"),
		TEXT_INIT("name"), TEXT_INIT("merge"), TEXT_INIT("close"),
		TEXT_INIT("open"), TEXT_INIT("delete"), TEXT_INIT("texts") };
	struct text what = pairs_get(page_sent(page), TEXT("do"));
	struct mod_groups_form inputs;
	struct group_change change;
	size_t index;

	if (!text_index(what, all, sizeof(all) / sizeof(all[0]), &index))
		return HTTP_BAD_REQUEST;
	form_fill(&form, page_sent(page), &inputs);
	check_inputs(
	    page, &inputs, index == 0, index == 1 || index == 2, index == 6);
	if ((index == 1 || index == 2) &&
	    text_equal(inputs.name.value, group_name_of(page)))
		form_mark(page->arena, &inputs.name, PROBLEM_GROUP_NAME_SAME);
	if (!form_is_valid(&form, &inputs))
		return show_group_form(page, HTTP_UNPROCESSABLE, &inputs);
	change = change_group(
	    page, what, &inputs, mod_form_action(page, inputs.reason.value));
	if (change.input != NULL && change.result == STORE_TAKEN)
		form_mark(page->arena, change.input, PROBLEM_GROUP_NAME_TAKEN);
	else if (change.input != NULL && change.result == STORE_ABSENT)
		form_mark(
		    page->arena, change.input, PROBLEM_GROUP_NAME_UNKNOWN);
	else
		return change.result == STORE_OK
		    ? page_redirect(page, change.next)
		    : page_failed(page, change.result);
	return show_group_form(page, HTTP_UNPROCESSABLE, &inputs);
}
