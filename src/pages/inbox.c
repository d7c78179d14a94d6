/* The inbox: a member's notices of comments and of moderators' actions, and the threads that the
 * member has muted. */
#include "views/inbox.h"
#include "pages/inbox.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "lists/mod_log.h"
#include "pages/comment_rows.h"
#include "pages/feed.h"
#include "pages/path.h"
#include "pages/pieces.h"
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

/* What notices refer to, in their order; and the articles of the actions, which may have been
 * removed. */
struct referred {
	struct comments_page comments;
	struct mod_log_page actions;
	struct article *articles; /* one an action */
};

static bool
is_unread(const struct page *page, const struct notice *notice)
{
	return (int64_t)notice->number > page->viewer.read && !notice->is_read;
}

/* The group that an action was done to, or whose moderators changed; or empty. */
static struct text
object_group(const struct mod_action *action)
{
	enum mod_action_kind kind;

	return mod_action_parse(action->what, &kind) &&
		(kind == MOD_GROUP_APPOINTED || kind == MOD_GROUP_DISMISSED)
	    ? action->subject
	    : action->into;
}

/* The path of what an action was done to: a post, or a group; empty: of nothing else than the
 * member. */
static struct text
object_path(struct arena *arena, const struct mod_action *action)
{
	if (action->article != 0)
		return format_post_path(arena,
		    (struct post_id){ action->article, action->comment });
	return object_group(action).size > 0
	    ? text_join(arena, TEXT("/g/"), object_group(action))
	    : TEXT("");
}

/* The article's author knows what it was; others are told no more of it than the log tells. */
static void
name_object(struct page *page, const struct mod_action *action,
    const struct article *article, struct inbox_row *row)
{
	bool is_author = page_is_author(page, &article->post);

	row->href = object_path(page->arena, action);
	row->leads = row->href.size > 0;
	row->title = action->article != 0
	    ? format_short(
		  page->arena, is_author ? article->title : action->title)
	    : object_group(action);
	if (row->title.size == 0)
		row->title = row->href;
}

static struct inbox_row
action_row(struct page *page, const struct notice *notice,
    const struct mod_action *action, const struct article *article)
{
	struct arena *arena = page->arena;
	enum mod_action_kind kind = MOD_ACTION_KINDS;
	struct inbox_row row = { .is_other = true,
		.is_action = true,
		.number = notice->number,
		.is_unread = is_unread(page, notice),
		.reason = action->reason,
		.at = format_age(arena, page->now, action->at),
		.at_iso = format_iso(arena, action->at) };

	(void)mod_action_parse(action->what, &kind);
	row.why = message_action_notice(arena, kind, action);
	if (settings_names_moderators(page->settings))
		row.by = action->by.name;
	name_object(page, action, article, &row);
	return row;
}

static struct inbox_row
use_row(struct page *page, const struct notice *notice)
{
	return (struct inbox_row){ .is_other = true,
		.number = notice->number,
		.why = message_notice(notice->reason),
		.leads = true,
		.is_unread = is_unread(page, notice),
		.use = message_code_used(page->arena,
		    format_moment(page->arena, notice->used), notice->left) };
}

/* The places of the next comment and the next action among what was read. */
struct referred_next {
	size_t comment, action;
};

/* The place of what a notice refers to; false when that was not read. A recovery code has none. */
static bool
take_next(const struct referred *referred, const struct notice *notice,
    struct referred_next *next, size_t *place)
{
	const struct comments_page *comments = &referred->comments;
	const struct mod_log_page *actions = &referred->actions;
	size_t action = next->action, comment = next->comment;
	bool is_read = notice->used != 0;

	*place = 0;
	if (notice->action != 0 && action < actions->count) {
		is_read = actions->actions[action].id == notice->action;
		*place = action;
		next->action += is_read;
	} else if (notice->comment.article != 0 && comment < comments->count) {
		is_read = is_same(
		    comments->rows[comment].comment.post.id, notice->comment);
		*place = comment;
		next->comment += is_read;
	}
	return is_read;
}

/* The row of a notice that is not of a comment. */
static struct inbox_row
row_of(struct page *page, const struct notice *notice,
    const struct referred *referred, size_t place)
{
	return notice->used != 0
	    ? use_row(page, notice)
	    : action_row(page, notice, &referred->actions.actions[place],
		  &referred->articles[place]);
}

/* The comments of a page, and the notice of each that is shown. */
struct comment_source {
	const struct comment_rows *rows;
	const struct notice **notices;
};

