#include "views/vote.h"
#include "pages/inbox.h"
#include "pages/path.h"
#include "store/newcomer.h"
#include "store/vote.h"
#include "views/format.h"

/* "vote=up" with the post in the path, or as post_request_parse has it. */
static enum http_status
parse_request(const struct page *page, struct post_request *asked)
{
	const struct pairs *sent = page_sent(page);
	enum vote vote;

	if (!pairs_has(&page->request->path_values, TEXT("id")))
		return post_request_parse(sent, asked);
	if (!path_post_id(page, &asked->post))
		return HTTP_NOT_FOUND;
	if (!vote_parse(pairs_get(sent, TEXT("vote")), &vote))
		return HTTP_BAD_REQUEST;
	asked->wish = (enum post_wish)vote;
	return HTTP_OK;
}

enum http_status
vote_prepare(struct page *page)
{
	struct post_request asked = { .post.article = 0 };
	enum http_status status = parse_request(page, &asked);

	if (status == HTTP_OK)
		page->asked = asked;
	return status;
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

	return page->asked.post.comment != 0 &&
		of_comments[result] != REASON_DEFAULT
	    ? page_refuse(page, of_comments[result])
	    : page_failed(page, result);
}

static enum http_status
refuse_new_member(struct page *page)
{
	return page_refuse_for(page, REASON_VOTES_LATER, page->reader.waits);
}

/* Why the viewer cannot vote on a post, as vote_cast would say. */
static enum store_result
check_post(const struct page *page, const struct post *post, int64_t now)
{
	if (post->removed != 0)
		return STORE_REMOVED;
	if (page_is_author(page, post))
		return STORE_OWN;
	return post_is_open(post, now) ? STORE_OK : STORE_CLOSED;
}

/* Whether the viewer may do with a post what is asked. */
static enum store_result
check_request(const struct page *page, const struct found_post *found)
{
	const struct post *post = &found->article.post;

	if (page->asked.post.comment != 0 && post->removed == 0)
		post = &found->comment.post;
	if (post_request_is_vote(&page->asked))
		return check_post(page, post, found->now);
	return post->removed != 0 ? STORE_REMOVED : STORE_OK;
}

/* Whether the vote that is asked for is the viewer's. */
static bool
is_cast(const struct page *page, const struct found_post *found)
{
	const struct post *post = page->asked.post.comment == 0
	    ? &found->article.post
	    : &found->comment.post;

	return post_request_is_vote(&page->asked) &&
	    (enum post_wish)post->vote == page->asked.wish;
}

static enum http_status
show_form(struct page *page, const struct found_post *found)
{
	const struct post_request *asked = &page->asked;
	struct vote_model model = { .title = found->article.title,
		.path = format_post_path(page->arena, asked->post),
		.id = format_post(page->arena, asked->post),
		.is_vote = post_request_is_vote(asked),
		.is_up = asked->wish == WISH_UP,
		.is_down = asked->wish == WISH_DOWN,
		.is_undo = asked->wish == WISH_NO_VOTE,
		.is_save = asked->wish == WISH_SAVED,
		.is_unsave = asked->wish == WISH_UNSAVED,
		.is_hide = asked->wish == WISH_HIDDEN,
		.is_unhide = asked->wish == WISH_SHOWN,
		.is_hide_author = asked->wish == WISH_AUTHOR_HIDDEN,
		.is_mute = asked->wish == WISH_MUTED };

	model.return_to = page_return_to(page, model.path);
	if (asked->post.comment != 0)
		model.author = found->comment.post.author.name;
	return page_show(page, HTTP_OK, &vote_view, &model);
}

/* Asks a reader who has just logged in to confirm the vote, or what else a button asked. */
enum http_status
vote_form(struct page *page, enum http_status status)
{
	enum store_result result;
	struct found_post found;

	if (status != HTTP_OK)
		return status;
	if (page->reader.waits.size > 0 && post_request_is_vote(&page->asked))
		return refuse_new_member(page);
	result = path_get_post(page, page->asked.post, &found);
	if (result == STORE_OK)
		result = check_request(page, &found);
	if (result != STORE_OK)
		return vote_failed(page, result);
	return is_cast(page, &found)
	    ? page_return_to_post(page, page->asked.post)
	    : show_form(page, &found);
}

/* Whatever was hidden can be shown again. */
static enum http_status
set_hidden(struct page *page)
{
	const struct post_request *asked = &page->asked;
	const struct hidden_rule what = { .kind = HIDDEN_ARTICLE,
		.id = asked->post.article };
	enum store_result result = STORE_OK;
	struct found_post found;

	if (asked->wish == WISH_HIDDEN) {
		result = path_get_post(page, asked->post, &found);
		if (result == STORE_OK)
			result = check_request(page, &found);
	}
	if (result == STORE_OK)
		result = asked->wish == WISH_HIDDEN
		    ? hidden_add(
			  page->store, page->arena, page->viewer.id, &what)
		    : hidden_remove(
			  page->store, page->arena, page->viewer.id, &what);
	if (result == STORE_FULL)
		return page_refuse(page, REASON_HIDDEN_FULL);
	return result == STORE_OK ? page_return_to_post(page, asked->post)
				  : page_failed(page, result);
}

/* Hides the author of a comment, and with them all that they post. */
static enum http_status
hide_author(struct page *page)
{
	struct hidden_rule what = { .kind = HIDDEN_MEMBER };
	struct found_post found;
	enum store_result result =
	    path_get_post(page, page->asked.post, &found);

	/* A removed comment names its author to nobody. */
	if (result == STORE_OK)
		result = check_request(page, &found);
	if (result != STORE_OK)
		return vote_failed(page, result);
	if (page_is_author(page, &found.comment.post))
		return page_refuse(page, REASON_HIDE_OWN);
	what.id = found.comment.post.author.id;
	result = hidden_add(page->store, page->arena, page->viewer.id, &what);
	if (result == STORE_FULL)
		return page_refuse(page, REASON_HIDDEN_FULL);
	return page_finish(
	    page, result, format_post_path(page->arena, page->asked.post));
}

enum http_status
vote_action(struct page *page)
{
	const struct post_request *asked = &page->asked;
	enum store_result result;

	if (post_request_is_hiding(asked))
		return set_hidden(page);
	if (asked->wish == WISH_AUTHOR_HIDDEN)
		return hide_author(page);
	if (asked->wish == WISH_MUTED)
		return inbox_mute_post(page, asked->post);
	if (!post_request_is_vote(asked))
		return saved_action(page);
	if (page->reader.waits.size > 0)
		return refuse_new_member(page);
	result =
	    vote_cast(page->store, page->arena, asked->post, page->viewer.id,
		newcomer_is(&page->viewer) ? VOTER_NEWCOMER : VOTER_SETTLED,
		(enum vote)asked->wish, page->now);
	return result == STORE_OK ? page_return_to_post(page, asked->post)
				  : vote_failed(page, result);
}
