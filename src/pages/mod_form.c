#include "pages/mod_form.h"

#include "store/limit.h"
#include "store/looking.h"

struct mod_action
mod_form_action(const struct page *page, struct text reason)
{
	return (
	    struct mod_action){ .by = { page->viewer.id, page->viewer.name },
		.reason = reason,
		.network = limit_network(page->arena, page->request->address),
		.request = page->request->id };
}

struct text
mod_form_reason(const struct page *page)
{
	struct text chosen = pairs_get(page_sent(page), TEXT("because"));
	struct text written =
	    text_trim(pairs_get(page_sent(page), TEXT("reason")));

	if (chosen.size == 0 || written.size == 0)
		return chosen.size == 0 ? written : chosen;
	return text_format(
	    page->arena, "%.*s: %.*s", TEXT_ARGS(chosen), TEXT_ARGS(written));
}

enum http_status
mod_form_read(struct page *page, struct mod_action *action)
{
	struct text reason = mod_form_reason(page);
	struct problem problem = rule_reason(page->arena, &reason);

	if (problem.kind != PROBLEM_NONE)
		return page_refuse_for(page, REASON_UNPROCESSABLE,
		    message_problem(page->arena, &problem));
	*action = mod_form_action(page, reason);
	return HTTP_OK;
}

struct text
mod_form_choice(const struct page *page, struct text otherwise)
{
	struct text word = pairs_get(page_sent(page), TEXT("do"));

	return word.size > 0 ? word : otherwise;
}

void
mod_form_note_looking(struct page *page, struct post_id id, struct text *other)
{
	const struct member viewer = { page->viewer.id, page->viewer.name };
	struct member looking = { .id = 0 };

	if (page_is_read(page) &&
	    looking_open(page->store, page->arena, id, &viewer, &looking) !=
		STORE_OK)
		page->is_partial = true;
	*other = looking.id != 0 ? looking.name : TEXT("");
}

bool
mod_form_may_act_on(const struct page *page, const struct user *user)
{
	return user->id != page->viewer.id && user->role < page->viewer.role;
}

/* Whether the member, who has that role or a higher one, may use it now. */
static bool
may_use_role(const struct page *page, const struct user *user)
{
	return user->suspended <= page->now &&
	    (user->role == ROLE_OWNER ||
		!settings_lacks_factor(page->settings, user));
}

/* Whether another member may use that role or a higher one. */
static enum store_result
has_other(struct page *page, enum role role, bool *has)
{
	struct user *users;
	uint64_t *ids;
	size_t count;

	*has = false;
	if (user_moderators(page->store, page->arena, &ids, &count) !=
		STORE_OK ||
	    user_get_all(page->store, page->arena, ids, count, &users,
		&count) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		*has |= users[i].id != page->viewer.id &&
		    users[i].role >= role && may_use_role(page, &users[i]);
	return STORE_OK;
}

enum http_status
mod_form_check_post(
    struct page *page, const struct post *post, uint64_t by, bool *alone)
{
	const uint64_t ids[] = { post->author.id, by };
	enum role role = ROLE_MEMBER;
	enum store_result result;
	struct user *users;
	size_t count;
	bool has;

	*alone = false;
	result = user_get_all(page->store, page->arena, ids, 2, &users, &count);
	if (result != STORE_OK)
		return page_failed(page, result);
	for (size_t i = 0; i < count; i++)
		if (users[i].role > role)
			role = users[i].role;
	if (post->author.id != page->viewer.id && role <= page->viewer.role)
		return HTTP_OK;
	result = has_other(page, role, &has);
	if (result != STORE_OK)
		return page_failed(page, result);
	*alone = !has;
	return has ? page_refuse(page, REASON_OTHER_MODERATOR) : HTTP_OK;
}
