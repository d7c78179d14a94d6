/* My votes: the history of a member's votes, for the member alone. */
#include "store/vote_history.h"
#include "base/arena.h"
#include "pages/own_rows.h"
#include "pages/path.h"
#include "views/messages.h"

/* The viewer's own: HTTP_FORBIDDEN for anybody else's. */
static enum http_status
check_owner(struct page *page, struct text *base)
{
	struct user user;
	enum http_status status = path_member(page, &user);

	if (status != HTTP_OK)
		return status;
	*base = text_format(page->arena, "/u/%.*s/votes", TEXT_ARGS(user.name));
	return user.id == page->viewer.id ? HTTP_OK : HTTP_FORBIDDEN;
}

/* Without votes that were taken back; returns how many are left. */
static size_t
own_posts_of(
    const struct vote_entry *entries, size_t count, struct own_post *posts)
{
	size_t used = 0;

	for (size_t i = 0; i < count; i++)
		if (entries[i].vote != VOTE_NONE)
			posts[used++] =
			    (struct own_post){ .post = entries[i].post,
				    .at = entries[i].at,
				    .vote = entries[i].vote,
				    .is_voided = entries[i].is_voided };
	return used;
}

enum http_status
vote_history_form(struct page *page, enum http_status status)
{
	struct own_post posts[OWN_ROWS_PAGE];
	struct own_rows_model model = { .max = message_number(
					    page->arena, VOTE_HISTORY_MAX) };
	uint64_t number = page->number, total;
	struct vote_entry *entries;
	struct text base;
	size_t got;

	if (status == HTTP_OK)
		status = check_owner(page, &base);
	if (status != HTTP_OK)
		return status;
	if (!text_equal(base, page->request->path))
		return page_move(page, PAGE_THIS_SITE, base);
	if (vote_history_read(page->store, page->arena, page->viewer.id,
		(number - 1) * OWN_ROWS_PAGE, OWN_ROWS_PAGE, &entries, &got,
		&total) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	if (got == 0 && number > 1)
		return page_past_end(
		    page, base, (total + OWN_ROWS_PAGE - 1) / OWN_ROWS_PAGE);
	got = own_posts_of(entries, got, posts);
	if (own_rows_add(page, posts, got, &model) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	model.pager = pager_model_of(
	    page->arena, base, number, number * OWN_ROWS_PAGE < total);
	return page_show(page, HTTP_OK, &vote_history_view, &model);
}

/* Erases the history. */
enum http_status
vote_history_action(struct page *page)
{
	struct text base;
	enum http_status status = check_owner(page, &base);
	enum store_result result;

	if (status != HTTP_OK)
		return status;
	result = vote_history_erase(page->store, page->arena, page->viewer.id);
	return result == STORE_OK ? page_redirect(page, base)
				  : page_failed(page, result);
}
