#include "views/mod_rings.h"
#include "lists/vote_rings.h"
#include "pages/page.h"

enum http_status
mod_rings_page(struct page *page)
{
	struct vote_rings_figures *figures;
	struct mod_rings_model model;
	enum http_status status;
	bool is_awaited;
	enum store_result result = vote_rings_get(page->app->rings, page->store,
	    page->arena, page->app->background, &figures, &is_awaited);

	if (result == STORE_LIMITED)
		return page_refuse(page, REASON_BUSY);
	if (result != STORE_OK)
		return page_failed(page, result);
	model = mod_rings_model_of(page->arena, figures, is_awaited);
	status = page_show(page, HTTP_OK, &mod_rings_view, &model);
	vote_rings_release(figures);
	return status;
}