static void
add_comment_key(struct page *page, const void *of, size_t i, struct buffer *key)
{
	const struct comment_source *source = of;
	const struct notice *notice = source->notices[i];
	const uint64_t parts[] = { notice->number, notice->reason,
		is_unread(page, notice) };

	buffer_add_varints(key, parts, sizeof(parts) / sizeof(parts[0]));
	comment_rows_add_key(page, source->rows, i, key);
}

static struct inbox_comment
comment_item(struct page *page, const struct comment_source *source, size_t i)
{
	const struct notice *notice = source->notices[i];
	const struct post *post = &source->rows->bodies[i].post;

	return (struct inbox_comment){
		.html = comment_rows_render(page, source->rows, i).html,
		.number = notice->number,
		.why = message_notice(notice->reason),
		.is_unread = is_unread(page, notice),
		.id = format_post(page->arena, post->id),
		.author = post->removed == 0 ? post->author.name : TEXT("")
	};
}

static struct text
join_comments(struct page *page, const void *of, size_t first, size_t last)
{
	struct inbox_comment *items =
	    arena_new(page->arena, struct inbox_comment, last - first);
	const struct inbox_comments_model model = { .items = {
							items, last - first } };

	for (size_t i = first; i < last; i++)
		items[i - first] = comment_item(page, of, i);
	return views_part(
	    page->app->views, page->arena, &inbox_comments_view, &model)
	    .text;
}

/* The row of the comments from first on, before last. */
static struct inbox_row
comments_row(struct page *page, const struct comment_source *source,
    size_t first, size_t last)
{
	const struct piece_rows rows = { .add_key = add_comment_key,
		.render = join_comments,
		.source = source,
		.is_cached = comment_rows_are_cached(page),
		.size = PIECE_COMMENTS };

	return (struct inbox_row){ .has_comments = true,
		.pieces = pieces_of(page, &rows, first, last) };
}

/* Adds the notices of what was read; the rows say which comments are shown, and with them the
 * others that stand between. */
static void
add_notices(struct page *page, const struct notice *notices, size_t count,
    const struct referred *referred, const struct comment_rows *rows,
    struct inbox_model *model)
{
	struct arena *arena = page->arena;
	struct inbox_row *items = arena_new(arena, struct inbox_row, 2 * count);
	struct comment_source source = { rows,
		arena_new(
		    arena, const struct notice *, referred->comments.count) };
	struct referred_next next = { .comment = 0 };
	size_t place, used = 0, first = rows->first, last = rows->first;

	for (size_t i = 0; i < count && !page_is_head(page); i++) {
		bool is_shown = next.comment >= rows->first &&
		    (next.comment < rows->end || rows->next == 0);

		if (!take_next(referred, &notices[i], &next, &place) ||
		    !is_shown)
			continue;
		if (notices[i].comment.article != 0) {
			source.notices[place] = &notices[i];
			last = place + 1;
			continue;
		}
		if (last > first)
			items[used++] =
			    comments_row(page, &source, first, last);
		first = last;
		items[used++] = row_of(page, &notices[i], referred, place);
	}
	if (last > first)
		items[used++] = comments_row(page, &source, first, last);
	model->items = (struct mustache_list){ items, used };
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

/* The comments that notices refer to. */
static size_t
comments_of(struct arena *arena, const struct notice *notices, size_t count,
    struct post_id **ids)
{
	size_t used = 0;

	*ids = arena_new(arena, struct post_id, count);
	for (size_t i = 0; i < count; i++)
		if (notices[i].comment.article != 0)
			(*ids)[used++] = notices[i].comment;
	return used;
}

/* For the feed. */
static enum store_result
read_comments(struct page *page, const struct notice *notices, size_t count,
    struct comments_page *comments)
{
	const struct hidden_filter *filter;
	struct post_id *ids;
	size_t used = comments_of(page->arena, notices, count, &ids);

	*comments = (struct comments_page){ .now = page->now };
	if (page_hidden(page, &filter) != STORE_OK ||
	    comments_get(page->store, page->arena, ids, used, page->viewer.id,
		comments) != STORE_OK)
		return STORE_DOWN;
	comments_hide(comments, filter);
	return STORE_OK;
}

/* For the page, with their texts; as comment_rows_read. */
static enum store_result
read_comment_rows(struct page *page, const struct notice *notices, size_t count,
    struct comments_page *comments, struct comment_rows *rows, bool *is_there)
{
	const struct hidden_filter *filter;
	struct post_id *ids;
	size_t used = comments_of(page->arena, notices, count, &ids);

