#include "lounge/listed.h"

#include "base/arena.h"
#include "lounge/said.h"
#include "parts/format.h"

/* One card, and its end. */
static struct thread_item
item_of(struct page *page, const struct comments_line *line, int64_t now,
    const struct line_reader *reader, bool *votable)
{
	struct arena *arena = page->arena;
	const struct comment *comment = &line->comment;
	const struct post *post = &comment->post;
	struct card_model card = card_model_of(arena, post, now, reader);

	*votable = *votable || (card.votable && reader->id != 0);
	card.parent = (uint64_t)comment->parent;
	card.anchor = text_format(arena, "comment-%llu-%llu",
	    (unsigned long long)post->id.article,
	    (unsigned long long)post->id.comment);
	card.is_op = post->author.id == line->op;
	card.article_title = format_short(arena, line->title);
	card.article_href =
	    format_post_path(arena, article_id(post->id.article));
	if (comment->parent != 0)
		card.parent_href = format_post_path(arena,
		    (struct post_id){
			post->id.article, (uint64_t)comment->parent });
	/* Where the thread has closed meanwhile its form says so. */
	if (reader->id != 0 && !card.is_gone)
		card.reply_href = card_reply_path(arena, post->id);
	if (!card.is_gone)
		card.said.text = said_html(page, comment->text, comment->links);
	return (struct thread_item){ views_part(page->app->views, arena,
					 &card_view, &card),
		{ arena_new(arena, struct text, 1), 1 } };
}

struct mustache_list
listed_items(
    struct page *page, const struct comments_page *comments, bool *votable)
{
	const struct line_reader reader = page_reader(page);
	struct thread_item *items =
	    arena_new(page->arena, struct thread_item, comments->count);

	*votable = false;
	if (page_is_head(page))
		return (struct mustache_list){ items, comments->count };
	for (size_t i = 0; i < comments->count; i++)
		items[i] = item_of(
		    page, &comments->lines[i], comments->now, &reader, votable);
	return (struct mustache_list){ items, comments->count };
}
