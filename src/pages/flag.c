#include "pages/path.h"
#include "store/article.h"
#include "views/format.h"

/* New members cannot flag yet, or made-up accounts would. */
static enum http_status
check_member_age(struct page *page)
{
	return page_is_moderator(page) ||
		page->now - page->viewer.created >= RULE_FLAG_AGE
	    ? HTTP_OK
	    : page_refuse(page, REASON_FLAGS_LATER);
}

/* May fail after the flag was stored: the form sent again sets the same flag, and folds then. */
static enum store_result
fold_flagged(struct page *page, struct post_id id)
{
	int64_t limit;
	enum store_result result;

	if (!text_to_i64(page->settings->fold_flags, &limit) || limit < 1 ||
	    page->now - page->viewer.created < RULE_FOLD_AGE)
		return STORE_OK;
	result =
	    flag_fold(page->store, page->arena, id, (size_t)limit, page->now);
	return result == STORE_REMOVED ? STORE_OK : result;
}

enum http_status
flag_action(struct page *page)
{
	struct text word = pairs_get(page_sent(page), TEXT("reason"));
	enum store_result result;
	enum flag flag;
	enum http_status status;
	struct post_id id;

	if (!path_post_id(page, &id))
		return HTTP_NOT_FOUND;
	if (!flag_parse(word, &flag))
		return HTTP_BAD_REQUEST;
	status = check_member_age(page);
	if (status != HTTP_OK)
		return status;
	result = flag_set(page->store, page->arena, id, page->viewer.id, flag);
	if (result == STORE_OK && flag != FLAG_NONE)
		result = fold_flagged(page, id);
	return result == STORE_OWN
	    ? page_refuse(page,
		  id.comment == 0 ? REASON_OWN_FLAG : REASON_OWN_COMMENT_FLAG)
	    : page_finish_on(page, result, id);
}
