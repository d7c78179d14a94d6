/* Following groups: the button on a group's page; and which list is a member's front page. */
#include "pages/follow.h"

#include "base/arena.h"
#include "pages/cookie.h"
#include "store/follows.h"
#include "store/group.h"

/* Reads "state": false when it is neither "on" nor "off". */
static bool
read_state(const struct page *page, bool *is_on)
{
	struct text state = pairs_get(page_sent(page), TEXT("state"));

	*is_on = text_equal(state, TEXT("on"));
	return *is_on || text_equal(state, TEXT("off"));
}

/* A former group is another one by now, and one that was deleted can be left. */
enum http_status
follow_set(struct page *page, struct text name, bool follows)
{
	struct text existing, path;
	struct text formed = name;
	enum store_result result;

	if (rule_group_name(page->arena, &formed).kind != PROBLEM_NONE ||
	    !text_equal(formed, name))
		return HTTP_NOT_FOUND;
	result = group_resolve_names(page->store, page->arena, name, &existing);
	if (result == STORE_OK && existing.size == 0 && follows)
		result = STORE_ABSENT;
	if (result != STORE_OK)
		return page_failed(page, result);
	path = text_join(page->arena, TEXT("/g/"), name);
	if (!follows)
		return page_finish(page,
		    follows_remove(
			page->store, page->arena, page->viewer.id, name),
		    path);
	result =
	    follows_add(page->store, page->arena, page->viewer.id, existing);
	return result == STORE_FULL ? page_refuse(page, REASON_FOLLOWS_FULL)
				    : page_finish(page, result, path);
}

enum http_status
follow_action(struct page *page)
{
	bool follows;

	return read_state(page, &follows)
	    ? follow_set(page,
		  pairs_get(&page->request->path_values, TEXT("name")), follows)
	    : HTTP_BAD_REQUEST;
}

enum http_status
follow_front_action(struct page *page)
{
	bool is_home;

	if (!read_state(page, &is_home))
		return HTTP_BAD_REQUEST;
	return cookie_finish(page,
	    user_set_home(page->store, page->arena, page->viewer.id, is_home),
	    NOTE_FRONT, TEXT("/settings#front"));
}
