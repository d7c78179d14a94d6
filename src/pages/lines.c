#include "pages/lines.h"

#include "base/buffer.h"
#include "base/memo.h"
#include "views/format.h"
#include "views/line.h"

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
    int64_t now, struct text back)
{
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

static struct mustache_html
render(struct page *page, const struct list *list, struct text back)
{
	struct mustache_html *lines =
	    arena_new(page->arena, struct mustache_html, list->count);
	struct line_list_model model = { { lines, list->count } };

	for (size_t i = 0; i < list->count; i++)
		lines[i] = line_html(
		    page, &list->articles[i], list->stamps[i], list->now, back);
	return views_part(
	    page->app->views, page->arena, &line_list_view, &model);
}

/* The list follows from its address and its version, the words about ages from
 * the second. */
static struct text
list_made_from(struct arena *arena, const struct list *list, struct text back)
{
	return text_format(arena, "%llu %llu %lld %.*s",
	    (unsigned long long)list->stamp.epoch,
	    (unsigned long long)list->stamp.version, (long long)list->now,
	    TEXT_ARGS(back));
}

struct mustache_html
lines_html(struct page *page, const struct list *list)
{
	struct text back = page_way_back(page), key;
	struct mustache_html html;

	if (page_is_signed_in(page))
		return render(page, list, back);
	key = list_made_from(page->arena, list, back);
	if (memo_find(page->app->lists, page->arena, key, &html.text))
		return html;
	html = render(page, list, back);
	memo_keep(page->app->lists, key, html.text);
	return html;
}
