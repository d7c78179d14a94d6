#include "views/about.h"
#include "pages/page.h"
#include "store/lease.h"
#include "store/site.h"

enum http_status
about_page(struct page *page)
{
	struct about_model model = about_model_of(page->arena,
	    &page->store->rules, page_vote_score(page), page->settings,
	    versions_max_age(page->store));

	model.text.text =
	    page_markdown_whole(page, page->settings->about, TEXT(""));
	return page_show(page, HTTP_OK, &about_view, &model);
}

enum http_status
about_rules_page(struct page *page)
{
	struct rules_model model = { .text.text = page_markdown_whole(page,
					 page->settings->rules, TEXT("")) };

	if (page->settings->rules.size == 0)
		return HTTP_NOT_FOUND;
	return page_show(page, HTTP_OK, &rules_view, &model);
}

static enum http_status
show_plain(struct page *page, enum store_result result, struct text otherwise)
{
	page->response->type = TYPE_PLAIN;
	page->response->body = result == STORE_OK ? TEXT("ok\n") : otherwise;
	return result == STORE_OK ? HTTP_OK : HTTP_UNAVAILABLE;
}

/* For monitoring: whether Redis answers. */
enum http_status
about_health_page(struct page *page)
{
	int64_t now;

	return show_plain(page, site_time(page->store, page->arena, &now),
	    TEXT("Redis does not answer\n"));
}

/* For a load balancer: whether this worker can store anything. */
enum http_status
about_ready_page(struct page *page)
{
	struct write_check once = { .asked_at = 0 }, *check;
	struct lease *lease = page->app->lease;

	if (lease != NULL &&
	    lease_hold(page->store, page->arena, lease) != STORE_OK)
		return show_plain(page, STORE_MISMATCH,
		    TEXT("the data have another layout\n"));
	check = page->app->write_check;
	return show_plain(page,
	    site_check_writes(
		page->store, page->arena, check == NULL ? &once : check),
	    TEXT("Redis takes no writes\n"));
}
