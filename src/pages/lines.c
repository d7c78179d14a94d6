#include "pages/lines.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/memo.h"
#include "views/format.h"
#include "views/line.h"
#include "views/list.h"

/*
 * An article's texts follow from its id and its edits, the words about its age
 * from the minute, and its score from its points.
 */
static struct text
line_made_from(struct arena *arena, const struct article *article,
    struct stamp stamp, int64_t now, struct text back)
{
	struct buffer key = buffer_in(arena, 128);
	const int64_t parts[] = { (int64_t)article->post.id.article,
		(int64_t)stamp.epoch, (int64_t)stamp.version,
		article->post.points, article->post.vote,
		post_is_open(&article->post, now) };

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		buffer_add_number(&key, parts[i]);
		buffer_add_char(&key, ' ');
	}
	buffer_add(&key, format_age(arena, now, article->post.posted));
	buffer_add_char(&key, ' ');
	buffer_add(&key, back);
	return buffer_text(&key);
}

/* With another way back a line is another one, so only a member's is kept. */
static struct mustache_html
line_html(struct page *page, const struct article *article, struct stamp stamp,
    int64_t now)
{
	struct text back = page_way_back(page);
	struct memo *memo = back.size == 0 ? page->app->lines : NULL;
	struct text key =
	    line_made_from(page->arena, article, stamp, now, back);
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
may_vote(const struct page *page, const struct list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (post_is_open(&list->articles[i].post, list->now))
			return page_is_signed_in(page);
	return false;
}

static enum store_result
read_and_render(struct page *page, const struct list_query *query,
    struct text base, struct mustache_html *listing, bool *votable)
{
	struct arena *arena = page->arena;
	struct mustache_html *lines;
	struct listing_model model;
	struct list list;

	if (list_read(page->store, arena, query, &list) != STORE_OK)
		return STORE_DOWN;
	lines = arena_new(arena, struct mustache_html, list.count);
	for (size_t i = 0; i < list.count; i++)
		lines[i] = line_html(
		    page, &list.articles[i], list.stamps[i], list.now);
	model = list_listing_of(arena, query, &list, base,
	    (struct mustache_list){ lines, list.count });
	*listing =
	    views_part(page->app->views, arena, &list_listing_view, &model);
	*votable = may_vote(page, &list);
	return STORE_OK;
}

/* A visitor's listing follows from its address and the version of all lists, and
 * the words about ages from the second. */
static struct text
listing_made_from(const struct page *page, const struct versions *versions)
{
	struct stamp stamp = versions_lists(versions);

	return text_format(page->arena, "%llu %llu %lld %.*s",
	    (unsigned long long)stamp.epoch, (unsigned long long)stamp.version,
	    (long long)versions->now, TEXT_ARGS(page_way_back(page)));
}

STORE_CALL
lines_listing(struct page *page, struct list_query *query, struct text base,
    struct mustache_html *listing, bool *votable)
{
	struct versions versions;
	struct text key;

	query->viewer = page->viewer.id;
	query->versions = page->versions;
	query->kept = page->app->kept;
	if (page_is_signed_in(page))
		return read_and_render(page, query, base, listing, votable);
	if (versions_read(page->store, page->arena, 0, &versions) != STORE_OK)
		return STORE_DOWN;
	query->versions = &versions;
	*votable = false;
	key = listing_made_from(page, &versions);
	if (memo_find(page->app->lists, page->arena, key, &listing->text))
		return STORE_OK;
	if (read_and_render(page, query, base, listing, votable) != STORE_OK)
		return STORE_DOWN;
	memo_keep(page->app->lists, key, listing->text);
	return STORE_OK;
}
