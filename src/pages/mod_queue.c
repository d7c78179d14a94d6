#include "lists/mod_queue.h"
#include "pages/apply.h"
#include "pages/feed.h"
#include "pages/mod_form.h"
#include "pages/path.h"
#include "store/review.h"
#include "store/vote_void.h"
#include "views/format.h"
#include "views/mod_queue.h"

enum http_status
mod_queue_page(struct page *page)
{
	struct mod_queue_model model = { .empty = true };
	struct mod_queue_page queue;
	enum store_result result;
	uint64_t number = page->number;

	if (page_is_feed(page))
		return feed_show_queue(page);
	if (number > MOD_QUEUE_PAGES)
		return page_past_end(
		    page, TEXT("/moderation"), MOD_QUEUE_PAGES);
	result = mod_queue_read(
	    page->store, page->arena, number, page->app->expensive, &queue);
	if (result != STORE_OK)
		return page_list_failed(page, result);
	page->is_partial = queue.is_partial;
	if (queue.count == 0 && number > 1 && !queue.is_partial)
		return page_redirect(page, TEXT("/moderation"));
	if (!page_is_head(page))
		model = mod_queue_model_of(page->arena, &queue,
		    TEXT("/moderation"), number, &page->reader);
	if (number == 1 && apply_add_waiting(page, &model) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	return page_show(page, HTTP_OK, &mod_queue_view, &model);
}

/* Reads an action on the post of the path, and the post. */
static enum http_status
read_action(struct page *page, enum mod_action_kind what,
    struct mod_action *action, struct post *post_out)
{
	struct post post;
	enum http_status status = mod_form_read(page, action);

	if (status == HTTP_OK)
		status = path_post(page, &post);
	if (status != HTTP_OK)
		return status;
	action->what = mod_action_words[what];
	action->article = post.id.article;
	action->comment = post.id.comment;
	action->member = post.author;
	*post_out = post;
	return HTTP_OK;
}

/* The same, and checks that the viewer may take the action. */
static enum http_status
read_post_action(
    struct page *page, enum mod_action_kind what, struct mod_action *action)
{
	bool alone = false;
	struct post post;
	enum http_status status = read_action(page, what, action, &post);

	if (status == HTTP_OK)
		status = mod_form_check_post(page, &post,
		    what == MOD_RESTORED ? post.removed_by.id : 0, &alone);
	if (alone)
		action->subject = MOD_ACTION_ALONE;
	return status;
}

static struct post_id
post_of(const struct mod_action *action)
{
	return (struct post_id){ action->article, action->comment };
}

static enum http_status
finish_action(struct page *page, enum store_result result,
    const struct mod_action *action)
{
	if (result == STORE_TAKEN)
		return page_refuse(page, REASON_LINK_TAKEN);
	return page_finish_on(page, result, post_of(action));
}

typedef enum store_result act_on_post(struct store *store, struct arena *arena,
    struct post_id id, const struct mod_action *action);

static enum http_status
run_post_action(
    struct page *page, enum mod_action_kind what, act_on_post *carry_out)
{
	struct mod_action action;
	enum http_status status = read_post_action(page, what, &action);

	if (status != HTTP_OK)
		return status;
	return finish_action(page,
	    carry_out(page->store, page->arena, post_of(&action), &action),
	    &action);
}

/* "do" is "keep" or "remove" where a form has a button for each. */
static enum http_status
keep_or_remove(struct page *page, struct text otherwise)
{
	struct text word = mod_form_choice(page, otherwise);

	if (text_equal(word, TEXT("remove")))
		return run_post_action(page, MOD_REMOVED, post_remove);
	return text_equal(word, TEXT("keep"))
	    ? run_post_action(page, MOD_DISMISSED, review_keep)
	    : HTTP_BAD_REQUEST;
}

enum http_status
mod_queue_remove_action(struct page *page)
{
	return keep_or_remove(page, TEXT("remove"));
}

enum http_status
mod_queue_dismiss_action(struct page *page)
{
	return keep_or_remove(page, TEXT("keep"));
}

enum http_status
mod_queue_restore_action(struct page *page)
{
	struct mod_action action;
	enum http_status status = read_post_action(page, MOD_RESTORED, &action);
	enum store_result result;

	if (status != HTTP_OK)
		return status;
	result = action.comment != 0 ? comment_restore(page->store, page->arena,
					   post_of(&action), &action)
				     : article_restore(page->store, page->arena,
					   action.article, &action);
	return result == STORE_OWN
	    ? page_refuse(page,
		  action.comment != 0 ? REASON_DELETED_STAYS
				      : REASON_WITHDRAWN_STAYS)
	    : finish_action(page, result, &action);
}

/* Moderators may close threads of their own articles: that takes back nobody's decision. */
static enum http_status
check_thread(struct page *page, const struct post *post, bool opens,
    struct mod_action *action)
{
	bool alone = false;
	enum http_status status;

	if (!opens && page_is_author(page, post))
		return HTTP_OK;
	status = mod_form_check_post(page, post, 0, &alone);
	if (alone)
		action->subject = MOD_ACTION_ALONE;
	return status;
}

/* Opens or closes the article's thread, as "wanted" says. */
enum http_status
mod_queue_thread_action(struct page *page)
{
	struct text word = pairs_get(page_sent(page), TEXT("wanted"));
	bool opens = text_equal(word, TEXT("open"));
	struct mod_action action;
	struct post post;
	enum http_status status = read_action(page,
	    opens ? MOD_THREAD_OPENED : MOD_THREAD_CLOSED, &action, &post);

	if (status == HTTP_OK && !opens && !text_equal(word, TEXT("closed")))
		status = HTTP_BAD_REQUEST;
	if (status == HTTP_OK)
		status = check_thread(page, &post, opens, &action);
	if (status != HTTP_OK)
		return status;
	return finish_action(page,
	    article_set_thread(page->store, page->arena, action.article,
		opens ? ARTICLE_THREAD_OPEN : ARTICLE_THREAD_CLOSED, &action),
	    &action);
}

/* Parses "wanted", "void" or "count": what becomes of the votes. */
static bool
read_wanted(const struct page *page, enum voiding *wanted)
{
	struct text word = pairs_get(page_sent(page), TEXT("wanted"));

	*wanted =
	    text_equal(word, TEXT("count")) ? VOIDING_COUNT : VOIDING_VOID;
	return *wanted == VOIDING_COUNT || text_equal(word, TEXT("void"));
}

/* Votes on a moderator's own posts are for others, also where there is no other moderator. */
static enum http_status
check_voiding(struct page *page, const struct post *post)
{
	bool alone = false;
	enum http_status status = mod_form_check_post(page, post, 0, &alone);

	return alone ? page_refuse(page, REASON_OTHER_MODERATOR) : status;
}

/* The vote of one member on the post of the path. */
enum http_status
mod_queue_void_action(struct page *page)
{
	struct text name = pairs_get(page_sent(page), TEXT("member"));
	enum store_result result;
	enum voiding wanted;
	struct member member;
	struct user user;
	struct mod_action action;
	struct post post;
	enum http_status status = read_action(page, MOD_VOIDED, &action, &post);

	if (status == HTTP_OK && !read_wanted(page, &wanted))
		status = HTTP_BAD_REQUEST;
	if (status == HTTP_OK)
		status = check_voiding(page, &post);
	if (status != HTTP_OK)
		return status;
	result = user_find(page->store, page->arena, text_trim(name), &user);
	if (result == STORE_ABSENT)
		return page_refuse(page, REASON_NO_VOTE);
	if (result != STORE_OK)
		return page_failed(page, result);
	if (!mod_form_may_act_on(page, &user))
		return HTTP_FORBIDDEN;
	member = (struct member){ user.id, user.name };
	result = vote_void_one(page->store, page->arena, post_of(&action),
	    &member, wanted, action);
	return result == STORE_ABSENT || result == STORE_OWN
	    ? page_refuse(page, REASON_NO_VOTE)
	    : finish_action(page, result, &action);
}
