#include "pages/cookie.h"
#include "pages/page.h"
#include "store/user.h"

/* The moment of the announcement that the form was shown with; the present one's at most,
 * so that none is dismissed before it is made. */
static bool
read_announced(const struct page *page, int64_t *announced)
{
	int64_t present;

	if (!text_to_i64(
		pairs_get(page_sent(page), TEXT("announced")), announced))
		return false;
	if (!text_to_i64(page->settings->announced, &present))
		present = 0;
	if (*announced > present)
		*announced = present;
	return *announced >= 0;
}

/* A visitor's form has no token, so that all visitors share the page: what another site
 * could send with it is refused by its origin. */
enum http_status
announcement_dismiss_action(struct page *page)
{
	enum store_result result = STORE_OK;
	int64_t announced;

	if (request_origin_of(page->request, page->app->origin) == ORIGIN_OTHER)
		return page_refuse(page, REASON_STALE_FORM);
	if (!read_announced(page, &announced))
		return HTTP_BAD_REQUEST;
	if (!page_is_signed_in(page))
		cookie_set_dismissed(page, announced);
	else if (announced > page->viewer.dismissed)
		result = user_dismiss_announcement(
		    page->store, page->arena, page->viewer.id, announced);
	return page_finish(page, result, TEXT("/"));
}
