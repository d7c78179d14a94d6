/* What a member has saved: the list, and the buttons that save and unsave. */
#include "store/saved.h"
#include "base/arena.h"
#include "pages/own_rows.h"
#include "pages/path.h"
#include "views/messages.h"

/* "state=on" with the post in the path; the buttons of lists are parsed by vote_prepare. */
enum http_status
saved_prepare(struct page *page)
{
	struct text state = pairs_get(page_sent(page), TEXT("state"));
	struct post_request asked = { .wish = WISH_UNSAVED };
	enum saving saving;

	if (!path_post_id(page, &asked.post))
		return HTTP_NOT_FOUND;
	if (!saving_parse(state, &saving))
		return HTTP_BAD_REQUEST;
	if (saving == SAVING_ON)
		asked.wish = WISH_SAVED;
	page->asked = asked;
	return HTTP_OK;
}

/* Whether the post that is to be saved is there. */
static enum store_result
find_post(struct page *page)
{
	struct found_post found;
	enum store_result result =
	    path_get_post(page, page->asked.post, &found);

	if (result != STORE_OK)
		return result;
	return found.article.post.removed != 0 ||
		found.comment.post.removed != 0
	    ? STORE_REMOVED
	    : STORE_OK;
}

/* Whatever was saved can be unsaved. */
enum http_status
saved_action(struct page *page)
{
	bool saves = page->asked.wish == WISH_SAVED;
	enum store_result result = saves ? find_post(page) : STORE_OK;

	if (result == STORE_OK)
		result = saved_set(page->store, page->arena, page->viewer.id,
		    page->asked.post, saves ? SAVING_ON : SAVING_OFF);
	if (result == STORE_FULL)
		return page_refuse(page, REASON_SAVED_FULL);
	return result == STORE_OK
	    ? page_return_to_post(page, page->asked.post)
	    : page_failed_on(page, result, page->asked.post);
}

static struct own_post *
own_posts_of(struct arena *arena, const struct saved *items, size_t count)
{
	struct own_post *posts = arena_new(arena, struct own_post, count);

	for (size_t i = 0; i < count; i++)
		posts[i] = (struct own_post){ .post = items[i].post,
			.at = items[i].at,
			.is_saved = true };
	return posts;
}

enum http_status
saved_page(struct page *page)
{
	struct text base = TEXT("/saved");
	struct own_rows_model model = { .max = message_number(
					    page->arena, SAVED_MAX) };
	uint64_t number = page->number, total;
	struct saved *items;
	size_t got;

	if (saved_read(page->store, page->arena, page->viewer.id,
		(number - 1) * OWN_ROWS_PAGE, OWN_ROWS_PAGE, &items, &got,
		&total) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	if (got == 0 && number > 1)
		return page_past_end(
		    page, base, (total + OWN_ROWS_PAGE - 1) / OWN_ROWS_PAGE);
	if (own_rows_add(page, own_posts_of(page->arena, items, got), got,
		&model) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	model.pager = pager_model_of(
	    page->arena, base, number, number * OWN_ROWS_PAGE < total);
	return page_show(page, HTTP_OK, &saved_view, &model);
}
