/*
 * Front pages that were kept (store/front_hour.h). For visitors they are expensive pages
 * (pages/visitors.h): only a reader of everything opens many of them.
 */
#include "views/front_hour.h"

#include "base/arena.h"
#include "lists/article_rows.h"
#include "pages/page.h"
#include "pages/visitors.h"
#include "views/messages.h"

static struct text
path_of(struct page *page, int64_t hour)
{
	return text_join(
	    page->arena, TEXT("/front/"), front_hour_name(page->arena, hour));
}

/* Reads the articles that are not removed, in order. */
static enum store_result
read_articles(struct page *page, const struct front_hour *front,
    struct article *articles, size_t *count, bool *is_partial)
{
	struct article_rows rows = { .store = page->store,
		.arena = page->arena,
		.cache = page->app->read_cache,
		.viewer = page->viewer.id,
		.versions = page->versions };
	struct entry entries[FRONT_HOUR_PLACES];
	struct stamp *stamps =
	    arena_new(page->arena, struct stamp, front->count);
	enum store_result result;

	for (size_t i = 0; i < front->count; i++)
		entries[i] = (struct entry){ front->articles[i], 0 };
	if (rows.viewer != 0 && article_rows_find_recent(&rows) != STORE_OK)
		return STORE_DOWN;
	result = article_rows_read(
	    &rows, entries, front->count, articles, stamps, count);
	*is_partial = rows.is_partial || page->versions->is_partial;
	return result;
}

/* Drops what is hidden from the viewer, and says how many. */
static void
drop_hidden(struct page *page, const struct hidden_filter *filter,
    struct article *articles, size_t *count, struct front_hour_model *model)
{
	size_t kept = 0;

	for (size_t i = 0; i < *count; i++)
		if (!hidden_article(filter, &articles[i]))
			articles[kept++] = articles[i];
	if (kept < *count)
		model->hidden = message_count(page->arena, MESSAGE_HIDDEN_POSTS,
		    (int64_t)(*count - kept));
	*count = kept;
}

/* Each article at the place that it had. */
static void
place_rows(struct page *page, const struct front_hour *front,
    const struct article *articles, size_t count,
    struct front_hour_model *model)
{
	struct front_hour_row *rows =
	    arena_new(page->arena, struct front_hour_row, count);
	size_t place = 0;

	for (size_t i = 0; i < count; i++) {
		while (front->articles[place] != articles[i].post.id.article)
			place++;
		rows[i] = (struct front_hour_row){ .place = (int64_t)place + 1,
			.ordinal =
			    message_ordinal(page->arena, (int64_t)place + 1),
			.article = article_row_model_of(page->arena,
			    &articles[i], page->versions->now, &page->reader) };
	}
	model->rows = (struct mustache_list){ rows, count };
	model->has_buttons = page_is_signed_in(page) && count > 0;
}

static enum store_result
add_rows(struct page *page, const struct front_hour *front,
    struct front_hour_model *model)
{
	struct article *articles =
	    arena_new(page->arena, struct article, front->count);
	const struct hidden_filter *filter;
	size_t count;
	enum store_result result = page_read_saved(page);

	if (result == STORE_OK)
		result = page_hidden(page, &filter);
	if (result == STORE_OK)
		result = read_articles(
		    page, front, articles, &count, &model->is_partial);
	if (result != STORE_OK)
		return result;
	if (!model->is_partial && count < front->count)
		model->removed = message_count(page->arena, MESSAGE_ARTICLES,
		    (int64_t)(front->count - count));
	drop_hidden(page, filter, articles, &count, model);
	place_rows(page, front, articles, count, model);
	return STORE_OK;
}

/* An hour that is not kept is answered with the nearest that are. */
static enum http_status
show_hour(struct page *page, int64_t hour)
{
	struct front_hour_model model;
	struct front_hour front;
	int64_t before, after;
	enum store_result result, kept;
	enum http_status status;

	if (page->versions == NULL)
		return page_failed(page, STORE_DOWN);
	kept = front_hour_read(page->store, page->arena, hour, &front);
	result =
	    front_hour_near(page->store, page->arena, hour, &before, &after);
	if (kept == STORE_DOWN || result != STORE_OK)
		return page_failed(page, STORE_DOWN);
	model = front_hour_model_of(
	    page->arena, hour, before, after, page->versions->now);
	if (kept != STORE_OK)
		return page_show(
		    page, HTTP_NOT_FOUND, &front_hour_view, &model);
	model.is_kept = true;
	status = visitors_admit(page);
	if (status != HTTP_OK)
		return status;
	if (add_rows(page, &front, &model) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	if (!page_is_signed_in(page) && !model.is_partial)
		page->response->cache = CACHE_ONE_SECOND;
	return page_show(page, HTTP_OK, &front_hour_view, &model);
}

enum http_status
front_hour_page(struct page *page)
{
	int64_t hour;

	if (!front_hour_parse(
		pairs_get(&page->request->path_values, TEXT("hour")), &hour))
		return page_refuse(page, REASON_NO_FULL_HOUR);
	return show_hour(page, hour);
}

/* Redirects to the hour of the form, "2026-11-20T14:00", whose minutes do not matter; without
 * one to the last that is kept. */
enum http_status
front_hour_choose_page(struct page *page)
{
	struct text name = pairs_get(&page->request->query, TEXT("hour"));
	int64_t hour, before, after;

	if (name.size > 0) {
		if (!front_hour_parse(
			text_slice(name, 0, FRONT_HOUR_NAME), &hour))
			return HTTP_BAD_REQUEST;
		return page_redirect(page, path_of(page, hour));
	}
	if (page->versions == NULL)
		return page_failed(page, STORE_DOWN);
	hour = page->versions->now / FRONT_HOUR_SECONDS;
	if (front_hour_near(page->store, page->arena, hour + 1, &before,
		&after) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	return before != 0 ? page_redirect(page, path_of(page, before))
			   : show_hour(page, hour);
}
