#include "base/arena.h"
#include "pages/page.h"
#include "store/group.h"
#include "views/format.h"

enum { GROUPS_ON_A_PAGE = 200 };

struct founding {
	struct text name, title;
};

enum { NAME, TITLE, FIELDS };

static const struct form_field fields[FIELDS] = {
	[NAME] = { .name = "name",
	    .offset = offsetof(struct founding, name),
	    .check = rule_group_name,
	    .label = "Name",
	    .hint = "2 to 32 small letters, digits or '-'. It cannot be "
		    "changed.",
	    .input = "input-line",
	    .most = RULE_GROUP_NAME_MAX,
	    .required = true },
	[TITLE] = { .name = "title",
	    .offset = offsetof(struct founding, title),
	    .check = rule_group_title,
	    .label = "Title",
	    .hint = "What the group is about, in a few words.",
	    .input = "input-line",
	    .most = RULE_TITLE_MAX,
	    .required = true },
};
static const struct form founding_form = FORM(fields);

static struct group_line
line_of(struct arena *arena, const struct group *group)
{
	return (struct group_line){
		.name = group->name,
		.title = group->title,
		.by = group->by.name,
		.created = format_moment(arena, group->created),
		.created_iso = format_iso(arena, group->created),
		.articles = group->articles,
		.one = group->articles == 1,
	};
}

static struct text
page_href(const struct page *page, uint64_t number)
{
	if (number < 2)
		return TEXT("/groups");
	return text_format(
	    page->arena, "/groups?page=%llu", (unsigned long long)number);
}

static enum http_status
show_groups(struct page *page, enum http_status status, uint64_t number,
    const struct founding *founding, const struct text *problems)
{
	struct groups_model model = { .form = page_form(page, &founding_form,
					  founding, problems) };
	uint64_t start = (number - 1) * GROUPS_ON_A_PAGE, total;
	struct group_line *lines;
	struct group *groups;
	size_t count;
	enum store_result result = group_list(page->store, page->arena, start,
	    GROUPS_ON_A_PAGE, &groups, &count, &total);

	if (result != STORE_OK)
		return page_failed(result);
	lines = arena_new(page->arena, struct group_line, count);
	for (size_t i = 0; i < count; i++)
		lines[i] = line_of(page->arena, &groups[i]);
	model.groups = (struct mustache_list){ lines, count };
	if (count == 0)
		model.note = number == 1
		    ? TEXT("There is no group here yet.")
		    : text_format(page->arena,
			  "There is nothing on page %llu: the list ends before "
			  "it.",
			  (unsigned long long)number);
	if (number > 1)
		model.previous = page_href(page, number - 1);
	if (start + count < total)
		model.next = page_href(page, number + 1);
	if (status == HTTP_OK && !page_is_signed_in(page))
		page->response->cache = CACHE_ONE_SECOND;
	return page_show(page, status, &groups_view, TEXT("Groups"), &model);
}

enum http_status
groups_page(struct page *page)
{
	const struct pairs *query = &page->request->query;
	uint64_t number = 1;

	if (pairs_has(query, TEXT("page")) &&
	    (!pairs_get_id(query, TEXT("page"), &number) ||
		number >= 1000000000))
		return HTTP_BAD_REQUEST;
	return show_groups(page, HTTP_OK, number, NULL, NULL);
}

enum http_status
groups_action(struct page *page)
{
	struct text problems[FIELDS];
	struct founding founding;
	struct group group;
	enum store_result result;

	if (form_read(&founding_form, page->arena, &page->request->form,
		&founding, problems) > 0)
		return show_groups(
		    page, HTTP_UNPROCESSABLE, 1, &founding, problems);
	group = (struct group){ .name = founding.name,
		.title = founding.title,
		.by = { page->viewer.id, page->viewer.name } };
	result = group_create(page->store, page->arena, &group);
	if (result == STORE_TAKEN) {
		problems[NAME] = TEXT("There is a group of that name already.");
		return show_groups(
		    page, HTTP_UNPROCESSABLE, 1, &founding, problems);
	}
	if (result != STORE_OK)
		return page_failed(result);
	return page_redirect(
	    page, text_join(page->arena, TEXT("/g/"), founding.name));
}
