#include "pages/mod_form.h"

#include "pages/password.h"
#include "store/comment.h"

enum http_status
mod_form_read(struct page *page, struct mod_action *act)
{
	struct text reason = pairs_get(page_sent(page), TEXT("reason"));
	struct problem problem = rule_reason(page->arena, &reason);

	if (problem.kind != PROBLEM_NONE)
		return page_refuse_for(page, REASON_UNPROCESSABLE,
		    message_problem(page->arena, &problem));
	*act = mod_form_action(page, reason);
	return HTTP_OK;
}

enum http_status
path_member(struct page *page, struct user *user)
{
	struct text name = pairs_get(&page->request->path_values, TEXT("name"));
	enum store_result result =
	    user_find(page->store, page->arena, name, user);

	return result == STORE_OK ? HTTP_OK : page_failed(page, result);
}

bool
mod_form_may_judge(const struct page *page, const struct user *user)
{
	return user->id != page->viewer.id && user->role < page->viewer.role;
}

/* Whether somebody else who has such a role, or a higher one, is let in. */
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
		    users[i].role >= role && users[i].suspended <= page->now;
	return STORE_OK;
}

enum http_status
mod_form_judge_post(
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
	return has ? page_refuse(page, REASON_NOT_TO_JUDGE) : HTTP_OK;
}

enum http_status
path_article(struct page *page, struct article *article)
{
	enum store_result result;
	uint64_t id;
	int64_t now;

	if (!pairs_get_id(&page->request->path_values, TEXT("id"), &id))
		return HTTP_NOT_FOUND;
	result = article_get(
	    page->store, page->arena, id, page->viewer.id, article, &now);
	return result == STORE_OK ? HTTP_OK : page_failed(page, result);
}

enum http_status
path_post(struct page *page, struct post *post)
{
	struct article article;
	struct comment comment;
	struct post_id id;
	enum store_result result;
	enum http_status status;
	int64_t now;

	if (!path_post_id(page, &id))
		return HTTP_NOT_FOUND;
	if (id.comment == 0) {
		status = path_article(page, &article);
		*post = article.post;
		return status;
	}
	result = comment_get(
	    page->store, page->arena, id, page->viewer.id, &comment, &now);
	*post = comment.post;
	return result == STORE_OK ? HTTP_OK : page_failed(page, result);
}

enum http_status
page_finish(struct page *page, enum store_result result, struct text otherwise)
{
	return result == STORE_OK
	    ? page_redirect(page, page_return_to(page, otherwise))
	    : page_failed(page, result);
}

bool
password_is_needed(const struct page *page)
{
	return page->session_age >= PASSWORD_FRESH_SECONDS;
}

enum http_status
password_confirm(struct page *page)
{
	struct text password = pairs_get(page_sent(page), TEXT("password"));
	enum store_result result;
	enum http_status status;
	struct user user;
	bool fits = false;

	if (!password_is_needed(page))
		return HTTP_OK;
	if (password.size == 0)
		return page_refuse(page, REASON_CONFIRM);
	result = user_get(page->store, page->arena, page->viewer.id, &user);
	if (result != STORE_OK)
		return page_failed(page, result);
	status = password_compare(page, &user, password, &fits);
	if (status == HTTP_OK && !fits) {
		const struct problem wrong = { .kind = PROBLEM_PASSWORD_WRONG };

		status = page_refuse_for(
		    page, REASON_CONFIRM, message_problem(page->arena, &wrong));
	}
	return status;
}
