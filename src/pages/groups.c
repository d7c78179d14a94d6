#include "views/groups.h"
#include "base/url.h"
#include "lists/followed.h"
#include "pages/follow.h"
#include "pages/form.h"

enum { GROUPS_ON_A_PAGE = 200 };

static const struct form_row rows[] = { GROUPS_INPUTS(FORM_ROW) };
static const struct form form = FORM_OF(rows);

static bool
may_create(struct page *page)
{
	return settings_allow_group(page->settings, &page->viewer);
}

/* Also after the session has ended, or while it cannot be read, with what was typed. */
static bool
shows_form(struct page *page, enum http_status status)
{
	return page_has_unknown_sender(page, status) ||
	    (page_is_signed_in(page) && may_create(page));
}

static enum http_status
show_form(struct page *page, enum http_status status,
    struct groups_model *model, struct groups_form *founding)
{
	model->may_follow = page_is_signed_in(page);
	model->may_create = shows_form(page, status);
	model->by_members = text_equal(
	    page->settings->group_creation, TEXT(RULE_GROUPS_BY_MEMBERS));
	model->form = form_model_of(page, &form, founding, status);
	model->inputs = *founding;
	return page_show(page, status, &groups_view, model);
}

static enum http_status
show_groups(struct page *page, enum http_status status, uint64_t number,
    struct groups_form *founding)
{
	uint64_t start = (number - 1) * GROUPS_ON_A_PAGE, total;
	struct groups_model model;
	struct group *groups;
	struct text *followed;
	size_t count, followed_count;
	enum store_result result =
	    group_list_reachable(page->store, page->arena, start,
		GROUPS_ON_A_PAGE, &groups, &count, &total, &page->is_partial);

	if (result == STORE_OK)
		result = followed_read(page->store, page->arena,
		    page->app->read_cache, &page->viewer, page->now, &followed,
		    &followed_count);
	if (result != STORE_OK && status >= HTTP_BAD_REQUEST) {
		model = (struct groups_model){ .is_unread = true };
		return show_form(page, status, &model, founding);
	}
	if (result != STORE_OK)
		return page_failed(page, result);
	if (count == 0 && number > 1)
		return page_past_end(page, TEXT("/groups"),
		    (total + GROUPS_ON_A_PAGE - 1) / GROUPS_ON_A_PAGE);
	page->canonical = pager_href(page->arena, TEXT("/groups"), number);
	model = groups_model_of(page->arena,
	    &(struct groups_shown){ groups, count, followed, followed_count },
	    number, start + count < total);
	if (status == HTTP_OK && !page_is_signed_in(page) && !page->is_partial)
		page->response->cache = CACHE_ONE_SECOND;
	return show_form(page, status, &model, founding);
}

enum http_status
groups_form(struct page *page, enum http_status status)
{
	struct groups_form founding;

	if (status != HTTP_OK && !shows_form(page, status))
		return status;
	form_fill(&form, page_sent(page), &founding);
	return show_groups(page, status, page->number, &founding);
}

enum http_status
groups_action(struct page *page)
{
	struct groups_form founding;
	struct group group;
	enum http_status status;
	enum store_result result;

	if (!may_create(page))
		return HTTP_FORBIDDEN;
	if (!form_read(&form, page->arena, page_sent(page), &founding))
		return show_groups(page, HTTP_UNPROCESSABLE, 1, &founding);
	group = (struct group){ .name = founding.name.value,
		.title = founding.title.value,
		.by = { page->viewer.id, page->viewer.name } };
	status = page_limit_bytes(page, group.name.size + group.title.size);
	if (status != HTTP_OK)
		return status;
	result = group_create(page->store, page->arena, &group);
	if (result == STORE_TAKEN) {
		form_mark(
		    page->arena, &founding.name, PROBLEM_GROUP_NAME_TAKEN);
		return show_groups(page, HTTP_UNPROCESSABLE, 1, &founding);
	}
	if (result != STORE_OK)
		return page_failed(page, result);
	return page_redirect(
	    page, text_join(page->arena, TEXT("/g/"), group.name));
}

/* Redirects the form of /groups, "g-redis=on&g-web=on", to "/g/redis+web". */
static enum http_status
combine(struct page *page)
{
	struct text chosen = form_chosen_groups(page, TEXT("")), name;
	struct text path = TEXT("/g"), match = TEXT("");
	bool is_first = true;

	if (chosen.size == 0)
		return page_refuse(page, REASON_NO_GROUPS);
	if (text_equal(pairs_get(page_sent(page), TEXT("match")), TEXT("all")))
		match = TEXT("?match=all");
	while (text_next_word(&chosen, &name)) {
		path = text_format(page->arena, "%.*s%s%.*s", TEXT_ARGS(path),
		    is_first ? "/" : "+",
		    TEXT_ARGS(url_encode(page->arena, name)));
		is_first = false;
	}
	return page_redirect(page, text_join(page->arena, path, match));
}

enum http_status
groups_combine_form(struct page *page, enum http_status status)
{
	if (status != HTTP_OK)
		return status;
	return page->request->canonical_query.size > 0
	    ? combine(page)
	    : page_move(page, PAGE_THIS_SITE, TEXT("/groups"));
}

/* The form of members: "follow=redis" and "unfollow=redis" are buttons of its rows. */
enum http_status
groups_choose_action(struct page *page)
{
	const struct pairs *sent = page_sent(page);
	bool follows = pairs_has(sent, TEXT("follow"));
	enum http_status status;

	if (!follows && !pairs_has(sent, TEXT("unfollow")))
		return combine(page);
	status = page_limit_viewer(page, LIMIT_EDIT);
	return status != HTTP_OK
	    ? status
	    : follow_set(page,
		  pairs_get(sent, follows ? TEXT("follow") : TEXT("unfollow")),
		  follows);
}
