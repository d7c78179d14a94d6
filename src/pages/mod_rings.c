#include "views/mod_rings.h"
#include "lists/vote_rings.h"
#include "pages/contain.h"
#include "pages/mod_form.h"
#include "views/messages.h"

enum http_status
mod_rings_page(struct page *page)
{
	struct vote_rings_figures *figures;
	struct mod_rings_model model;
	enum http_status status;
	bool is_awaited;
	enum store_result result = vote_rings_get(page->app->rings, page->store,
	    page->arena, page->app->background, &figures, &is_awaited);

	if (result == STORE_LIMITED)
		return page_refuse(page, REASON_BUSY);
	if (result != STORE_OK)
		return page_failed(page, result);
	model = mod_rings_model_of(page->arena, figures, is_awaited);
	status = page_show(page, HTTP_OK, &mod_rings_view, &model);
	vote_rings_release(figures);
	return status;
}

typedef enum store_result act_on_member(
    struct page *page, const struct user *user, struct mod_decision *decision);

/* Suspends a member who is not suspended permanently already. */
static enum store_result
suspend(
    struct page *page, const struct user *user, struct mod_decision *decision)
{
	return user_is_suspended_forever(user)
	    ? STORE_OK
	    : contain_suspend(page, user, decision);
}

/* STORE_OWN when the viewer may not act on the member. */
static enum store_result
act_on_name(struct page *page, struct text name, act_on_member *act,
    struct mod_decision *decision)
{
	struct user user;
	enum store_result result =
	    user_find(page->store, page->arena, name, &user);

	if (result == STORE_OK && !mod_form_may_act_on(page, &user))
		return STORE_OWN;
	return result == STORE_OK ? act(page, &user, decision) : result;
}

/* What was done stays, and the others are named. */
static enum http_status
act_on_all(struct page *page, struct text names, act_on_member *act,
    struct mod_decision *decision)
{
	struct text name, left = TEXT("");
	int64_t done = 0;

	while (text_next_word(&names, &name)) {
		enum store_result result =
		    act_on_name(page, name, act, decision);

		if (result == STORE_DOWN)
			return page_failed(page, result);
		if (result == STORE_OK)
			done++;
		else
			left = left.size == 0
			    ? name
			    : message_list(page->arena, left, name);
	}
	if (left.size == 0)
		return page_redirect(page, TEXT("/moderation/rings"));
	return page_refuse_for(page, REASON_PARTLY_DONE,
	    message_partly_done(page->arena, done, left));
}

/* The form of a ring names as many at most. */
static bool
has_too_many(struct text names)
{
	struct text name;
	int count = 0;

	while (text_next_word(&names, &name))
		count++;
	return count > MOD_RINGS_MEMBERS_MAX;
}

/* The same act on all members of a ring, with one reason and one entry in the log. */
enum http_status
mod_rings_members_action(struct page *page)
{
	struct text word = mod_form_choice(page, TEXT(""));
	struct text names = pairs_get(page_sent(page), TEXT("members"));
	bool suspends = text_equal(word, TEXT("suspend"));
	struct mod_decision decision;
	enum http_status status = mod_form_read(page, &decision.entry);

	if (status == HTTP_OK && !suspends && !text_equal(word, TEXT("void")))
		status = HTTP_BAD_REQUEST;
	if (status == HTTP_OK && has_too_many(names))
		status = page_refuse(page, REASON_TOO_MANY_MEMBERS);
	if (status != HTTP_OK)
		return status;
	decision.entry.what =
	    mod_action_words[suspends ? MOD_SUSPENDED : MOD_VOIDED];
	return act_on_all(
	    page, names, suspends ? suspend : contain_void_votes, &decision);
}
