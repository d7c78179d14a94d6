/* The inbox: a member's notices of comments, and the threads that the member has muted. */
#include "views/inbox.h"
#include "base/arena.h"
#include "pages/comment_rows.h"
#include "pages/feed.h"
#include "pages/path.h"
#include "store/article.h"
#include "store/inbox.h"
#include "views/format.h"
#include "views/messages.h"

enum { NOTICES_PAGE = 25, NOTICES_FEED = 50 };

static bool
is_same(struct post_id a, struct post_id b)
{
	return a.article == b.article && a.comment == b.comment;
}

/* Adds the notices whose comments were read; the rows say which of them are shown. */
static void
add_notices(struct page *page, const struct notice *notices, size_t count,
    const struct comments_page *comments, const struct comment_rows *rows,
    struct inbox_model *model)
{
	struct inbox_row *items =
	    arena_new(page->arena, struct inbox_row, comments->count);
	size_t used = 0;

	for (size_t i = 0; i < count && used < comments->count; i++) {
		const struct post *post = &comments->rows[used].comment.post;

		if (!is_same(post->id, notices[i].comment))
			continue;
		items[used] =
		    (struct inbox_row){ .html = rows->items[used].html,
			    .why = message_notice(notices[i].reason),
			    .is_unread =
				(int64_t)notices[i].number > page->viewer.read,
			    .has_buttons = post->removed == 0,
			    .article = post->id.article };
		if (post->removed == 0)
			items[used].author = post->author.name;
		used++;
	}
	model->items = (struct mustache_list){ items + rows->first,
		rows->end - rows->first };
}

/* Adds the muted threads; those whose articles were removed are left out. */
static enum store_result
add_muted(struct page *page, struct inbox_model *model)
{
	struct arena *arena = page->arena;
	struct article *articles;
	struct muted_row *items;
	uint64_t *ids;
	size_t count, got;

	if (inbox_mutes(page->store, arena, page->viewer.id, &ids, &count) !=
	    STORE_OK)
		return STORE_DOWN;
	if (count == 0)
		return STORE_OK;
	articles = arena_new(arena, struct article, count);
	if (article_get_some(page->store, arena, SCHEMA_BRIEF, ids, count,
		articles, &got, &page->is_partial) != STORE_OK)
		return STORE_DOWN;
	items = arena_new(arena, struct muted_row, got);
	for (size_t i = 0; i < got; i++) {
		items[i].name = format_short(arena, articles[i].title);
		items[i].href =
		    page_article_path(page, articles[i].post.id.article);
		items[i].action =
		    text_join(arena, items[i].href, TEXT("/mute"));
	}
	model->muted = (struct mustache_list){ items, got };
	model->has_muted = got > 0;
	return STORE_OK;
}

static enum store_result
read_comments(struct page *page, const struct notice *notices, size_t count,
    struct comments_page *comments)
{
	struct post_id *ids = arena_new(page->arena, struct post_id, count);
	const struct hidden_filter *filter;

	*comments = (struct comments_page){ .now = page->now };
	for (size_t i = 0; i < count; i++)
		ids[i] = notices[i].comment;
	if (page_hidden(page, &filter) != STORE_OK ||
	    comments_get(page->store, page->arena, ids, count, page->viewer.id,
		comments) != STORE_OK)
		return STORE_DOWN;
	comments_hide(comments, filter);
	return STORE_OK;
}

/* For the feed: of the newest notices the comments that are still there. */
static enum store_result
read_newest(
    struct page *page, const void *query, struct comments_page *comments)
{
	struct notice *notices;
	size_t got, count = 0;
	uint64_t total;
	enum store_result result = inbox_read(page->store, page->arena,
	    page->viewer.id, 0, NOTICES_FEED, &notices, &got, &total);

	(void)query;
	if (result == STORE_OK)
		result = read_comments(page, notices, got, comments);
	if (result != STORE_OK)
		return result;
	for (size_t i = 0; i < comments->count; i++)
		if (comments->rows[i].comment.post.removed == 0)
			comments->rows[count++] = comments->rows[i];
	comments->count = count;
	return STORE_OK;
}

enum http_status
inbox_feed(struct page *page)
{
	return feed_show_inbox(page, read_newest);
}

enum http_status
inbox_page(struct page *page)
{
	struct inbox_model model = { .until = 0 };
	struct comments_page comments;
	struct pager_part part;
	struct comment_rows rows;
	struct notice *notices;
	uint64_t number = page->number, total;
	size_t got, missing;

	if (inbox_read(page->store, page->arena, page->viewer.id,
		(number - 1) * NOTICES_PAGE, NOTICES_PAGE, &notices, &got,
		&total) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	if (got == 0 && number > 1)
		return page_past_end(page, TEXT("/inbox"),
		    (total + NOTICES_PAGE - 1) / NOTICES_PAGE);
	if (read_comments(page, notices, got, &comments) != STORE_OK ||
	    page_read_saved(page) != STORE_OK ||
	    (number == 1 && add_muted(page, &model) != STORE_OK))
		return page_failed(page, STORE_DOWN);
	if (!comment_rows_read(page, &comments, page->from, &rows))
		return page_refuse(page, REASON_NO_PAGE);
	add_notices(page, notices, got, &comments, &rows, &model);
	model.empty = got == 0;
	model.partial = comments.is_partial;
	missing = got - comments.count - comments.hidden;
	if (!model.partial && missing > 0)
		model.missing = message_count(
		    page->arena, MESSAGE_HIDDEN_NOTICES, (int64_t)missing);
	if (comments.hidden > 0)
		model.hidden = message_count(page->arena, MESSAGE_HIDDEN_POSTS,
		    (int64_t)comments.hidden);
	model.until = (uint64_t)page->viewer.notified;
	model.has_unread = page->viewer.notified > page->viewer.read;
	part = (struct pager_part){ number, page->from, rows.next,
		number * NOTICES_PAGE < total };
	model.pager = pager_part_model_of(page->arena, TEXT("/inbox"), &part);
	return page_show(page, HTTP_OK, &inbox_view, &model);
}

/* Marks as read up to "until": notices that came after the page was shown stay unread. */
enum http_status
inbox_read_action(struct page *page)
{
	uint64_t until;

	if (!pairs_get_id(page_sent(page), TEXT("until"), &until))
		return HTTP_BAD_REQUEST;
	return page_finish(page,
	    inbox_mark_read(page->store, page->arena, page->viewer.id, until),
	    TEXT("/inbox"));
}

/* Mutes or unmutes a thread, as "wanted" says: "muted" or "heard". */
enum http_status
inbox_mute_article_action(struct page *page)
{
	struct text word = pairs_get(page_sent(page), TEXT("wanted"));
	uint64_t viewer = page->viewer.id;
	struct article article;
	enum http_status status = path_article(page, &article);
	uint64_t id = article.post.id.article;
	enum store_result result;

	if (status != HTTP_OK)
		return status;
	if (text_equal(word, TEXT("muted")))
		result = inbox_mute(page->store, page->arena, viewer, id);
	else if (text_equal(word, TEXT("heard")))
		result = inbox_unmute(page->store, page->arena, viewer, id);
	else
		return HTTP_BAD_REQUEST;
	return result == STORE_FULL
	    ? page_refuse(page, REASON_MUTES_FULL)
	    : page_finish(page, result, page_article_path(page, id));
}
