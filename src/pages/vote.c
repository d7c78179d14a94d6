#include "views/vote.h"
#include "pages/ballot.h"
#include "store/article.h"

/* To where the vote was cast, at the article. */
static enum http_status
go_back(struct page *page, const struct ballot *ballot)
{
	struct text back =
	    page_return_to(page, page_article_path(page, ballot->article));
	struct text path;

	text_cut(&back, '#', &path);
	return page_redirect(page,
	    text_format(page->arena, "%.*s#article-%llu", TEXT_ARGS(path),
		(unsigned long long)ballot->article));
}

/* A new member may have to wait. */
static enum http_status
check_wait(struct page *page)
{
	struct text wait = page_vote_wait(page);

	return wait.size == 0 ? HTTP_OK
			      : page_refuse_for(page, REASON_VOTES_LATER, wait);
}

/* The page that asks for the vote, after its caster has logged in. */
enum http_status
vote_form(struct page *page, enum http_status status)
{
	struct vote_model model;
	struct article article;
	enum store_result result;
	struct ballot ballot;
	int64_t now;

	if (status != HTTP_OK)
		return status;
	status = ballot_read(page, &ballot);
	if (status == HTTP_OK)
		status = check_wait(page);
	if (status != HTTP_OK)
		return status;
	result = article_get(page->store, page->arena, ballot.article,
	    page->viewer.id, &article, &now);
	if (result == STORE_OK && article.post.removed != 0)
		result = STORE_REMOVED;
	if (result == STORE_OK && article.post.author.id == page->viewer.id)
		result = STORE_OWN;
	if (result == STORE_OK && !post_is_open(&article.post, now))
		result = STORE_CLOSED;
	if (result != STORE_OK)
		return page_failed(page, result);
	if (article.post.vote == ballot.vote)
		return go_back(page, &ballot);
	model = (struct vote_model){ .id = ballot.article,
		.title = article.title,
		.return_to = page_return_to(
		    page, page_article_path(page, ballot.article)),
		.is_up = ballot.vote == VOTE_UP,
		.is_down = ballot.vote == VOTE_DOWN };
	return page_show(page, HTTP_OK, &vote_view, &model);
}

enum http_status
vote_action(struct page *page)
{
	enum store_result result;
	struct ballot ballot;
	enum http_status status = ballot_read(page, &ballot);

	if (status == HTTP_OK)
		status = check_wait(page);
	if (status != HTTP_OK)
		return status;
	result = post_vote(page->store, page->arena, article_id(ballot.article),
	    page->viewer.id, ballot.vote);
	if (result != STORE_OK)
		return page_failed(page, result);
	return go_back(page, &ballot);
}
