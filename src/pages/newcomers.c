#include "pages/newcomers.h"

#include "base/arena.h"
#include "base/url.h"
#include "markup/markup.h"
#include "store/limit.h"
#include "store/newcomer.h"
#include "views/messages.h"

enum http_status
newcomers_limit(struct page *page, enum limit kind)
{
	int64_t wait = 0, allowed;
	enum store_result result =
	    newcomer_settle(page->store, page->arena, &page->viewer, page->now);

	if (result != STORE_OK)
		return page_failed(page, result);
	if (!newcomer_is(&page->viewer))
		return HTTP_OK;
	allowed =
	    settings_newcomer_limit(page->settings, &page->store->rules, kind);
	result = limit_take_up_to(
	    page->store, page->arena, kind, page->viewer.id, allowed, &wait);
	if (result == STORE_LIMITED)
		page->detail = message_newcomer_limit(
		    page->arena, kind == LIMIT_NEWCOMER_POST, allowed);
	return result == STORE_OK ? HTTP_OK : page_limited(page, result, wait);
}

void
newcomers_refund(struct page *page, enum limit kind)
{
	if (newcomer_is(&page->viewer))
		(void)!limit_refund_member(
		    page->store, page->arena, kind, page->viewer.id);
}

static bool
is_reviewed(const struct user *user)
{
	return newcomer_is(user) && user->kept == 0;
}

bool
newcomers_are_reviewed(const struct page *page)
{
	return is_reviewed(&page->viewer);
}

bool
newcomers_is_held(const struct page *page, const struct user *user)
{
	return is_reviewed(user) &&
	    text_equal(page->settings->hold_first, TEXT(RULE_HOLD_ON));
}

bool
newcomers_are_held(const struct page *page)
{
	return newcomers_is_held(page, &page->viewer);
}

STORE_CALL
newcomers_check_links(struct page *page, struct input *text)
{
	struct problem problem = { .kind = PROBLEM_LINK_EARLY };
	struct text links;

	if (!newcomer_is(&page->viewer) || text->problem.size > 0 ||
	    page->now - page->viewer.newcomer >= RULE_LINKLESS_SECONDS)
		return STORE_OK;
	links = markup_find_links(page->arena, text->value);
	if (links.size == 0)
		return STORE_OK;
	if (newcomer_find_unknown(page->store, page->arena, links,
		url_host_name(page->arena, page_origin(page)), page->now,
		&problem.word) != STORE_OK)
		return STORE_DOWN;
	if (problem.word.size > 0)
		text->problem = message_problem(page->arena, &problem);
	return STORE_OK;
}
