#include "views/about.h"
#include "pages/page.h"
#include "store/site.h"

enum http_status
about_page(struct page *page)
{
	struct about_model model = about_model_of(page->arena,
	    &page->store->rules, page->settings, versions_max_age(page->store));

	return page_show(page, HTTP_OK, &about_view, &model);
}

/* For monitoring: whether Redis answers. */
enum http_status
about_health_page(struct page *page)
{
	int64_t now;

	page->response->type = TYPE_PLAIN;
	if (site_time(page->store, page->arena, &now) != STORE_OK) {
		page->response->body = TEXT("Redis does not answer\n");
		return HTTP_UNAVAILABLE;
	}
	page->response->body = TEXT("ok\n");
	return HTTP_OK;
}
