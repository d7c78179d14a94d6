#include "pages/own_rows.h"

#include "base/arena.h"
#include "base/fiber.h"
#include "lists/hits.h"
#include "views/comment.h"
#include "views/format.h"
#include "views/search.h"

/* The beginning of a comment's text. */
static struct mustache_html
comment_html(struct page *page, const struct hit *hit)
{
	struct arena *arena = page->arena;
	const struct comment *comment = &hit->comment;
	struct post_id id = comment->post.id;
	struct comment_model model =
	    comment_model_of(arena, &comment->post, page->now, &page->reader);
	struct snippet_model snippet;
	struct snippet text;
	struct query none;

	query_parse(arena, TEXT(""), &none);
	text = snippet_of(arena, &none, comment->text, SNIPPET_MARKDOWN);
	snippet = snippet_model_of(arena, &text);
	model.is_open = true;
	model.heading = COMMENT_HEADING - 1; /* as the titles of articles */
	model.parent = (uint64_t)comment->parent;
	model.anchor = format_post_anchor(arena, id);
	model.is_article_author =
	    comment->post.author.id == hit->article.post.author.id;
	model.article_title = format_short(arena, hit->article.title);
	model.article_href = format_post_path(arena, article_id(id.article));
	model.text =
	    views_part(page->app->views, arena, &snippet_view, &snippet);
	if (text.is_cut_after)
		model.all_href = format_post_path(arena, id);
	return views_part(page->app->views, arena, &comment_view, &model);
}

static void
add_post(struct page *page, const struct hit *hit, struct own_row *row)
{
	const struct post *post = hit_post(hit);

	if (hit->state == HIT_REMOVED) {
		row->id = format_post(page->arena, post->id);
		row->anchor = format_post_anchor(page->arena, post->id);
		row->path = format_post_path(page->arena, post->id);
		row->withdrawn = post_is_withdrawn(post);
		return;
	}
	row->is_comment = hit_is_comment(hit);
	row->is_article = !row->is_comment;
	if (row->is_comment)
		row->comment = comment_html(page, hit);
	else
		row->article = article_row_model_of(
		    page->arena, &hit->article, page->now, &page->reader);
}

/* Whether the record of voters may say something else than what the member kept, and says that
 * there is no vote. */
static bool
is_without_vote(
    const struct page *page, const struct own_post *own, const struct hit *hit)
{
	return !own->is_saved && !own->is_voided && hit->state == HIT_SHOWN &&
	    post_is_open(hit_post(hit), page->now) &&
	    hit_post(hit)->vote == VOTE_NONE;
}

static struct own_row
row_of(struct page *page, const struct own_post *own, const struct hit *hit)
{
	struct arena *arena = page->arena;
	enum vote vote = own->vote;
	struct own_row row = { .saved = own->is_saved,
		.voided = own->is_voided,
		.when = format_age(arena, page->now, own->at),
		.when_iso = format_iso(arena, own->at),
		.when_moment = format_moment(arena, own->at) };

	if (!own->is_saved && hit_post(hit)->vote != VOTE_NONE)
		vote = hit_post(hit)->vote;
	row.voted_up = vote == VOTE_UP;
	row.voted_down = vote == VOTE_DOWN;
	add_post(page, hit, &row);
	return row;
}

STORE_CALL
own_rows_add(struct page *page, const struct own_post *posts, size_t count,
    struct own_rows_model *model)
{
	struct arena *arena = page->arena;
	struct hit *hits = arena_new(arena, struct hit, count);
	struct own_row *rows = arena_new(arena, struct own_row, count);
	struct post_id *ids = arena_new(arena, struct post_id, count);
	size_t used = 0;

	for (size_t i = 0; i < count; i++)
		ids[i] = posts[i].post;
	if (page_read_saved(page) != STORE_OK ||
	    page_hidden(page, &page->reader.hidden) != STORE_OK ||
	    hits_read_each(page->store, arena, ids, count, page->viewer.id,
		page_vote_score(page), hits, &model->is_partial) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count && !page_is_head(page); i++) {
		if (hits[i].state == HIT_LOST ||
		    is_without_vote(page, &posts[i], &hits[i]))
			continue;
		rows[used++] = row_of(page, &posts[i], &hits[i]);
		fiber_yield();
	}
	model->rows = (struct mustache_list){ rows, used };
	model->is_empty = used == 0;
	return STORE_OK;
}
