#include "pages/path.h"

bool
path_post_id(const struct page *page, struct post_id *id)
{
	const struct pairs *path = &page->request->path_values;

	*id = (struct post_id){ .article = 0 };
	return pairs_get_id(path, TEXT("id"), &id->article) &&
	    (!pairs_has(path, TEXT("comment")) ||
		pairs_get_id(path, TEXT("comment"), &id->comment));
}

/* A post that was never shown is there for its author and moderators alone. */
static enum store_result
hide_held(const struct page *page, const struct post *post)
{
	return post->held == 0 || page_is_moderator(page) ||
		page_is_author(page, post)
	    ? STORE_OK
	    : STORE_ABSENT;
}

static enum store_result
path_get_comment(
    struct page *page, struct post_id id, struct comment *comment, int64_t *now)
{
	enum store_result result = comment_get(
	    page->store, page->arena, id, page->viewer.id, comment, now);

	return result == STORE_OK ? hide_held(page, &comment->post) : result;
}

/* One that waits is there for moderators of its groups, too, in whose queues it is. */
static enum store_result
hide_held_article(struct page *page, const struct article *article)
{
	struct text moderated[RULE_GROUPS_MAX];
	enum store_result result = hide_held(page, &article->post);
	size_t count;

	if (result != STORE_ABSENT)
		return result;
	result =
	    page_moderated_groups(page, article->groups, moderated, &count);
	return result == STORE_OK && count == 0 ? STORE_ABSENT : result;
}

/* With its score as it is now. */
static enum store_result
path_get_article(
    struct page *page, uint64_t id, struct article *article, int64_t *now)
{
	enum store_result result = article_get(
	    page->store, page->arena, id, page->viewer.id, article, now);

	if (result == STORE_OK)
		article_compute_score(page_vote_score(page), article);
	return result == STORE_OK ? hide_held_article(page, article) : result;
}

STORE_CALL
path_get_post(struct page *page, struct post_id id, struct found_post *found)
{
	enum store_result result;

	*found = (struct found_post){ .now = 0 };
	result =
	    path_get_article(page, id.article, &found->article, &found->now);
	return result != STORE_OK || id.comment == 0 ||
		found->article.post.removed != 0
	    ? result
	    : path_get_comment(page, id, &found->comment, &found->now);
}

enum http_status
path_read_post(struct page *page, struct found_post *found)
{
	enum store_result result;
	struct post_id id;

	if (!path_post_id(page, &id))
		return HTTP_NOT_FOUND;
	result = path_get_post(page, id, found);
	return result == STORE_OK ? HTTP_OK : page_failed(page, result);
}

enum http_status
path_article(struct page *page, struct article *article)
{
	enum store_result result;
	uint64_t id;
	int64_t now;

	if (!pairs_get_id(&page->request->path_values, TEXT("id"), &id))
		return HTTP_NOT_FOUND;
	result = path_get_article(page, id, article, &now);
	return result == STORE_OK ? HTTP_OK : page_failed(page, result);
}

enum http_status
path_post(struct page *page, struct post *post)
{
	struct article article;
	struct comment comment;
	enum store_result result;
	enum http_status status;
	struct post_id id;
	int64_t now;

	if (!path_post_id(page, &id))
		return HTTP_NOT_FOUND;
	if (id.comment == 0) {
		status = path_article(page, &article);
		*post = article.post;
		return status;
	}
	result = path_get_comment(page, id, &comment, &now);
	*post = comment.post;
	return result == STORE_OK ? HTTP_OK : page_failed(page, result);
}

enum http_status
path_member(struct page *page, struct user *user)
{
	struct text name = pairs_get(&page->request->path_values, TEXT("name"));
	enum store_result result =
	    user_find(page->store, page->arena, name, user);

	return result == STORE_OK ? HTTP_OK : page_failed(page, result);
}