	*comments = (struct comments_page){ .now = page->now };
	if (page->versions == NULL || page_hidden(page, &filter) != STORE_OK ||
	    comments_find(page->store, page->arena, page->app->read_cache,
		page->versions, ids, used, comments) != STORE_OK)
		return STORE_DOWN;
	return comment_rows_read(
	    page, comments, filter, page->from, rows, is_there);
}

/* Reads the article of each action, also one that was removed. */
static enum store_result
read_articles(struct page *page, struct referred *referred)
{
	const struct mod_log_page *actions = &referred->actions;
	struct pipeline pipeline =
	    pipeline_begin(page->store->redis, page->arena);

	referred->articles =
	    arena_new(page->arena, struct article, actions->count);
	for (size_t i = 0; i < actions->count; i++)
		schema_ask(&pipeline, &article_schema, SCHEMA_BRIEF,
		    key_post(page->arena, &page->store->buckets,
			article_id(actions->actions[i].article)));
	if (actions->count > 0 &&
	    store_run_partial(page->store, &pipeline, &page->is_partial) !=
		STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < actions->count; i++)
		(void)schema_read(&article_schema, SCHEMA_BRIEF,
		    &pipeline.replies[i], &referred->articles[i]);
	return STORE_OK;
}

static enum store_result
read_actions(struct page *page, const struct notice *notices, size_t count,
    struct referred *referred)
{
	uint64_t *ids = arena_new(page->arena, uint64_t, count);
	size_t used = 0;

