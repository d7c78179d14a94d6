#include "base/arena.h"
#include "pages/page.h"
#include "store/site.h"
#include "views/format.h"

enum http_status
about_page(struct page *page)
{
	const struct rules *rules = &page->store->rules;
	struct about_model model = {
		.vote_score = rules->vote_score,
		.votes_a_day = 86400 / rules->vote_score,
		.vote_window = format_span(page->arena, rules->vote_window),
		.interesting = rules->interesting,
		.page_size = rules->page_size,
		.promise_articles = rules->promise_articles,
		.promise_places = rules->promise_places,
		.promise_time =
		    format_span(page->arena, rules->promise_seconds),
		.most_groups = RULE_GROUPS_MAX,
	};

	return page_show(
	    page, HTTP_OK, &about_view, TEXT("How this site works"), &model);
}

/* For those who watch over the site. */
enum http_status
health_page(struct page *page)
{
	int64_t now;

	page->response->plain = true;
	if (site_time(page->store, page->arena, &now) != STORE_OK) {
		page->response->body = TEXT("Redis does not answer\n");
		return HTTP_UNAVAILABLE;
	}
	page->response->body = TEXT("ok\n");
	return HTTP_OK;
}
