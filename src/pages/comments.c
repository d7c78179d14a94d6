/* Lists of comments: the newest of the site, and a member's. */
#include "views/comments.h"
#include "pages/comment_rows.h"
#include "pages/feed.h"
#include "pages/path.h"
#include "views/messages.h"

static enum store_result
read_newest(
    struct page *page, const void *author, struct comments_page *comments)
{
	const struct comments_query query = { .author =
						  *(const uint64_t *)author,
		.page = 1,
		.is_feed = true,
		.expensive = page->app->expensive };

	return comments_read(page->store, page->arena, &query, comments);
}

static enum http_status
show_feed(
    struct page *page, uint64_t author, struct text base, struct text name)
{
	const struct feed_page feed = { .path = base,
		.heading = author == 0
		    ? message_text(MESSAGE_NEW_COMMENTS_OF_ALL)
		    : message_comments_by(page->arena, name) };

	return feed_show_comments(page, &feed, read_newest, &author);
}

/* Links to other pages, and to other parts of this one, which is the end of a page where nothing
 * is hidden. */
static struct pager_model
pager_of(const struct page *page, const struct comments_query *query,
    const struct comments_page *comments, const struct comment_rows *rows,
    struct text base)
{
	bool is_part = query->from > comments_first_entry(query->page) &&
	    (query->hidden == NULL || query->page == 1);
	const struct pager_part part = { query->page, is_part ? query->from : 1,
		rows->next != 0 ? comments->rows[rows->next - 1].entry : 0,
		comments->more };
	struct pager_model model =
	    pager_part_model_of(page->arena, base, &part);

	if (part.next == 0 && comments->more && comments->next != 0)
		model.next = pager_part_href(
		    page->arena, base, query->page + 1, comments->next);
	return model;
}

/* author 0: all members'. */
static enum http_status
show_comments(struct page *page, uint64_t author, struct text base,
    struct comments_model *model)
{
	struct comments_query query = { .author = author,
		.records_only = true,
		.cache = page->app->read_cache,
		.expensive = page->app->expensive };
	const struct hidden_rule subject = { .kind = HIDDEN_MEMBER,
		.id = author };
	struct comments_page comments;
	struct comment_rows rows;
	bool is_there = false;
	enum store_result result;

	if (page_is_feed(page))
		return show_feed(page, author, base, model->name);
	page->feed = base;
	if (page->number > COMMENTS_PAGES)
		return page_past_end(page, base, COMMENTS_PAGES);
	if (page_hidden(page, &query.hidden) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	query.hidden =
	    hidden_filter_without(page->arena, query.hidden, &subject);
	query.page = page->number;
	query.from = page->from;
	result = comments_read(page->store, page->arena, &query, &comments);
	if (result == STORE_OK)
		result = page_read_saved(page);
	/* What is hidden was left out already. */
	if (result == STORE_OK)
		result = comment_rows_read(
		    page, &comments, NULL, 1, &rows, &is_there);
	if (result != STORE_OK)
		return page_list_failed(page, result);
	if (!is_there ||
	    (comments.count + comments.hidden == 0 && !comments.is_partial &&
		(page->number > 1 || page->from > 1)))
		return page_refuse(page, REASON_NO_PAGE);
	model->pieces = comment_rows_pieces(page, &rows);
	model->has_buttons = comment_rows_have_buttons(page, &rows);
	model->empty = comments.count + comments.hidden == 0;
	if (comments.hidden > 0)
		model->hidden = message_count(page->arena, MESSAGE_HIDDEN_POSTS,
		    (int64_t)comments.hidden);
	model->hidden_ended = comments.hidden_ended;
	model->partial = comments.is_partial;
	model->pager = pager_of(page, &query, &comments, &rows, base);
	if (!page_is_signed_in(page) && !comments.is_partial)
		page->response->cache = CACHE_ONE_SECOND;
	return page_show(page, HTTP_OK, &comments_view, model);
}

enum http_status
comments_page(struct page *page)
{
	struct comments_model model = { .name = TEXT("") };

	return show_comments(page, 0, TEXT("/comments"), &model);
}

enum http_status
comments_member_page(struct page *page)
{
	struct comments_model model = { .name = TEXT("") };
	struct user user;
	enum http_status status = path_member(page, &user);
	struct text base;

	if (status != HTTP_OK)
		return status;
	base =
	    text_format(page->arena, "/u/%.*s/comments", TEXT_ARGS(user.name));
	if (!text_equal(base, page->request->path))
		return page_move(page, PAGE_THIS_SITE, base);
	model.name = user.name;
	model.own = user.id == page->viewer.id;
	page_search_in(page, TEXT("author"), user.name);
	return show_comments(page, user.id, base, &model);
}
