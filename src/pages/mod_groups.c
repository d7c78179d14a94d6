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

static bool
is_pressed(const struct page *page, struct text button)
{
	return text_equal(pairs_get(page_sent(page), TEXT("do")), button);
}

/* Sets the inputs that the pressed button does not use to what the group has. */
static void
complete_inputs(const struct page *page, const struct group *group,
    struct mod_groups_form *inputs)
{
	if (!is_pressed(page, TEXT("title")))
		inputs->title.value = group->title;
	if (!is_pressed(page, TEXT("name")) && !is_pressed(page, TEXT("merge")))
		inputs->name.value = group->name;
	if (!is_pressed(page, TEXT("texts"))) {
		inputs->description.value = group->description;
		inputs->rules.value = group->rules;
	}
}

static enum http_status
show_group_form(
    struct page *page, enum http_status status, struct mod_groups_form *inputs)
{
	struct mod_groups_model model = { .is_closed = false };
	const struct group *group = page->group;

	if (group->into.size > 0)
		return page_redirect(page,
		    text_join(page->arena, TEXT("/groups/"), group->into));
	complete_inputs(page, group, inputs);
	model.group = group->name;
	model.is_closed = group->closed != 0;
	model.is_restricted = group->restricted != 0;
	model.is_read = model.has_title = model.has_texts = true;
	model.may_administer = page_is_moderator(page);
	model.form = form_model_of(page, &form, inputs, status);
	model.inputs = *inputs;
	return page_show(page, status, &mod_groups_view, &model);
}

/* Of a group that was not read, the form that was sent: the others would empty what it has. */
static enum http_status
show_sent_form(
    struct page *page, enum http_status status, struct mod_groups_form *inputs)
{
	struct mod_groups_model model = { .group = group_name_of(page),
		.has_title = is_pressed(page, TEXT("title")),
		.has_texts = is_pressed(page, TEXT("texts")) };

	if (!model.has_title && !model.has_texts)
		return status;
	model.form = form_model_of(page, &form, inputs, status);
	model.inputs = *inputs;
	return page_show(page, status, &mod_groups_view, &model);
}

enum http_status
mod_groups_form(struct page *page, enum http_status status)
{
	struct mod_groups_form inputs;

	form_fill(&form, page_sent(page), &inputs);
	if (page->group != NULL)
		return show_group_form(page, status, &inputs);
	return status == HTTP_UNAUTHORIZED || status == HTTP_UNAVAILABLE
	    ? show_sent_form(page, status, &inputs)
	    : status;
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
	if (text_equal(what, TEXT("restrict")))
		return (struct group_change){
			group_restrict(store, arena, name, action), NULL, group
		};
	if (text_equal(what, TEXT("unrestrict")))
		return (struct group_change){ group_unrestrict(
						  store, arena, name, action),
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

/* A button of the page. */
struct group_button {
	struct text word;
	bool is_of_site; /* of the site's moderators alone */
	bool needs_title, needs_name, needs_texts;
};

static const struct group_button *
find_button(struct text word)
{
	static const struct group_button buttons[] = {
		{ .word = TEXT_INIT("title"), .needs_title = true },
		{ .word = TEXT_INIT("texts"), .needs_texts = true },
		{ .word = TEXT_INIT("restrict") },
		{ .word = TEXT_INIT("unrestrict") },
		{ .word = TEXT_INIT("name"),
		    .is_of_site = true,
		    .needs_name = true },
		{ .word = TEXT_INIT("merge"),
		    .is_of_site = true,
		    .needs_name = true },
		{ .word = TEXT_INIT("close"), .is_of_site = true },
		{ .word = TEXT_INIT("open"), .is_of_site = true },
		{ .word = TEXT_INIT("delete"), .is_of_site = true },
	};

	for (size_t i = 0; i < sizeof(buttons) / sizeof(buttons[0]); i++)
		if (text_equal(word, buttons[i].word))
			return &buttons[i];
	return NULL;
}

/* Validates the inputs that the pressed button uses. */
static void
check_inputs(struct page *page, const struct group_button *button,
    struct mod_groups_form *inputs)
{
	form_check(&form, page->arena, inputs);
	if (!button->needs_title)
		inputs->title.problem = TEXT("");
	if (!button->needs_name)
		inputs->name.problem = TEXT("");
	if (!button->needs_texts) {
		inputs->description.problem = TEXT("");
		inputs->rules.problem = TEXT("");
	}
}

enum http_status
mod_groups_action(struct page *page)
{
	const struct group_button *button =
	    find_button(pairs_get(page_sent(page), TEXT("do")));
	struct mod_groups_form inputs;
	struct group_change change;

	if (button == NULL)
		return HTTP_BAD_REQUEST;
	if (button->is_of_site && !page_is_moderator(page))
		return HTTP_FORBIDDEN;
	form_fill(&form, page_sent(page), &inputs);
	check_inputs(page, button, &inputs);
	if (button->needs_name &&
	    text_equal(inputs.name.value, group_name_of(page)))
		form_mark(page->arena, &inputs.name, PROBLEM_GROUP_NAME_SAME);
	if (!form_is_valid(&form, &inputs))
		return show_group_form(page, HTTP_UNPROCESSABLE, &inputs);
	change = change_group(page, button->word, &inputs,
	    mod_form_action(page, inputs.reason.value));
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
