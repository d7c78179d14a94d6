#include "pages/acting.h"
#include "parts/format.h"
#include "store/article.h"

enum http_status
flag_action(struct page *page)
{
	struct text word = pairs_get(page_sent(page), TEXT("reason"));
	enum store_result result;
	enum flag flag;
	struct post_id id;

	if (!page_path_post(page, &id))
		return HTTP_NOT_FOUND;
	if (!flag_parse(word, &flag))
		return HTTP_BAD_REQUEST;
	if (!page_may_flag(page))
		return page_refuse(page, REASON_FLAGS_LATER);
	result = flag_set(page->store, page->arena, id, page->viewer.id, flag);
	return result == STORE_OWN
	    ? page_refuse(page, REASON_OWN_FLAG)
	    : acting_done(page, result, format_post_path(page->arena, id));
}