	for (size_t i = 0; i < count; i++)
		if (notices[i].action != 0)
			ids[used++] = notices[i].action;
	if (used == 0)
		return STORE_OK;
	if (mod_log_get(page->store, page->arena, ids, used,
		&referred->actions) != STORE_OK)
		return STORE_DOWN;
	return read_articles(page, referred);
}

/* An entry of the feed, of what is still there. */
static struct feed_notice
feed_notice_of(struct page *page, const struct notice *notice,
    const struct referred *referred, size_t place)
{
	struct feed_notice entry = { .number = notice->number };
	struct inbox_row row;

	if (notice->comment.article != 0) {
		entry.comment = &referred->comments.rows[place];
		return entry;
	}
	row = row_of(page, notice, referred, place);
	entry.title = row.why;
	entry.path = text_format(
	    page->arena, "/inbox/%llu", (unsigned long long)notice->number);
	entry.text = notice->used != 0 ? row.use : row.reason;
	entry.author = row.by;
	entry.at = notice->used != 0 ? notice->used
				     : referred->actions.actions[place].at;
	return entry;
}

/* For the feed: of the newest notices those of what is still there. */
static enum store_result
read_newest(struct page *page, struct feed_notices *entries)
{
	struct referred referred = { .articles = NULL };
	struct referred_next next = { .comment = 0 };
	struct notice *notices;
	size_t got, place;
	uint64_t total;
	enum store_result result = inbox_read(page->store, page->arena,
	    page->viewer.id, 0, NOTICES_FEED, &notices, &got, &total);

	if (result == STORE_OK)
		result = read_comments(page, notices, got, &referred.comments);
	if (result == STORE_OK)
		result = read_actions(page, notices, got, &referred);
	if (result != STORE_OK)
		return result;
	entries->items = arena_new(page->arena, struct feed_notice, got);
	entries->is_partial =
	    referred.comments.is_partial || referred.actions.is_partial;
	for (size_t i = 0; i < got; i++) {
		if (!take_next(&referred, &notices[i], &next, &place) ||
		    (notices[i].comment.article != 0 &&
			referred.comments.rows[place].comment.post.removed !=
			    0))
			continue;
		entries->items[entries->count++] =
		    feed_notice_of(page, &notices[i], &referred, place);
	}
	return STORE_OK;
}

enum http_status
inbox_feed(struct page *page)
{
	return feed_show_inbox(page, read_newest);
}

/* Those of recovery codes. */
static size_t
count_uses(const struct notice *notices, size_t count)
{
	size_t uses = 0;

	for (size_t i = 0; i < count; i++)
		uses += notices[i].used != 0;
	return uses;
}

enum http_status
inbox_page(struct page *page)
{
	struct inbox_model model = { .until = 0 };
	struct referred referred = { .articles = NULL };
	struct comments_page *comments = &referred.comments;
	struct pager_part part;
	struct comment_rows rows;
	struct notice *notices;
	uint64_t number = page->number, total;
	size_t got, missing;
	bool is_there = false;

	if (inbox_read(page->store, page->arena, page->viewer.id,
		(number - 1) * NOTICES_PAGE, NOTICES_PAGE, &notices, &got,
		&total) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	if (got == 0 && number > 1)
		return page_past_end(page, TEXT("/inbox"),
		    (total + NOTICES_PAGE - 1) / NOTICES_PAGE);
	if (read_comment_rows(page, notices, got, comments, &rows, &is_there) !=
		STORE_OK ||
	    read_actions(page, notices, got, &referred) != STORE_OK ||
	    page_read_saved(page) != STORE_OK ||
	    (number == 1 && add_muted(page, &model) != STORE_OK))
		return page_failed(page, STORE_DOWN);
	page->reader.mutes_threads = true;
	if (!is_there)
		return page_refuse(page, REASON_NO_PAGE);
	add_notices(page, notices, got, &referred, &rows, &model);
	model.empty = got == 0;
	model.partial = comments->is_partial || referred.actions.is_partial;
	missing = got - count_uses(notices, got) - comments->count -
	    comments->hidden - referred.actions.count;
	if (!model.partial && missing > 0)
		model.missing = message_count(
		    page->arena, MESSAGE_HIDDEN_NOTICES, (int64_t)missing);
	if (comments->hidden > 0)
		model.hidden = message_count(page->arena, MESSAGE_HIDDEN_POSTS,
		    (int64_t)comments->hidden);
	model.until = (uint64_t)page->viewer.notified;
	model.has_unread = user_unread(&page->viewer) > 0;
	part = (struct pager_part){ number, page->from, rows.next,
		number * NOTICES_PAGE < total };
	model.pager = pager_part_model_of(page->arena, TEXT("/inbox"), &part);
	return page_show(page, HTTP_OK, &inbox_view, &model);
}

/* Finds where a notice leads: to its comment, to what an action was done to, to the recovery
 * codes, or nowhere else than to the inbox. */
static enum store_result
find_target(struct page *page, const struct notice *notice, struct text *target)
{
	struct mod_log_page log = { .count = 0 };
	enum store_result result;

	*target = notice->used != 0 ? TEXT("/settings/codes") : TEXT("/inbox");
	if (notice->used != 0)
		return STORE_OK;
	if (notice->action == 0) {
		*target = format_post_path(page->arena, notice->comment);
		return STORE_OK;
	}
	result =
	    mod_log_get(page->store, page->arena, &notice->action, 1, &log);
	if (result == STORE_OK && log.count == 0 && log.is_partial)
		return STORE_DOWN;
	if (result == STORE_OK && log.count > 0) {
		struct text path = object_path(page->arena, &log.actions[0]);

		*target = path.size > 0 ? path : *target;
	}
	return result;
}

/* Follows a notice, which is read then. */
enum http_status
inbox_notice_page(struct page *page)
{
	uint64_t number;
	struct notice notice;
	struct text target;
	enum store_result result;

	if (!pairs_get_id(&page->request->path_values, TEXT("number"), &number))
		return HTTP_NOT_FOUND;
	result = inbox_find(
	    page->store, page->arena, page->viewer.id, number, &notice);
	if (result == STORE_OK)
		result = find_target(page, &notice, &target);
	if (result == STORE_OK && page_is_read(page) &&
	    is_unread(page, &notice))
		result = inbox_mark_notice_read(
		    page->store, page->arena, page->viewer.id, number);
	return result == STORE_OK ? page_redirect(page, target)
				  : page_failed(page, result);
}

/* Marks one notice as read, "number"; or all up to "until": notices that came after the page was
 * shown stay unread. */
enum http_status
inbox_read_action(struct page *page)
{
	uint64_t until;

	if (pairs_get_id(page_sent(page), TEXT("number"), &until))
		return page_finish(page,
		    inbox_mark_notice_read(
			page->store, page->arena, page->viewer.id, until),
		    TEXT("/inbox"));
	if (!pairs_get_id(page_sent(page), TEXT("until"), &until))
		return HTTP_BAD_REQUEST;
	return page_finish(page,
	    inbox_mark_read(page->store, page->arena, page->viewer.id, until),
	    TEXT("/inbox"));
}

/* After muting: a member may mute so many threads. */
static enum http_status
finish_muting(struct page *page, uint64_t article, enum store_result result)
{
	return result == STORE_FULL
	    ? page_refuse(page, REASON_MUTES_FULL)
	    : page_finish(page, result, page_article_path(page, article));
}

enum http_status
inbox_mute_post(struct page *page, struct post_id id)
{
	struct found_post found;
	enum store_result result = path_get_post(page, id, &found);

	if (result == STORE_OK)
		result = inbox_mute(
		    page->store, page->arena, page->viewer.id, id.article);
	return finish_muting(page, id.article, result);
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
	return finish_muting(page, id, result);
}
