/* The page of one comment: what it answers, its replies, and what the viewer may do. */
#include "base/arena.h"
#include "lists/mod_queue.h"
#include "markup/markup.h"
#include "pages/etag.h"
#include "pages/mod_form.h"
#include "pages/path.h"
#include "pages/thread.h"
#include "views/comment_page.h"
#include "views/format.h"
#include "views/messages.h"
#include "views/mod_queue.h"

enum { SUMMARY_MAX = 200 };

/* The comment of the path, unless its article was removed. */
static enum http_status
find_comment(struct page *page, struct found_post *found)
{
	enum http_status status = path_read_post(page, found);

	return status == HTTP_OK && found->article.post.removed != 0
	    ? page_refuse_removed(page, &found->article.post)
	    : status;
}

/* Adds what the viewer may do as author, as member and as moderator. */
static enum store_result
add_rights(struct page *page, const struct found_post *found,
    struct comment_page_model *model)
{
	const struct post *post = &found->comment.post;
	bool is_member = page_is_signed_in(page);
	struct mod_queue_flags flags[FLAG_KINDS];
	enum flag flag = FLAG_NONE;
	enum store_result result;
	size_t count;

	model->is_own = page_is_author(page, post);
	model->may_delete = model->is_own && !model->is_removed;
	model->may_edit = model->may_delete && !model->held &&
	    article_takes_comments(
		&page->store->rules, &found->article, found->now);
	model->may_flag =
	    is_member && !model->is_own && !model->is_removed && !model->held;
	result = model->may_flag ? flag_get(page->store, page->arena, post->id,
				       page->viewer.id, &flag)
				 : STORE_OK;
	model->flag = message_flag(flag);
	if (model->may_flag && model->flag.size == 0)
		model->reasons = mod_queue_choices(page->arena);
	if (result != STORE_OK || !page_is_moderator(page))
		return result;
	model->may_moderate = true;
	result = mod_queue_read_flags(
	    page->store, page->arena, post->id, flags, &count);
	if (result == STORE_OK)
		model->flags = mod_queue_flags_rows(page->arena, flags, count);
	model->is_queued = (count > 0 && !model->is_removed) || model->held;
	if (result == STORE_OK && model->is_queued)
		mod_form_note_looking(page, post->id, &model->looking);
	return result;
}

static void
describe_comment(struct page *page, const struct found_post *found,
    struct comment_page_model *model)
{
	const struct comment *comment = &found->comment;
	const struct post *post = &comment->post;
	struct arena *arena = page->arena;
	bool may_see = page_is_moderator(page) || page_is_author(page, post);

	model->article = post->id.article;
	model->number = post->id.comment;
	model->title = found->article.title;
	model->document = format_short(arena, found->article.title);
	model->posted_iso = format_iso(arena, post->posted);
	model->posted_moment = format_moment(arena, post->posted);
	model->held = post_is_waiting(post);
	model->is_removed = post->removed != 0 && !model->held;
	model->withdrawn = post_is_withdrawn(post);
	model->is_voting = post->voters_known && post_is_open(post, found->now);
	model->removed_by = post->removed_by.name;
	model->ruling = post->mod_note;
	if (!model->is_removed) {
		model->author = post->author.name;
		if (!page_is_head(page))
			model->summary =
			    markup_plain(arena, comment->text, SUMMARY_MAX);
	}
	if (post->removed != 0 && may_see && comment->text.size > 0) {
		model->removed_text.text =
		    page_markdown_whole(page, comment->text, comment->links);
	}
}

/* A removed comment without replies has a page only for its author and moderators; with
 * replies, which can still be read, for all. */
static enum http_status
show_comment(struct page *page, struct found_post *found)
{
	struct comment_page_model model = { .article = 0 };
	struct thread_request request;
	enum http_status status;
	bool may_see;

	if (article_is_final(&page->store->rules, &found->article, found->now))
		found->now = FORMAT_DATES;
	describe_comment(page, found, &model);
	request = (struct thread_request){ .article = &found->article,
		.now = found->now,
		.root = model.number,
		.base = format_post_path(page->arena, found->comment.post.id) };
	if (!thread_read_query(page, &request))
		return HTTP_BAD_REQUEST;
	/* The thread has no such comment yet. */
	status =
	    model.held ? HTTP_OK : thread_show(page, &request, &model.thread);
	if (status != HTTP_OK)
		return status;
	if (add_rights(page, found, &model) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	may_see =
	    model.is_own || model.may_moderate || model.thread.has_several;
	if (model.is_removed && !may_see)
		return page_refuse(page, REASON_COMMENT_GONE);
	return page_show(page, model.is_removed ? HTTP_GONE : HTTP_OK,
	    &comment_page_view, &model);
}

enum http_status
comment_page(struct page *page)
{
	struct found_post found;
	enum http_status status;
	struct etag etag;

	if (etag_begin(page, &etag))
		return HTTP_NOT_MODIFIED;
	status = find_comment(page, &found);
	if (status != HTTP_OK)
		return status;
	if (etag_match(page, &etag, &found))
		return HTTP_NOT_MODIFIED;
	status = thread_admit(page, &found);
	if (status == HTTP_OK)
		status = show_comment(page, &found);
	return etag_send(page, &etag, status);
}
