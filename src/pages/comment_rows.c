#include "pages/comment_rows.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/fiber.h"
#include "pages/pieces.h"
#include "views/format.h"
#include "views/language.h"

/* Leaves out comments that are gone or hidden. */
static void
drop_unseen(struct comments_page *comments, const struct hidden_filter *filter,
    struct comment_body *bodies)
{
	size_t count = 0;

	for (size_t i = 0; i < comments->count; i++) {
		bool is_hidden = hidden_comment(
		    filter, &bodies[i].post, &comments->rows[i].article);

		comments->hidden += is_hidden && !bodies[i].is_lost;
		if (is_hidden || bodies[i].is_lost)
			continue;
		bodies[count] = bodies[i];
		comments->rows[count++] = comments->rows[i];
	}
	comments->count = count;
}

/* False when there are fewer than from. */
static bool
choose_shown(uint64_t from, struct comment_rows *rows)
{
	size_t count = rows->comments->count, bytes = 0;

	rows->first = (size_t)from - 1;
	rows->end = count;
	for (size_t i = rows->first; i < count; i++) {
		bytes += rows->bodies[i].html.text.size;
		if (i > rows->first && bytes > RULE_PAGE_BYTES) {
			rows->end = i;
			rows->next = i + 1;
			break;
		}
	}
	return rows->first == 0 || rows->first < count;
}

STORE_CALL
comment_rows_read(struct page *page, struct comments_page *comments,
    const struct hidden_filter *filter, uint64_t from,
    struct comment_rows *rows, bool *is_there)
{
	*rows = (struct comment_rows){ .comments = comments,
		.bodies = arena_new(
		    page->arena, struct comment_body, comments->count) };
	if (comment_body_read_rows(page, comments->rows, comments->count,
		rows->bodies) != STORE_OK)
		return STORE_DOWN;
	drop_unseen(comments, filter, rows->bodies);
	*is_there = choose_shown(from, rows);
	return STORE_OK;
}

bool
comment_rows_are_cached(const struct page *page)
{
	return page->reader.id != 0 && page->reader.waits.size == 0 &&
	    !page_is_head(page);
}

static bool
is_by_author(const struct comments_row *row, const struct post *post)
{
	return post->author.id != 0 &&
	    post->author.id == row->article.post.author.id;
}

/* The text and the author follow from the edition. */
void
comment_rows_add_key(struct page *page, const struct comment_rows *rows,
    size_t i, struct buffer *key)
{
	const struct comments_row *row = &rows->comments->rows[i];
	const struct reader *reader = &page->reader;
	const struct post *post = &rows->bodies[i].post;
	int64_t now = rows->comments->now;
	const bool flags[] = { post_is_open(post, now),
		post->author.id == reader->id, row->record.removed,
		row->record.withdrawn, is_by_author(row, post),
		reader_has_saved(reader, post->id),
		reader_sees_score(reader, post, now), reader->mutes_threads };
	uint64_t bits = post->vote;
	const uint64_t parts[] = { store_epoch(page->store), post->id.article,
		post->id.comment, row->record.edition, (uint64_t)post->posted,
		(uint64_t)post->points, page->settings_held->epoch,
		page->settings_held->version,
		(uint64_t)format_age_step(now, post->posted),
		post->edited == 0
		    ? 0
		    : (uint64_t)format_age_step(now, post->edited),
		language_current()->index };

	for (size_t f = 0; f < sizeof(flags) / sizeof(flags[0]); f++)
		bits = bits << 1 | flags[f];
	buffer_add_varints(key, parts, sizeof(parts) / sizeof(parts[0]));
	buffer_add_varints(key, &bits, 1);
	buffer_add_sized(key, row->article.title);
}

struct thread_item
comment_rows_render(
    struct page *page, const struct comment_rows *rows, size_t i)
{
	struct arena *arena = page->arena;
	const struct comments_row *row = &rows->comments->rows[i];
	const struct comment_body *body = &rows->bodies[i];
	const struct post *post = &body->post;
	struct comment_model model =
	    comment_model_of(arena, post, rows->comments->now, &page->reader);
	struct mustache_html html;

	model.withdrawn = row->record.withdrawn;
	model.parent = row->record.parent;
	model.anchor = format_post_anchor(arena, post->id);
	model.is_article_author = is_by_author(row, post);
	model.article_title = format_short(arena, row->article.title);
	model.article_href =
	    format_post_path(arena, article_id(post->id.article));
	if (model.parent != 0)
		model.parent_href = format_post_path(
		    arena, (struct post_id){ post->id.article, model.parent });
	/* If the thread has closed, the form will say so. */
	if (page->reader.id != 0 && !model.is_removed)
		model.reply_href = comment_reply_path(arena, post->id);
	model.text.text = body->html.text;
	if (body->html.is_cut)
		model.all_href = format_post_path(arena, post->id);
	html = views_part(page->app->views, arena, &comment_view, &model);
	fiber_yield();
	return (struct thread_item){ html,
		{ arena_new(arena, struct text, 1), 1 } };
}

static void
add_row_key(struct page *page, const void *source, size_t i, struct buffer *key)
{
	comment_rows_add_key(page, source, i, key);
}

static struct text
join_rows(struct page *page, const void *source, size_t first, size_t last)
{
	struct thread_item *items =
	    arena_new(page->arena, struct thread_item, last - first);
	const struct comment_items_model model = { .items = {
						       items, last - first } };

	for (size_t i = first; i < last; i++)
		items[i - first] = comment_rows_render(page, source, i);
	return views_part(
	    page->app->views, page->arena, &comment_items_view, &model)
	    .text;
}

struct mustache_list
comment_rows_pieces(struct page *page, const struct comment_rows *rows)
{
	const struct piece_rows all = { .add_key = add_row_key,
		.render = join_rows,
		.source = rows,
		.is_cached = comment_rows_are_cached(page),
		.size = PIECE_COMMENTS };

	return pieces_of(page, &all, rows->first,
	    page_is_head(page) ? rows->first : rows->end);
}

bool
comment_rows_have_buttons(
    const struct page *page, const struct comment_rows *rows)
{
	bool have = false;

	for (size_t i = rows->first; i < rows->end; i++)
		have = have || rows->bodies[i].post.removed == 0;
	return have && page->reader.id != 0;
}
