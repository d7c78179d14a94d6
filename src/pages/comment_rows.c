#include "pages/comment_rows.h"

#include "base/arena.h"
#include "base/fiber.h"
#include "pages/comment_body.h"
#include "views/format.h"

/* Renders one comment, closed at its end. */
static struct thread_item
item_of(struct page *page, const struct comments_row *line, int64_t now,
    const struct reader *reader, const struct comment_html *html, bool *votable)
{
	struct arena *arena = page->arena;
	const struct comment *comment = &line->comment;
	const struct post *post = &comment->post;
	struct comment_model card = comment_model_of(arena, post, now, reader);

	*votable = *votable || (card.votable && reader->id != 0);
	card.parent = (uint64_t)comment->parent;
	card.anchor = text_format(arena, "comment-%llu-%llu",
	    (unsigned long long)post->id.article,
	    (unsigned long long)post->id.comment);
	card.is_article_author = post->author.id == line->article_author;
	card.article_title = format_short(arena, line->title);
	card.article_href =
	    format_post_path(arena, article_id(post->id.article));
	if (comment->parent != 0)
		card.parent_href = format_post_path(arena,
		    (struct post_id){
			post->id.article, (uint64_t)comment->parent });
	/* If the thread has closed, the form will say so. */
	if (reader->id != 0 && !card.is_removed)
		card.reply_href = comment_reply_path(arena, post->id);
	card.text.text = html->text;
	if (html->is_cut)
		card.all_href = format_post_path(arena, post->id);
	return (struct thread_item){ views_part(page->app->views, arena,
					 &comment_view, &card),
		{ arena_new(arena, struct text, 1), 1 } };
}

static struct comment_html
text_of_line(struct page *page, const struct comment *comment)
{
	if (comment->post.removed != 0)
		return (struct comment_html){ .is_cut = false };
	return comment_body_html(
	    page, comment->text, comment->links, RULE_EXCERPT_BYTES);
}

bool
comment_rows_read(struct page *page, const struct comments_page *comments,
    uint64_t from, struct comment_rows *listed)
{
	size_t bytes = 0, i = (size_t)from - 1;

	*listed = (struct comment_rows){ .first = i, .end = comments->count };
	if (i > 0 && i >= comments->count)
		return false;
	listed->items =
	    arena_new(page->arena, struct thread_item, comments->count);
	for (; !page_is_head(page) && i < comments->count; i++) {
		const struct comments_row *line = &comments->rows[i];
		struct comment_html html = text_of_line(page, &line->comment);

		bytes += html.text.size;
		if (i > listed->first && bytes > RULE_PAGE_BYTES) {
			listed->end = i;
			listed->next = i + 1;
			break;
		}
		listed->items[i] = item_of(page, line, comments->now,
		    &page->reader, &html, &listed->votable);
		fiber_yield();
	}
	return true;
}
