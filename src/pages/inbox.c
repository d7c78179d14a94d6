/* The inbox: a member's notices of comments, and what the member has muted. */
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
	bool may_vote = page->reader.waits.size == 0;
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
			    .is_votable = may_vote &&
				post_is_open(post, page->now) &&
				post->author.id != page->viewer.id,
			    .article = post->id.article };
		if (post->removed == 0)
			items[used].author = post->author.name;
		used++;
	}
	model->items = (struct mustache_list){ items + rows->first,
		rows->end - rows->first };
}

/* A link to a muted thread or member, and where it is unmuted. */
static struct muted_row
muted_item_of(struct arena *arena, struct text name, struct text href)
{
	return (struct muted_row){ .name = name,
		.href = href,
		.action = text_join(arena, href, TEXT("/mute")) };
}

/* Reads the names of what is muted, articles before members; removed ones are left out. */
static enum store_result
read_muted(struct page *page, const struct mute *mutes, size_t count,
    struct muted_row *items, size_t *used)
{
	struct arena *arena = page->arena;
	struct article *articles = arena_new(arena, struct article, count);
	uint64_t *ids = arena_new(arena, uint64_t, count);
	struct user *users;
	size_t threads = 0, got;

	for (size_t i = 0; i < count; i++)
		ids[i] = mutes[i].id;
	while (threads < count && mutes[threads].kind == MUTE_ARTICLE)
		threads++;
	if (article_get_some(page->store, arena, SCHEMA_BRIEF, ids, threads,
		articles, &got, &page->is_partial) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < got; i++)
		items[(*used)++] =
		    muted_item_of(arena, format_short(arena, articles[i].title),
			page_article_path(page, articles[i].post.id.article));
	if (user_get_reachable(page->store, arena, ids + threads,
		count - threads, &users, &got, &page->is_partial) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < got; i++)
		items[(*used)++] = muted_item_of(arena, users[i].name,
		    text_join(arena, TEXT("/u/"), users[i].name));
	return STORE_OK;
}

static enum store_result
add_muted(struct page *page, struct inbox_model *model)
{
	struct muted_row *items;
	struct mute *mutes;
	size_t count, used = 0;

	if (inbox_mutes(page->store, page->arena, page->viewer.id, &mutes,
		&count) != STORE_OK)
		return STORE_DOWN;
	items = arena_new(page->arena, struct muted_row, count);
	if (count > 0 &&
	    read_muted(page, mutes, count, items, &used) != STORE_OK)
		return STORE_DOWN;
	model->muted = (struct mustache_list){ items, used };
	model->has_muted = used > 0;
	return STORE_OK;
}

static enum store_result
read_comments(struct page *page, const struct notice *notices, size_t count,
    struct comments_page *comments)
{
	struct post_id *ids = arena_new(page->arena, struct post_id, count);

	*comments = (struct comments_page){ .now = page->now };
	for (size_t i = 0; i < count; i++)
		ids[i] = notices[i].comment;
	return comments_get(
	    page->store, page->arena, ids, count, page->viewer.id, comments);
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
	size_t got;

	if (inbox_read(page->store, page->arena, page->viewer.id,
		(number - 1) * NOTICES_PAGE, NOTICES_PAGE, &notices, &got,
		&total) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	if (got == 0 && number > 1)
		return page_past_end(page, TEXT("/inbox"),
		    (total + NOTICES_PAGE - 1) / NOTICES_PAGE);
	if (read_comments(page, notices, got, &comments) != STORE_OK ||
	    (number == 1 && add_muted(page, &model) != STORE_OK))
		return page_failed(page, STORE_DOWN);
	if (!comment_rows_read(page, &comments, page->from, &rows))
		return page_refuse(page, REASON_NO_PAGE);
	add_notices(page, notices, got, &comments, &rows, &model);
	model.empty = got == 0;
	model.partial = comments.is_partial;
	if (!model.partial && got > comments.count)
		model.hidden = message_count(page->arena,
		    MESSAGE_HIDDEN_NOTICES, (int64_t)(got - comments.count));
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

/* Mutes or unmutes, as "wanted" says: "muted" or "heard". */
static enum http_status
set_mute(struct page *page, struct mute what, struct text otherwise)
{
	struct text word = pairs_get(page_sent(page), TEXT("wanted"));
	uint64_t viewer = page->viewer.id;
	enum store_result result;

	if (text_equal(word, TEXT("muted")))
		result = inbox_mute(page->store, page->arena, viewer, what);
	else if (text_equal(word, TEXT("heard")))
		result = inbox_unmute(page->store, page->arena, viewer, what);
	else
		return HTTP_BAD_REQUEST;
	return result == STORE_FULL ? page_refuse(page, REASON_MUTES_FULL)
				    : page_finish(page, result, otherwise);
}

enum http_status
inbox_mute_article_action(struct page *page)
{
	struct article article;
	enum http_status status = path_article(page, &article);
	uint64_t id = article.post.id.article;

	return status == HTTP_OK
	    ? set_mute(page, (struct mute){ MUTE_ARTICLE, id },
		  page_article_path(page, id))
	    : status;
}

enum http_status
inbox_mute_member_action(struct page *page)
{
	struct user user;
	enum http_status status = path_member(page, &user);

	return status == HTTP_OK
	    ? set_mute(page, (struct mute){ MUTE_MEMBER, user.id },
		  text_join(page->arena, TEXT("/u/"), user.name))
	    : status;
}
