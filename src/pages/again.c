/* The button with which a moderator gives an article a second chance (store/article.h). */
#include "pages/mod_form.h"
#include "pages/path.h"
#include "store/article.h"
#include "views/messages.h"

/* Checks that the viewer may do it, and sets what is logged of it. */
static enum http_status
read_again_action(struct page *page, struct mod_action *action)
{
	struct post post;
	bool alone = false;
	enum http_status status = mod_form_read(page, action);

	if (status == HTTP_OK)
		status = path_post(page, &post);
	if (status == HTTP_OK)
		status = mod_form_check_post(page, &post, 0, &alone);
	if (status != HTTP_OK)
		return status;
	action->what = mod_action_words[MOD_AGAIN];
	action->article = post.id.article;
	action->member = post.author;
	if (alone)
		action->subject = MOD_ACTION_ALONE;
	return HTTP_OK;
}

enum http_status
again_action(struct page *page)
{
	struct mod_action action;
	enum store_result result;
	enum http_status status = read_again_action(page, &action);

	if (status != HTTP_OK)
		return status;
	if (page->settings->overlooked.size > 0)
		return page_refuse(page, REASON_AGAIN);
	result = article_show_again(
	    page->store, page->arena, action.article, &action);
	return result == STORE_CLOSED || result == STORE_TAKEN
	    ? page_refuse(page, REASON_AGAIN)
	    : page_finish(
		  page, result, page_article_path(page, action.article));
}
