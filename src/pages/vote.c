#include "views/vote.h"
#include "pages/path.h"
#include "views/format.h"

/* "#comment-3", the element of a post on the page at path; in lists of comments on several
 * articles "#comment-7-3". */
static struct text
anchor_of(struct arena *arena, struct text path, struct post_id id)
{
	unsigned long long article = id.article, comment = id.comment;

	if (comment == 0)
		return text_format(arena, "#article-%llu", article);
	return text_starts(path, TEXT("/articles/"))
	    ? text_format(arena, "#comment-%llu", comment)
	    : text_format(arena, "#comment-%llu-%llu", article, comment);
}

/* "vote=up" with the post in the path, or as vote_request_parse has it. */
static enum http_status
parse_vote(const struct page *page, struct vote_request *vote)
{
	const struct pairs *sent = page_sent(page);

	if (!pairs_has(&page->request->path_values, TEXT("id")))
		return vote_request_parse(sent, vote);
	if (!path_post_id(page, &vote->post))
		return HTTP_NOT_FOUND;
	return vote_parse(pairs_get(sent, TEXT("vote")), &vote->vote)
	    ? HTTP_OK
	    : HTTP_BAD_REQUEST;
}

enum http_status
vote_prepare(struct page *page)
{
	struct vote_request vote = { .post.article = 0 };
	enum http_status status = parse_vote(page, &vote);

	if (status == HTTP_OK)
		page->vote = vote;
	return status;
}

/* Back to the page that the vote was sent from, at the post. */
static enum http_status
go_back_to_post(struct page *page)
{
	struct text back = page_return_to(
	    page, format_post_path(page->arena, page->vote.post));
	struct text path;

	text_cut(&back, '#', &path);
	return page_redirect(page,
	    text_join(page->arena, path,
		anchor_of(page->arena, path, page->vote.post)));
}

/* The error page names the noun that was voted on. */
static enum http_status
vote_failed(struct page *page, enum store_result result)
{
	static const enum reason of_comments[] = {
		[STORE_REMOVED] = REASON_COMMENT_GONE,
		[STORE_CLOSED] = REASON_COMMENT_CLOSED,
		[STORE_OWN] = REASON_OWN_COMMENT,
		[STORE_VOIDED] = REASON_COMMENT_VOIDED,
		[STORE_DOWN] = REASON_DEFAULT,
	};

	return page->vote.post.comment != 0 &&
		of_comments[result] != REASON_DEFAULT
	    ? page_refuse(page, of_comments[result])
	    : page_failed(page, result);
}

static enum http_status
refuse_new_member(struct page *page)
{
	return page_refuse_for(page, REASON_VOTES_LATER, page->reader.waits);
}

/* Why the viewer cannot vote on a post, as post_vote would say. */
static enum store_result
check_post(const struct page *page, const struct post *post, int64_t now)
{
	if (post->removed != 0)
		return STORE_REMOVED;
	if (page_is_author(page, post))
		return STORE_OWN;
	return post_is_open(post, now) ? STORE_OK : STORE_CLOSED;
}

/* Asks a reader who has just logged in to confirm the vote. */
enum http_status
vote_form(struct page *page, enum http_status status)
{
	struct vote_model model = { .is_up = page->vote.vote == VOTE_UP,
		.is_down = page->vote.vote == VOTE_DOWN };
	const struct post_id id = page->vote.post;
	enum store_result result;
	struct found_post found;
	const struct post *post;

	if (status != HTTP_OK)
		return status;
	if (page->reader.waits.size > 0)
		return refuse_new_member(page);
	result = path_get_post(page, id, &found);
	post = id.comment == 0 || found.article.post.removed != 0
	    ? &found.article.post
	    : &found.comment.post;
	if (result == STORE_OK)
		result = check_post(page, post, found.now);
	if (result != STORE_OK)
		return vote_failed(page, result);
	if (post->vote == page->vote.vote)
		return go_back_to_post(page);
	model.title = found.article.title;
	model.path = format_post_path(page->arena, id);
	model.id = format_post(page->arena, id);
	model.return_to = page_return_to(page, model.path);
	if (id.comment != 0)
		model.author = post->author.name;
	return page_show(page, HTTP_OK, &vote_view, &model);
}

enum http_status
vote_action(struct page *page)
{
	const struct vote_request *vote = &page->vote;
	enum store_result result;

	if (page->reader.waits.size > 0)
		return refuse_new_member(page);
	result = post_vote(
	    page->store, page->arena, vote->post, page->viewer.id, vote->vote);
	return result == STORE_OK ? go_back_to_post(page)
				  : vote_failed(page, result);
}
