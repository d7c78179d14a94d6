#include "views/sitemap.h"
#include "lists/sitemap.h"
#include "pages/page.h"

enum http_status
sitemap_page(struct page *page)
{
	struct sitemap_model model = {
		.is_index = !pairs_has(&page->request->query, TEXT("page"))
	};
	enum store_result result;
	uint64_t *numbers;
	size_t count;

	result = model.is_index
	    ? sitemap_chunks(page->store, page->arena, &numbers, &count)
	    : sitemap_ids(
		  page->store, page->arena, page->number, &numbers, &count);
	if (result != STORE_OK)
		return page_failed(page, result);
	if (count == 0 && !model.is_index)
		return HTTP_NOT_FOUND;
	/* Not cached when its links are made from the Host of the request. */
	if (page->app->origin.size > 0)
		page->response->cache = CACHE_ONE_SECOND;
	model.site = page_origin(page);
	model.numbers = (struct mustache_list){ numbers, count };
	page->response->type = TYPE_XML;
	return page_show(page, HTTP_OK, &sitemap_view, &model);
}

enum http_status
sitemap_robots_page(struct page *page)
{
	page->response->type = TYPE_PLAIN;
	page->response->cache = CACHE_ONE_SECOND;
	return page_show(page, HTTP_OK, &robots_view, NULL);
}
