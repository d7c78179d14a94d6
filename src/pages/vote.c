#include "views/vote.h"
#include "pages/vote_request.h"
#include "store/comment.h"
#include "views/format.h"

/* At which element of a page a post stands; in a list of comments of several articles
 * their numbers do not tell them apart. */
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

/* To where the vote was cast, at the post. */
static enum http_status
go_back(struct page *page, const struct vote_request *ballot)
{
	struct text back =
	    page_return_to(page, format_post_path(page->arena, ballot->post));
	struct text path;

	text_cut(&back, '#', &path);
	return page_redirect(page,
	    text_join(
		page->arena, path, anchor_of(page->arena, path, ballot->post)));
}

/* A new member may have to wait. */
static enum http_status
check_wait(struct page *page)
{
	struct text wait = page_vote_wait(page);

	return wait.size == 0 ? HTTP_OK
			      : page_refuse_for(page, REASON_VOTES_LATER, wait);
}

/* The post, as far as it is asked about, and the title of the article. */
static enum store_result
find(struct page *page, struct post_id id, struct post *post,
    struct text *title, int64_t *now)
{
	struct article article;
	struct comment comment;
	enum store_result result = article_get(page->store, page->arena,
	    id.article, page->viewer.id, &article, now);

	if (result != STORE_OK)
		return result;
	*title = article.title;
	*post = article.post;
	if (id.comment == 0 || article.post.removed != 0)
		return STORE_OK;
	result = comment_get(
	    page->store, page->arena, id, page->viewer.id, &comment, now);
	*post = comment.post;
	return result;
}

/* An article that was removed and a comment that is gone are told apart. */
static enum http_status
failed(struct page *page, const struct vote_request *ballot,
    enum store_result result)
{
	return result == STORE_REMOVED && ballot->post.comment != 0
	    ? page_refuse(page, REASON_COMMENT_GONE)
	    : page_failed(page, result);
}

/* The page that asks for the vote, after its caster has logged in. */
enum http_status
vote_form(struct page *page, enum http_status status)
{
	struct vote_model model = { .is_up = false };
	enum store_result result;
	struct vote_request ballot;
	struct post post;
	int64_t now;

	if (status != HTTP_OK)
		return status;
	status = vote_request_read(page, &ballot);
	if (status == HTTP_OK)
		status = check_wait(page);
	if (status != HTTP_OK)
		return status;
	result = find(page, ballot.post, &post, &model.title, &now);
	if (result == STORE_OK && post.removed != 0)
		result = STORE_REMOVED;
	if (result == STORE_OK && post.author.id == page->viewer.id)
		result = STORE_OWN;
	if (result == STORE_OK && !post_is_open(&post, now))
		result = STORE_CLOSED;
	if (result != STORE_OK)
		return failed(page, &ballot, result);
	if (post.vote == ballot.vote)
		return go_back(page, &ballot);
	model.path = format_post_path(page->arena, ballot.post);
	model.id = format_post(page->arena, ballot.post);
	model.return_to = page_return_to(page, model.path);
	model.is_up = ballot.vote == VOTE_UP;
	model.is_down = ballot.vote == VOTE_DOWN;
	if (ballot.post.comment != 0)
		model.author = post.author.name;
	return page_show(page, HTTP_OK, &vote_view, &model);
}

enum http_status
vote_action(struct page *page)
{
	enum store_result result;
	struct vote_request ballot;
	enum http_status status = vote_request_read(page, &ballot);

	if (status == HTTP_OK)
		status = check_wait(page);
	if (status != HTTP_OK)
		return status;
	result = post_vote(page->store, page->arena, ballot.post,
	    page->viewer.id, ballot.vote);
	if (result != STORE_OK)
		return failed(page, &ballot, result);
	return go_back(page, &ballot);
}
