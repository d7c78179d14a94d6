#include "pages/sign_in.h"

#include "base/arena.h"
#include "base/counters.h"
#include "base/url.h"
#include "pages/cookie.h"
#include "store/network.h"
#include "views/format.h"
#include "views/messages.h"

const struct second_factor sign_in_without_factor = { .kind =
							  SECOND_FACTOR_NONE };

struct text
sign_in_purpose(const struct page *page)
{
	struct arena *arena = page->arena;
	struct text back = text_join(arena, TEXT("return_to="),
	    url_encode(arena, page_return_to(page, TEXT("/"))));

	if (page->asked.post.article == 0)
		return back;
	return text_format(arena, "%.*s&%.*s", TEXT_ARGS(back),
	    TEXT_ARGS(post_request_query(arena, &page->asked)));
}

enum http_status
sign_in_go_on(struct page *page)
{
	if (page->asked.post.article == 0)
		return page_redirect(page, page_return_to(page, TEXT("/")));
	return page_redirect(page,
	    text_join(page->arena, TEXT("/vote?"), sign_in_purpose(page)));
}

STORE_CALL
sign_in(struct page *page, const struct user *user,
    const struct second_factor *factor)
{
	struct text cookie;
	enum store_result result =
	    session_start(page->store, page->arena, user->id,
		user->password_hash, factor, page->request->agent, &cookie);

	if (result != STORE_OK)
		return result;
	/* If it cannot be ended, it ends unused: this browser has another cookie now. */
	(void)!session_end(page->store, page->arena, cookie_session(page));
	network_note(
	    page->store, page->arena, user->id, page->request->address);
	cookie_set_session(page, cookie);
	cookie_set_device(page, user);
	counters_add(COUNTER_LOGINS, 1);
	page_event(page,
	    (struct event){ .name = EVENT_LOGGED_IN, .member = user->id });
	return result;
}

static enum http_status
refuse_suspended(struct page *page, const struct user *user)
{
	struct text until = user_is_suspended_forever(user)
	    ? TEXT("")
	    : format_moment(page->arena, user->suspended);

	return page_refuse_for(page, REASON_SUSPENDED,
	    message_suspended(page->arena, until, user->suspension));
}

enum http_status
sign_in_finish(
    struct page *page, const struct user *user, enum store_result result)
{
	/* The proof contains a moment, which is not known without Redis. */
	if (result == STORE_FACTOR && page->versions == NULL)
		result = STORE_DOWN;
	if (result == STORE_FACTOR) {
		cookie_set_login(page, user);
		return page_redirect(page,
		    text_join(page->arena, TEXT("/login/code?"),
			sign_in_purpose(page)));
	}
	if (result == STORE_SUSPENDED)
		return refuse_suspended(page, user);
	return result == STORE_OK ? sign_in_go_on(page)
				  : page_failed(page, result);
}

enum http_status
sign_in_later(struct page *page)
{
	cookie_set_note(page, NOTE_LOG_IN);
	return page_redirect(page,
	    text_join(page->arena, TEXT("/login?"), sign_in_purpose(page)));
}
