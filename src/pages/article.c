#include "store/article.h"
#include "base/arena.h"
#include "lists/front.h"
#include "pages/page.h"
#include "store/group.h"
#include "views/article.h"
#include "views/format.h"

struct filing {
	struct text add, remove;
};

static const struct form_field filing_fields[] = {
	{ .name = "add",
	    .offset = offsetof(struct filing, add),
	    .check = rule_groups,
	    .label = "Add to groups",
	    .input = "input-line",
	    .most = 560 },
	{ .name = "remove",
	    .offset = offsetof(struct filing, remove),
	    .check = rule_groups,
	    .label = "Remove from groups",
	    .input = "input-line",
	    .most = 560 },
};
static const struct form filing_form = FORM(filing_fields);

static bool
path_id(const struct page *page, uint64_t *id)
{
	return pairs_get_id(&page->request->path_values, TEXT("id"), id);
}

static bool
may_file(const struct page *page, const struct article *article)
{
	return page_is_moderator(page) ||
	    (page_is_signed_in(page) &&
		article->post.author.id == page->viewer.id);
}

/* What the page says about how the article's score and place came about. */
static struct article_model
explain(const struct page *page, const struct article *article, int64_t now)
{
	struct arena *arena = page->arena;
	const struct rules *rules = &page->store->rules;
	struct article_model model = {
		.article = article_line_of(arena, article, now),
		.paragraphs = format_paragraphs(arena, article->text),
		.up = article->post.up,
		.down = article->post.down,
		.vote_score = rules->vote_score,
		.votes_points =
		    rules->vote_score * (article->post.up - article->post.down),
		.posted_moment = format_moment(arena, article->post.posted),
		.closes_moment = format_moment(arena, article->post.closes),
		.closes_iso = format_iso(arena, article->post.closes),
		.threshold = rules->interesting,
		.removed = article->post.removed != 0,
		.may_file =
		    may_file(page, article) && article->post.removed == 0,
		.may_remove = page_is_moderator(page),
	};

	model.article.open = model.article.open && article->post.voters_known;
	model.votable = model.article.open && page_is_signed_in(page);
	if (model.article.open)
		model.closes_in =
		    format_span(arena, article->post.closes - now);
	if (article->interesting != 0) {
		model.interesting_moment =
		    format_moment(arena, article->interesting);
		model.interesting_iso = format_iso(arena, article->interesting);
	}
	return model;
}

/* The article's page, with the form for its groups as it stands. */
static enum http_status
show_article(struct page *page, enum http_status status,
    const struct article *article, int64_t now, const struct filing *filing,
    const struct text *problems)
{
	struct article_model model = explain(page, article, now);
	uint64_t place = 0;
	enum store_result result = STORE_OK;

	if (article->post.removed == 0)
		result = front_place(page->store, page->arena, article, &place);
	if (result != STORE_OK)
		return page_failed(result);
	model.place = (int64_t)place;
	model.filing = page_form(page, &filing_form, filing, problems);
	return page_show(page, status, &article_view, article->title, &model);
}

/* Removed: its page is for moderators, who can restore it. */
enum http_status
article_page(struct page *page)
{
	struct article article;
	enum store_result result;
	int64_t now;
	uint64_t id;

	if (!path_id(page, &id))
		return HTTP_NOT_FOUND;
	result = article_get(
	    page->store, page->arena, id, page->viewer.id, &article, &now);
	if (result != STORE_OK)
		return page_failed(result);
	if (article.post.removed == 0)
		return show_article(page, HTTP_OK, &article, now, NULL, NULL);
	if (!page_is_moderator(page))
		return HTTP_GONE;
	return show_article(page, HTTP_GONE, &article, now, NULL, NULL);
}

static struct text
article_path(const struct page *page, uint64_t id)
{
	return text_format(
	    page->arena, "/articles/%llu", (unsigned long long)id);
}

/* Back to where the vote was cast, at the article. */
enum http_status
article_vote_action(struct page *page)
{
	struct text back, path;
	enum store_result result;
	enum vote wanted;
	uint64_t id;

	if (!path_id(page, &id))
		return HTTP_NOT_FOUND;
	if (!vote_parse(pairs_get(&page->request->form, TEXT("vote")), &wanted))
		return HTTP_BAD_REQUEST;
	result = post_vote(
	    page->store, page->arena, article_id(id), page->viewer.id, wanted);
	if (result != STORE_OK)
		return page_failed(result);
	back = page_return_to(page, article_path(page, id));
	text_cut(&back, '#', &path);
	return page_redirect(page,
	    text_format(page->arena, "%.*s#article-%llu", TEXT_ARGS(path),
		(unsigned long long)id));
}

/* Writes a problem for each field whose names are not all groups. */
static enum store_result
check_groups(const struct page *page, struct text names, struct text *problem)
{
	struct text unknown;
	enum store_result result =
	    group_unknown(page->store, page->arena, names, &unknown);

	if (result == STORE_OK && unknown.size > 0)
		*problem = text_format(page->arena,
		    "There is no group \"%.*s\".", TEXT_ARGS(unknown));
	return result;
}

enum http_status
article_file_action(struct page *page)
{
	struct text problems[2];
	struct filing filing;
	struct article article;
	enum store_result result;
	int64_t now;
	uint64_t id;

	if (!path_id(page, &id))
		return HTTP_NOT_FOUND;
	result = article_get(
	    page->store, page->arena, id, page->viewer.id, &article, &now);
	if (result == STORE_OK && article.post.removed != 0)
		result = STORE_REMOVED;
	if (result != STORE_OK)
		return page_failed(result);
	if (!may_file(page, &article))
		return HTTP_FORBIDDEN;
	if (form_read(&filing_form, page->arena, &page->request->form, &filing,
		problems) == 0) {
		result = check_groups(page, filing.add, &problems[0]);
		if (result == STORE_OK)
			result =
			    check_groups(page, filing.remove, &problems[1]);
		if (result == STORE_OK && problems[0].size == 0 &&
		    problems[1].size == 0)
			result = article_file(page->store, page->arena, id,
			    filing.add, filing.remove);
		if (result == STORE_FULL)
			problems[0] = text_format(page->arena,
			    "An article is in at most %d groups.",
			    RULE_GROUPS_MAX);
		else if (result != STORE_OK)
			return page_failed(result);
	}
	if (problems[0].size > 0 || problems[1].size > 0)
		return show_article(
		    page, HTTP_UNPROCESSABLE, &article, now, &filing, problems);
	return page_redirect(page, article_path(page, id));
}

static enum http_status
change_article(struct page *page,
    enum store_result (*change)(
	struct store *store, struct arena *arena, struct post_id id))
{
	enum store_result result;
	uint64_t id;

	if (!path_id(page, &id))
		return HTTP_NOT_FOUND;
	result = change(page->store, page->arena, article_id(id));
	if (result != STORE_OK)
		return page_failed(result);
	return page_redirect(page, article_path(page, id));
}

enum http_status
article_remove_action(struct page *page)
{
	return change_article(page, post_remove);
}

enum http_status
article_restore_action(struct page *page)
{
	return change_article(page, post_restore);
}
