#include "pages/group_articles.h"

#include "base/arena.h"
#include "lists/mod_queue.h"
#include "pages/mod_form.h"
#include "pages/path.h"
#include "views/article.h"
#include "views/mod_queue.h"

/* The groups of an article, and those that it was taken out of. */
enum { BARRIERS_MAX = 3 * RULE_GROUPS_MAX };

/* Whether the viewer may put it back into a group that it was taken out of by these. */
static bool
may_put_back(const struct page *page, enum article_barrier by)
{
	return by == ARTICLE_BARRED_BY_GROUP || page_is_moderator(page);
}

static void
add_rows(struct page *page, struct text names, bool is_out,
    struct barrier_row *rows, size_t *count)
{
	struct text moderated[RULE_GROUPS_MAX];
	size_t got;

	if (page_moderated_groups(page, names, moderated, &got) != STORE_OK) {
		page->is_partial = true;
		return;
	}
	for (size_t i = 0; i < got; i++)
		rows[(*count)++] = (struct barrier_row){ moderated[i], is_out };
}

void
group_articles_barriers(struct page *page, const struct article *article,
    struct mustache_list *list)
{
	struct barrier_row *rows;
	size_t count = 0;

	if (page_is_author(page, &article->post))
		return;
	rows = arena_new(page->arena, struct barrier_row, BARRIERS_MAX);
	add_rows(page, article->groups, false, rows, &count);
	add_rows(page, article->barred, true, rows, &count);
	if (may_put_back(page, ARTICLE_BARRED_BY_SITE))
		add_rows(page, article->barred_by_site, true, rows, &count);
	*list = (struct mustache_list){ rows, count };
}

/* Moderators act on no articles of their own, and on none of members with a higher role. */
static enum http_status
check_author(struct page *page, const struct article *article)
{
	bool alone = false;
	enum http_status status =
	    mod_form_check_post(page, &article->post, 0, &alone);

	return status == HTTP_OK && alone
	    ? page_refuse(page, REASON_OTHER_MODERATOR)
	    : status;
}

static enum store_result
set_barrier(struct page *page, const struct article *article, bool is_out,
    struct mod_action action)
{
	enum article_barrier by = page_is_moderator(page)
	    ? ARTICLE_BARRED_BY_SITE
	    : ARTICLE_BARRED_BY_GROUP;

	action.member = article->post.author;
	return is_out
	    ? article_bar(page->store, page->arena, article->post.id.article,
		  page->group->name, by, action)
	    : article_unbar(page->store, page->arena, article,
		  page->group->name, by, action);
}

/* "do" is "out" or "back". The article may be one that waits to be shown. */
enum http_status
group_articles_action(struct page *page)
{
	struct text what = pairs_get(page_sent(page), TEXT("do"));
	bool is_out = text_equal(what, TEXT("out"));
	struct mod_action action;
	struct article article;
	enum store_result result;
	enum http_status status;
	struct post_id id;
	int64_t now;

	if (!is_out && !text_equal(what, TEXT("back")))
		return HTTP_BAD_REQUEST;
	if (!path_post_id(page, &id) || page->group->into.size > 0)
		return HTTP_NOT_FOUND;
	status = mod_form_read(page, &action);
	if (status != HTTP_OK)
		return status;
	result = article_get(
	    page->store, page->arena, id.article, 0, &article, &now);
	if (result != STORE_OK)
		return page_failed(page, result);
	status = check_author(page, &article);
	if (status != HTTP_OK)
		return status;
	result = set_barrier(page, &article, is_out, action);
	if (result == STORE_ABSENT && !is_out)
		return page_refuse(page, REASON_OTHER_MODERATOR);
	if (result == STORE_FULL)
		return page_refuse(page, REASON_BARRED_FULL);
	return page_finish(page, result, page_article_path(page, id.article));
}

/* The articles of the group that are flagged, or wait to be shown. */
enum http_status
group_articles_queue_page(struct page *page)
{
	const struct group *group = page->group;
	struct group_queue_model model = { .group = group->name };
	struct text path = text_format(
	    page->arena, "/g/%.*s/moderation", TEXT_ARGS(group->name));
	struct mod_queue_page queue;
	uint64_t number = page->number;
	enum store_result result;

	if (group->into.size > 0)
		return page_redirect(page,
		    text_format(page->arena, "/g/%.*s/moderation",
			TEXT_ARGS(group->into)));
	if (number > MOD_QUEUE_PAGES)
		return page_past_end(page, path, MOD_QUEUE_PAGES);
	result = mod_queue_read_group(page->store, page->arena, group->name,
	    number, page->app->expensive, &queue);
	if (result != STORE_OK)
		return page_list_failed(page, result);
	page->is_partial = queue.is_partial;
	if (queue.count == 0 && number > 1 && !queue.is_partial)
		return page_redirect(page, path);
	if (!page_is_head(page))
		model = mod_queue_model_of_group(
		    page->arena, &queue, group->name, number, &page->reader);
	return page_show(page, HTTP_OK, &group_queue_view, &model);
}
