#include "views/mod_groups.h"
#include "pages/form.h"
#include "pages/mod_form.h"
#include "store/group_admin.h"

static const struct form_row rows[] = { MOD_GROUPS_INPUTS(FORM_ROW) };
static const struct form form = FORM_OF(rows);

static struct text
name_of(const struct page *page)
{
	return pairs_get(&page->request->path_values, TEXT("name"));
}

/* What the button that was pressed has nothing to do with is shown as it is. */
static void
complete(const struct page *page, const struct group *group,
    struct mod_groups_form *inputs)
{
	struct text what = pairs_get(page_sent(page), TEXT("do"));

	if (!text_equal(what, TEXT("title")))
		inputs->title.value = group->title;
	if (!text_equal(what, TEXT("name")) && !text_equal(what, TEXT("merge")))
		inputs->name.value = group->name;
}

static enum http_status
show(struct page *page, enum http_status status, struct mod_groups_form *inputs)
{
	struct mod_groups_model model = { .is_closed = false };
	struct group group;
	enum store_result result =
	    group_get(page->store, page->arena, name_of(page), &group);

	if (result != STORE_OK)
		return page_failed(page, result);
	if (group.into.size > 0)
		return page_redirect(
		    page, text_join(page->arena, TEXT("/groups/"), group.into));
	complete(page, &group, inputs);
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
	return show(page, status, &inputs);
}

/* What a button asks for, and where it leads. */
struct wish {
	enum store_result result;
	struct input *input; /* what a problem is with */
	struct text next;
};

static struct wish
carry_out(struct page *page, struct text what, struct mod_groups_form *inputs,
    struct mod_action act)
{
	struct store *store = page->store;
	struct arena *arena = page->arena;
	struct text name = name_of(page);
	struct text group = text_join(arena, TEXT("/g/"), name);
	struct text renamed = text_join(arena, TEXT("/g/"), inputs->name.value);

	if (text_equal(what, TEXT("title")))
		return (struct wish){ group_retitle(store, arena, name,
					  inputs->title.value, act),
			&inputs->title, group };
	if (text_equal(what, TEXT("name")))
		return (struct wish){ group_rename(store, arena, name,
					  inputs->name.value, act),
			&inputs->name, renamed };
	if (text_equal(what, TEXT("merge")))
		return (struct wish){ group_merge(store, arena, name,
					  inputs->name.value, act),
			&inputs->name, renamed };
	if (text_equal(what, TEXT("close")))
		return (struct wish){ group_close(store, arena, name, act),
			NULL, group };
	if (text_equal(what, TEXT("open")))
		return (struct wish){ group_open(store, arena, name, act), NULL,
			group };
	return (struct wish){ group_delete(store, arena, name, act), NULL,
		TEXT("/groups") };
}

/* Closing, opening and deleting need neither title nor name: what is wrong with one that
 * is not needed is passed over. */
static void
check(struct page *page, struct mod_groups_form *inputs, bool needs_title,
    bool needs_name)
{
	form_check(&form, page->arena, inputs);
	if (!needs_title)
		inputs->title.problem = TEXT("");
	if (!needs_name)
		inputs->name.problem = TEXT("");
}

enum http_status
mod_groups_action(struct page *page)
{
	static const struct text all[] = { TEXT_INIT("title"),
		TEXT_INIT("name"), TEXT_INIT("merge"), TEXT_INIT("close"),
		TEXT_INIT("open"), TEXT_INIT("delete") };
	struct text what = pairs_get(page_sent(page), TEXT("do"));
	struct mod_groups_form inputs;
	struct wish wish;
	size_t index;

	if (!text_index(what, all, sizeof(all) / sizeof(all[0]), &index))
		return HTTP_BAD_REQUEST;
	form_fill(&form, page_sent(page), &inputs);
	check(page, &inputs, index == 0, index == 1 || index == 2);
	if ((index == 1 || index == 2) &&
	    text_equal(inputs.name.value, name_of(page)))
		form_mark(page->arena, &inputs.name, PROBLEM_GROUP_NAME_SAME);
	if (!form_is_valid(&form, &inputs))
		return show(page, HTTP_UNPROCESSABLE, &inputs);
	wish = carry_out(
	    page, what, &inputs, mod_form_action(page, inputs.reason.value));
	if (wish.input != NULL && wish.result == STORE_TAKEN)
		form_mark(page->arena, wish.input, PROBLEM_GROUP_NAME_TAKEN);
	else if (wish.input != NULL && wish.result == STORE_ABSENT)
		form_mark(page->arena, wish.input, PROBLEM_GROUP_NAME_UNKNOWN);
	else
		return wish.result == STORE_OK ? page_redirect(page, wish.next)
					       : page_failed(page, wish.result);
	return show(page, HTTP_UNPROCESSABLE, &inputs);
}
