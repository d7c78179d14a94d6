#include "pages/comment_rows.h"

#include "base/arena.h"
#include "base/fiber.h"
#include "views/format.h"

/* Renders one comment, closed at its end. */
static struct thread_item
render_comment(struct page *page, const struct comments_row *row, int64_t now,
    const struct reader *reader, const struct markdown_html *html,
    bool *has_buttons)
{
	struct arena *arena = page->arena;
	const struct comment *comment = &row->comment;
	const struct post *post = &comment->post;
	struct comment_model model = comment_model_of(arena, post, now, reader);

	*has_buttons = *has_buttons ||
	    (reader->id != 0 && (model.votable || model.may_save));
	model.parent = (uint64_t)comment->parent;
	model.anchor = format_post_anchor(arena, post->id);
	model.is_article_author =
	    post->author.id == row->article.post.author.id;
	model.article_title = format_short(arena, row->article.title);
	model.article_href =
	    format_post_path(arena, article_id(post->id.article));
	if (comment->parent != 0)
		model.parent_href = format_post_path(arena,
		    (struct post_id){
			post->id.article, (uint64_t)comment->parent });
	/* If the thread has closed, the form will say so. */
	if (reader->id != 0 && !model.is_removed)
		model.reply_href = comment_reply_path(arena, post->id);
	model.text.text = html->text;
	if (html->is_cut)
		model.all_href = format_post_path(arena, post->id);
	return (struct thread_item){ views_part(page->app->views, arena,
					 &comment_view, &model),
		{ arena_new(arena, struct text, 1), 1 } };
}

/* Empty for a removed comment. */
static struct markdown_html
excerpt_of(struct page *page, const struct comment *comment)
{
	if (comment->post.removed != 0)
		return (struct markdown_html){ .is_cut = false };
	return page_markdown(
	    page, comment->text, comment->links, RULE_EXCERPT_BYTES);
}

bool
comment_rows_read(struct page *page, const struct comments_page *comments,
    uint64_t from, struct comment_rows *rows)
{
	size_t bytes = 0, i = (size_t)from - 1;

	*rows = (struct comment_rows){ .first = i, .end = comments->count };
	if (i > 0 && i >= comments->count)
		return false;
	rows->items =
	    arena_new(page->arena, struct thread_item, comments->count);
	for (; !page_is_head(page) && i < comments->count; i++) {
		const struct comments_row *row = &comments->rows[i];
		struct markdown_html html = excerpt_of(page, &row->comment);

		bytes += html.text.size;
		if (i > rows->first && bytes > RULE_PAGE_BYTES) {
			rows->end = i;
			rows->next = i + 1;
			break;
		}
		rows->items[i] = render_comment(page, row, comments->now,
		    &page->reader, &html, &rows->has_buttons);
		fiber_yield();
	}
	return true;
}
