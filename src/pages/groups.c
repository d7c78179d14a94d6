#include "views/groups.h"
#include "pages/form.h"

enum { GROUPS_ON_A_PAGE = 200 };

static const struct form_row rows[] = { GROUPS_INPUTS(FORM_ROW) };
static const struct form form = FORM_OF(rows);

static enum http_status
show(struct page *page, enum http_status status, uint64_t number,
    const struct founding *founding)
{
	uint64_t start = (number - 1) * GROUPS_ON_A_PAGE, total;
	struct groups_model model;
	struct group *groups;
	size_t count;
	enum store_result result = group_list(page->store, page->arena, start,
	    GROUPS_ON_A_PAGE, &groups, &count, &total);

	if (result != STORE_OK)
		return page_failed(page, result);
	model = groups_model_of(
	    page->arena, groups, count, number, start + count < total);
	model.form = form_model_of(page, &form, founding, status);
	model.inputs = *founding;
	if (status == HTTP_OK && !page_is_signed_in(page))
		page->response->cache = CACHE_ONE_SECOND;
	return page_show(page, status, &groups_view, &model);
}

/* Only members are shown the form, so only they can be told what became of
 * it. */
enum http_status
groups_form(struct page *page, enum http_status status)
{
	struct founding founding;
	uint64_t number;

	if (status != HTTP_OK && !page_is_signed_in(page))
		return status;
	if (!page_number(page, &number))
		return HTTP_BAD_REQUEST;
	form_fill(&form, page_sent(page), &founding);
	return show(page, status, number, &founding);
}

enum http_status
groups_action(struct page *page)
{
	struct founding founding;
	struct group group;
	enum store_result result;

	if (!form_read(&form, page->arena, page_sent(page), &founding))
		return show(page, HTTP_UNPROCESSABLE, 1, &founding);
	group = (struct group){ .name = founding.name.value,
		.title = founding.title.value,
		.by = { page->viewer.id, page->viewer.name } };
	result = group_create(page->store, page->arena, &group);
	if (result == STORE_TAKEN) {
		form_mark(
		    page->arena, &founding.name, PROBLEM_GROUP_NAME_TAKEN);
		return show(page, HTTP_UNPROCESSABLE, 1, &founding);
	}
	if (result != STORE_OK)
		return page_failed(page, result);
	return page_redirect(
	    page, text_join(page->arena, TEXT("/g/"), group.name));
}
