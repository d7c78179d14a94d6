#include "pages/lines.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/memo.h"
#include "views/format.h"
#include "views/line.h"
#include "views/list.h"

/*
 * An article's texts follow from its id and its edits, the words about its age
 * from their step, and its score from its points.
 */
static struct text
line_made_from(struct arena *arena, const struct article *article,
    struct stamp stamp, int64_t now)
{
	struct buffer key = buffer_in(arena, 80);
	const struct post *post = &article->post;
	const uint64_t parts[] = { post->id.article, stamp.epoch, stamp.version,
		(uint64_t)post->points, post->vote, post_is_open(post, now),
		(uint64_t)format_age_step(now, post->posted) };

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		buffer_add_varint(&key, parts[i]);
	return buffer_text(&key);
}

/* A visitor's arrows lead back to their page, so only a member's line is kept. */
static struct mustache_html
line_html(struct page *page, const struct article *article, struct stamp stamp,
    int64_t now, struct text back)
{
	struct memo *memo = back.size == 0 ? page->app->lines : NULL;
	struct text key = line_made_from(page->arena, article, stamp, now);
	struct line_model line;
	struct mustache_html html;

	if (memo_find(memo, page->arena, key, &html.text))
		return html;
	line = line_model_of(page->arena, article, now, back);
	html = views_part(page->app->views, page->arena, &line_view, &line);
	memo_keep(memo, key, html.text);
	return html;
}

static bool
has_open(const struct list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (post_is_open(&list->articles[i].post, list->now))
			return true;
	return false;
}

static enum store_result
read_and_render(struct page *page, const struct list_query *query,
    struct text base, struct text back, struct list_model *model)
{
	struct arena *arena = page->arena;
	struct mustache_html *lines;
	struct listing_model listing;
	struct list list;

	if (list_read(page->store, arena, query, &list) != STORE_OK)
		return STORE_DOWN;
	lines = arena_new(arena, struct mustache_html, list.count);
	for (size_t i = 0; i < list.count; i++)
		lines[i] = line_html(
		    page, &list.articles[i], list.stamps[i], list.now, back);
	listing = list_listing_of(arena, query, &list, base,
	    (struct mustache_list){ lines, list.count });
	model->listing =
	    views_part(page->app->views, arena, &list_listing_view, &listing);
	model->votable = page_is_signed_in(page) && has_open(&list);
	return STORE_OK;
}

/* A visitor's listing follows from its address and the version of all lists, and
 * the words about ages from the second. */
static struct text
listing_made_from(
    struct arena *arena, const struct versions *versions, struct text back)
{
	struct stamp stamp = versions_lists(versions);
	struct buffer key = buffer_in(arena, 40 + back.size);

	buffer_add_varint(&key, stamp.epoch);
	buffer_add_varint(&key, stamp.version);
	buffer_add_varint(&key, (uint64_t)versions->now);
	buffer_add(&key, back);
	return buffer_text(&key);
}

STORE_CALL
lines_listing(struct page *page, struct list_query *query, struct text base,
    struct list_model *model)
{
	struct text back = page_way_back(page), key;
	struct memo *kept = page->app->lists;
	struct versions *versions = arena_new(page->arena, struct versions, 1);

	query->viewer = page->viewer.id;
	query->versions = page->versions;
	query->kept = page->app->kept;
	if (page_is_signed_in(page))
		return read_and_render(page, query, base, back, model);
	if (versions_read(page->store, page->arena, 0, versions) != STORE_OK)
		return STORE_DOWN;
	query->versions = versions;
	key = listing_made_from(page->arena, versions, back);
	if (memo_find(kept, page->arena, key, &model->listing.text))
		return STORE_OK;
	if (read_and_render(page, query, base, back, model) != STORE_OK)
		return STORE_DOWN;
	memo_keep(kept, key, model->listing.text);
	return STORE_OK;
}
