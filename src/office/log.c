#include "moderation/log.h"
#include "pages/page.h"
#include "panels/log.h"
#include "store/user.h"

/* The id of a member whom the query names; 0 without one. HTTP_NOT_FOUND when nobody
 * has the name. */
static enum http_status
find_member(struct page *page, struct text field, uint64_t *id)
{
	struct text name = pairs_get(&page->request->query, field);
	struct user user;
	enum store_result result;

	*id = 0;
	if (name.size == 0)
		return HTTP_OK;
	result = user_find(page->store, page->arena, name, &user);
	if (result == STORE_OK)
		*id = user.id;
	if (result == STORE_ABSENT)
		page->detail = text_format(
		    page->arena, "There is no member “%.*s”.", TEXT_ARGS(name));
	return result == STORE_OK ? HTTP_OK : page_failed(page, result);
}

enum http_status
log_page(struct page *page)
{
	const struct pairs *query = &page->request->query;
	struct log_query asked = { .kind = pairs_get(query, TEXT("kind")) };
	struct log_filter filter = { .kind = asked.kind,
		.member = pairs_get(query, TEXT("member")),
		.moderator = pairs_get(query, TEXT("moderator")) };
	/* Who acted is for moderators, unless the owners tell everybody. */
	bool is_named = page_is_moderator(page) ||
	    !text_equal(page_settings(page)->log_names, TEXT(RULE_LOG_UNNAMED));
	struct log_model model;
	struct log_page log;
	enum act_kind kind;
	enum http_status status = HTTP_OK;

	if (!page_number(page, &asked.page) ||
	    (asked.kind.size > 0 && !act_parse(asked.kind, &kind)))
		return HTTP_BAD_REQUEST;
	if (filter.moderator.size > 0 && !is_named)
		return HTTP_FORBIDDEN;
	status = find_member(page, TEXT("member"), &asked.member);
	if (status == HTTP_OK)
		status = find_member(page, TEXT("moderator"), &asked.moderator);
	if (status != HTTP_OK)
		return status;
	if (log_read(page->store, page->arena, &asked, &log) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	if (!page_is_signed_in(page))
		page->response->cache = CACHE_ONE_SECOND;
	model = log_model_of(page->arena, &log, &filter, asked.page, is_named);
	return page_show(page, HTTP_OK, &log_view, &model);
}
