#include "panels/rings.h"
#include "base/background.h"
#include "moderation/rings_read.h"
#include "pages/page.h"

struct work {
	struct arena *arena;
	struct rings_input *input;
	struct rings *rings;
};

static void
find(void *data)
{
	struct work *work = data;

	rings_find(work->arena, work->input, work->rings);
}

enum http_status
rings_page(struct page *page)
{
	struct rings_input input;
	struct rings rings;
	struct work work = { page->arena, &input, &rings };
	struct rings_model model;

	if (rings_read_input(page->store, page->arena, &input, &rings) !=
	    STORE_OK)
		return page_failed(page, STORE_DOWN);
	if (!background_run(page->app->background, find, &work))
		return page_refuse(page, REASON_BUSY);
	if (rings_read_names(page->store, page->arena, &rings) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	model = rings_model_of(page->arena, &rings);
	return page_show(page, HTTP_OK, &rings_view, &model);
}
