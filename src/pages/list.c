#include "views/list.h"
#include "pages/lines.h"
#include "store/group.h"
#include "store/user.h"

static const struct text nothing = { "", 0 };

/* order, match and page of the query; false when one is not in its form. */
static bool
read_query(const struct page *page, struct list_query *query)
{
	const struct pairs *pairs = &page->request->query;
	struct text order = pairs_get(pairs, TEXT("order"));
	struct text match = pairs_get(pairs, TEXT("match"));

	return (order.size == 0 || list_order_parse(order, &query->order)) &&
	    (match.size == 0 || list_match_parse(match, &query->match)) &&
	    page_number(page, &query->page);
}

/* Reads the list that the query names and shows it. base is its path; the model
 * has what only this list shows. */
static enum http_status
show(struct page *page, const struct view *view, struct list_query *query,
    struct text base, struct list_model *model)
{
	enum store_result result = lines_listing(page, query, base, model);

	if (result != STORE_OK)
		return page_failed(page, result);
	list_model_fill(model, page->arena, query, base);
	if (!page_is_signed_in(page))
		page->response->cache = CACHE_ONE_SECOND;
	return page_show(page, HTTP_OK, view, model);
}

enum http_status
list_front_page(struct page *page)
{
	struct list_query query = { .kind = LIST_FRONT };
	struct list_model model = { .threshold = 0 };

	if (!read_query(page, &query))
		return HTTP_BAD_REQUEST;
	return show(page, &list_front_view, &query, TEXT("/"), &model);
}

enum http_status
list_interesting_page(struct page *page)
{
	struct list_query query = { .kind = LIST_INTERESTING, .page = 1 };
	struct list_model model = { .threshold =
					page->store->rules.interesting };

	return show(
	    page, &list_interesting_view, &query, TEXT("/interesting"), &model);
}

/* "a+b" as its names, each once; false when there are none or too many. */
static bool
split_names(struct text names, struct text *groups, size_t *count)
{
	struct text name;
	size_t known;

	*count = 0;
	while (text_cut(&names, '+', &name)) {
		if (text_index(name, groups, *count, &known))
			continue;
		if (*count == RULE_COMBINED_MAX)
			return false;
		groups[(*count)++] = name;
	}
	return true;
}

/* The rules take blanks off, which a path has no place for. */
static bool
is_formed(struct arena *arena, rule *check, struct text name)
{
	struct text formed = name;

	return check(arena, &formed).kind == PROBLEM_NONE &&
	    formed.size == name.size;
}

/* Fills in what the groups are called; STORE_ABSENT when one does not exist. */
static enum store_result
describe_groups(const struct page *page, const struct list_query *query,
    struct list_model *model, struct text *base)
{
	for (size_t i = 0; i < query->group_count; i++) {
		const char *joint = i == 0 ? "" : " + ";
		struct text name = query->groups[i];
		struct group group;
		enum store_result result;

		if (!is_formed(page->arena, rule_group_name, name))
			return STORE_ABSENT;
		result = group_get(page->store, page->arena, name, &group);
		if (result != STORE_OK)
			return result;
		model->heading = text_format(page->arena, "%.*s%s%.*s",
		    TEXT_ARGS(model->heading), joint, TEXT_ARGS(name));
		model->intro = text_format(page->arena, "%.*s%s%.*s",
		    TEXT_ARGS(model->intro), joint, TEXT_ARGS(group.title));
		*base = text_format(page->arena, "%.*s%s%.*s", TEXT_ARGS(*base),
		    i == 0 ? "/g/" : "+", TEXT_ARGS(name));
	}
	return STORE_OK;
}

enum http_status
list_group_page(struct page *page)
{
	struct text groups[RULE_COMBINED_MAX], base = nothing;
	struct list_query query = { .kind = LIST_GROUPS, .groups = groups };
	struct list_model model = { .heading = nothing, .intro = nothing };
	struct text names =
	    pairs_get(&page->request->path_values, TEXT("names"));
	enum store_result result;

	if (!split_names(names, groups, &query.group_count) ||
	    !read_query(page, &query))
		return HTTP_BAD_REQUEST;
	result = describe_groups(page, &query, &model, &base);
	if (result != STORE_OK)
		return page_failed(page, result);
	return show(page, &list_group_view, &query, base, &model);
}

enum http_status
list_member_page(struct page *page)
{
	struct text name = pairs_get(&page->request->path_values, TEXT("name"));
	struct list_query query = { .kind = LIST_AUTHOR };
	struct list_model model;
	struct user user;
	int64_t karma;
	enum store_result result;

	if (!read_query(page, &query))
		return HTTP_BAD_REQUEST;
	if (!is_formed(page->arena, rule_user_name, name))
		return HTTP_NOT_FOUND;
	result = user_find(page->store, page->arena, name, &user);
	if (result == STORE_OK)
		result = user_karma(page->store, page->arena, user.id, &karma);
	if (result != STORE_OK)
		return page_failed(page, result);
	query.author = user.id;
	model = list_model_of_member(page->arena, &user, karma);
	model.own = user.id == page->viewer.id;
	return show(page, &list_member_view, &query,
	    text_join(page->arena, TEXT("/u/"), user.name), &model);
}
