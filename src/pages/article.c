#include "views/article.h"
#include "base/arena.h"
#include "lists/front_hours.h"
#include "lists/list.h"
#include "lists/mod_queue.h"
#include "lists/read_marks.h"
#include "markup/markup.h"
#include "pages/cookie.h"
#include "pages/etag.h"
#include "pages/feed.h"
#include "pages/form.h"
#include "pages/group_articles.h"
#include "pages/hidden_lines.h"
#include "pages/mod_form.h"
#include "pages/path.h"
#include "pages/reply.h"
#include "pages/thread.h"
#include "views/format.h"
#include "views/messages.h"
#include "views/mod_queue.h"

enum { SUMMARY_MAX = 200, NAMED_MAX = 2 * RULE_GROUPS_MAX };

static const struct form_row rows[] = { ARTICLE_GROUPS_INPUTS(FORM_ROW) };
static const struct form form = FORM_OF(rows);

/* "3rd", the article's place on the front page; empty after the first LIST_FRONT_PLACES. */
static enum store_result
find_front_place(struct page *page, uint64_t article, struct text *place)
{
	struct versions *read;
	uint64_t found = 0;

	if (page->versions == NULL) {
		read = arena_new(page->arena, struct versions, 1);
		if (versions_get(page->store, page->arena, 0, read) != STORE_OK)
			return STORE_DOWN;
		page->versions = read;
	}
	if (list_front_place(page->store, page->arena, page->app->read_cache,
		page->versions, article, &found) != STORE_OK)
		return STORE_DOWN;
	if (found > 0)
		*place = message_ordinal(page->arena, (int64_t)found);
	return STORE_OK;
}

/* The chart of its places on former front pages, for an article that had one. Without them the
 * page is shown as well. */
static void
add_chart(struct page *page, const struct article *article, int64_t now,
    struct article_model *model)
{
	struct front_chart_model *chart;
	struct front_places places;

	if (article->front == 0 || page_is_head(page) ||
	    front_places_read(page->store, page->arena, page->app->read_cache,
		article, now, &places) != STORE_OK)
		return;
	chart = arena_new(page->arena, struct front_chart_model, 1);
	if (front_chart_model_of(page->arena, &places, chart))
		model->chart = (struct mustache_list){ chart, 1 };
}

/* The groups to tick: those that were sent, or the article's. */
static struct choices_model
group_choices_of(const struct page *page, const struct article *article)
{
	bool was_sent = pairs_has(page_sent(page), TEXT("had"));
	struct text others;
	struct choices_model choices = form_group_choices(page,
	    was_sent ? form_chosen_groups(page, TEXT("")) : article->groups,
	    &others);

	choices.had = article->groups;
	return choices;
}

/* Whether the form for groups is shown: also after the session has ended, with what was
 * typed. */
static bool
may_file(const struct page *page, const struct article *article,
    enum http_status status)
{
	return status == HTTP_UNAUTHORIZED || page_is_moderator(page) ||
	    page_is_author(page, &article->post);
}

/* Whether the reader was redirected here after posting the link or text again. */
static bool
is_repeated(struct page *page, const struct article *article)
{
	struct text id =
	    text_number(page->arena, (int64_t)article->post.id.article);

	return page_is_signed_in(page) &&
	    cookie_take_note(page, text_join(page->arena, NOTE_REPEATED, id));
}

/* Adds the button that hides the article. */
static enum store_result
add_button(struct page *page, const struct article *article,
    struct article_model *model)
{
	const struct hidden_rule what = { .kind = HIDDEN_ARTICLE,
		.id = article->post.id.article };

	return model->is_own || article->post.removed != 0
	    ? STORE_OK
	    : hidden_button(
		  page, &what, (struct text){ NULL, 0 }, &model->hide);
}

/* Adds the groups that moderators took it out of. */
static void
add_taken_out(struct page *page, const struct article *article,
    struct article_model *model)
{
	struct text rest = article_barred_from(page->arena, article), name;
	struct text *names = arena_new(page->arena, struct text, NAMED_MAX);
	size_t count = 0;

	while (count < NAMED_MAX && text_next_word(&rest, &name))
		names[count++] = name;
	model->taken_out_of = (struct mustache_list){ names, count };
	model->was_taken_out = count > 0;
}

/* Adds what the viewer may do as author, as member and as moderator. */
static enum store_result
add_rights(struct page *page, const struct found_post *found,
    struct article_model *model)
{
	const struct article *article = &found->article;
	bool is_removed = article->post.removed != 0;
	bool is_open = post_is_open(&article->post, found->now);
	struct mod_queue_flags flags[FLAG_KINDS];
	enum store_result result;
	size_t count;

	model->is_own = page_is_author(page, &article->post);
	model->may_edit = model->is_own && is_open;
	model->may_flag =
	    page_is_signed_in(page) && !model->is_own && !is_removed;
	model->flag = message_flag(article->flag);
	if (model->may_flag && model->flag.size == 0)
		model->reasons = mod_queue_choices(page->arena);
	result = add_button(page, article, model);
	if (result == STORE_OK && (!is_removed || model->held))
		group_articles_barriers(page, article, &model->barriers);
	model->has_barriers = model->barriers.count > 0;
	if (model->is_own)
		add_taken_out(page, article, model);
	if (result != STORE_OK || !page_is_moderator(page))
		return result;
	model->may_moderate = true;
	model->was_again = article->again != 0;
	model->may_be_again = !model->is_own &&
	    page->settings->overlooked.size == 0 &&
	    article_may_be_shown_again(article, found->now);
	result = mod_queue_read_flags(
	    page->store, page->arena, article->post.id, flags, &count);
	if (result == STORE_OK)
		model->flags = mod_queue_flags_rows(page->arena, flags, count);
	model->is_queued = (count > 0 && !is_removed) || model->held;
	if (result == STORE_OK && model->is_queued)
		mod_form_note_looking(page, article->post.id, &model->looking);
	return result;
}

/* Adds the text: whole on the first page of the thread, an excerpt on the others. */
static void
add_markdown(struct page *page, const struct article *article,
    const struct thread_request *request, struct article_model *model)
{
	bool is_first = request->page == 1 && request->from == 1;
	struct markdown_html html = page_markdown(page, article->text,
	    article->links, is_first ? RULE_WHOLE_BYTES : RULE_EXCERPT_BYTES);

	model->text.text = html.text;
	model->is_cut = html.is_cut && is_first;
	if (html.is_cut && !is_first)
		model->all_href =
		    page_article_path(page, article->post.id.article);
	model->summary = markup_plain(page->arena, article->text, SUMMARY_MAX);
}

/* Sets *last to the last comment that the viewer has read (0: none), and marks all as
 * read. */
static enum store_result
note_visit(struct page *page, const struct article *article, uint64_t *last)
{
	uint64_t id = article->post.id.article;
	uint64_t commented = (uint64_t)article->commented;
	struct read_marks seen;

	*last = 0;
	if (!page_is_signed_in(page) || page_is_head(page) || commented == 0)
		return STORE_OK;
	if (read_marks_read(page->store, page->arena, page->app->read_cache,
		&page->viewer, &seen) != STORE_OK)
		return STORE_DOWN;
	if ((!read_marks_find(&seen, id, last) || *last < commented) &&
	    page_is_read(page))
		read_marks_set(
		    page->store, page->arena, page->viewer.id, id, commented);
	return STORE_OK;
}

/* Adds the thread. */
static enum http_status
show_thread(struct page *page, const struct found_post *found,
    struct thread_request *request, struct thread_model *model)
{
	*request = (struct thread_request){ .article = &found->article,
		.now = found->now,
		.base =
		    page_article_path(page, found->article.post.id.article) };
	*model = (struct thread_model){ .has_several = false };
	if (!thread_read_query(page, request))
		return HTTP_BAD_REQUEST;
	if (request->fold_count > 0 || request->find != 0)
		page->canonical = request->base;
	if (note_visit(page, &found->article, &request->seen) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	return thread_show(page, request, model);
}

/* Shows the article, with what was typed into the form for its groups. One that is final
 * has dates instead of ages, and no place among others: it looks the same on each day. */
static enum http_status
show_article(struct page *page, enum http_status status,
    struct found_post *found, struct article_groups_form *filing)
{
	const struct article *article = &found->article;
	bool is_removed = article->post.removed != 0;
	bool is_final =
	    article_is_final(&page->store->rules, article, found->now);
	int64_t present = found->now;
	int64_t now = found->now = is_final ? FORMAT_DATES : present;
	enum store_result result = page_read_saved(page);
	struct article_model model =
	    article_model_of(page->arena, &page->store->rules,
		page_vote_score(page), article, now, &page->reader);
	struct thread_request request;
	enum http_status there;

	if (result == STORE_OK && !is_removed && !is_final)
		result = find_front_place(
		    page, article->post.id.article, &model.place);
	if (result == STORE_OK)
		result = add_rights(page, found, &model);
	if (result != STORE_OK)
		return page_failed(page, result);
	add_chart(page, article, present, &model);
	model.is_final = is_final;
	model.places = LIST_FRONT_PLACES;
	model.may_set_groups = may_file(page, article, status) && !is_removed;
	model.opens_groups = status != HTTP_OK;
	model.asks_reason =
	    page_is_moderator(page) && !page_is_author(page, &article->post);
	if (model.may_set_groups)
		model.choices = group_choices_of(page, article);
	model.is_repeated = is_repeated(page, article);
	there = show_thread(page, found, &request, &model.thread);
	if (there != HTTP_OK)
		return there;
	if (article->markup.size > 0 && !page_is_head(page))
		add_markdown(page, article, &request, &model);
	model.form = form_model_of(page, &form, filing, status);
	model.inputs = *filing;
	model.reply = reply_empty_form();
	page->feed = page_article_path(page, article->post.id.article);
	return page_show(page, status, &article_view, &model);
}

/* A removed article is shown to moderators, who can restore it, and to its author, with
 * the reason. */
enum http_status
article_page(struct page *page)
{
	const struct post *post;
	struct found_post found;
	struct article_groups_form filing;
	enum http_status status, there;
	struct etag etag;

	if (etag_begin(page, &etag))
		return HTTP_NOT_MODIFIED;
	status = path_read_post(page, &found);
	if (status != HTTP_OK)
		return status;
	if (etag_match(page, &etag, &found))
		return HTTP_NOT_MODIFIED;
	post = &found.article.post;
	if (post->removed != 0 && !post_is_waiting(post))
		status = page_refuse_removed(page, post);
	if (status == HTTP_GONE && !page_is_moderator(page) &&
	    !page_is_author(page, post))
		return status;
	there = thread_admit(page, &found);
	if (there != HTTP_OK)
		return there;
	form_fill(&form, page_sent(page), &filing);
	status = show_article(page, status, &found, &filing);
	return etag_send(page, &etag, status);
}

static enum store_result
read_newest_comments(
    struct page *page, const void *query, struct comments_page *comments)
{
	const struct found_post *found = query;

	return comments_read_thread(
	    page->store, page->arena, &found->article, found->now, comments);
}

/* The feed of its comments. */
enum http_status
article_feed(struct page *page)
{
	struct found_post found;
	enum http_status status = path_read_post(page, &found);
	struct feed_page feed;

	if (status == HTTP_OK && found.article.post.removed != 0)
		status = page_refuse_removed(page, &found.article.post);
	if (status == HTTP_OK)
		status = thread_admit(page, &found);
	if (status != HTTP_OK)
		return status;
	feed = (struct feed_page){
		.path = page_article_path(page, found.article.post.id.article),
		.heading = message_comments_on(page->arena, found.article.title)
	};
	return feed_show_comments(page, &feed, read_newest_comments, &found);
}

/* The form is part of the article's page. */
enum http_status
article_groups_form(struct page *page, enum http_status status)
{
	struct found_post found;
	struct article_groups_form filing;
	enum http_status there = path_read_post(page, &found);

	if (there == HTTP_OK && found.article.post.removed != 0)
		there = page_refuse_removed(page, &found.article.post);
	if (there != HTTP_OK)
		return there;
	if (status == HTTP_OK)
		return page_redirect(page,
		    text_join(page->arena,
			page_article_path(page, found.article.post.id.article),
			TEXT("#groups")));
	if (!may_file(page, &found.article, status))
		return status;
	there = thread_admit(page, &found);
	if (there != HTTP_OK)
		return there;
	form_fill(&form, page_sent(page), &filing);
	return show_article(page, status, &found, &filing);
}

/* Moves an article of the viewer's; or as a moderator another's, by an action that is logged. */
static enum store_result
move_article(struct page *page, const struct article *article,
    const struct article_groups_form *filing)
{
	struct mod_action action = mod_form_action(page, filing->reason.value);
	uint64_t id = article->post.id.article;

	if (page_is_author(page, &article->post))
		return article_set_groups(page->store, page->arena, id,
		    filing->add.value, filing->remove.value);
	action.member = article->post.author;
	return article_move(page->store, page->arena, id, filing->add.value,
	    filing->remove.value, action);
}

/* Saves the groups if the form is valid; otherwise marks what is not. */
static enum store_result
save_groups(struct page *page, const struct article *article,
    struct article_groups_form *filing)
{
	enum store_result result =
	    form_check_groups(page, article->groups, &filing->add);

	if (result == STORE_OK)
		result = form_check_barred(page, article, &filing->add);
	if (result == STORE_OK)
		result =
		    form_check_groups(page, article->groups, &filing->remove);
	if (result != STORE_OK || !form_is_valid(&form, filing))
		return result;
	result = move_article(page, article, filing);
	if (result != STORE_FULL)
		return result;
	form_mark(page->arena, &filing->add, PROBLEM_GROUPS_TOO_MANY);
	return STORE_OK;
}

/* Authors move their own articles; moderators those of others, but for a higher role's. */
static enum http_status
check_move(struct page *page, const struct post *post)
{
	bool alone;

	return page_is_author(page, post)
	    ? HTTP_OK
	    : mod_form_check_post(page, post, 0, &alone);
}

enum http_status
article_groups_action(struct page *page)
{
	const struct article *article;
	struct article_groups_form filing;
	struct found_post found;
	enum store_result result;
	enum http_status status = path_read_post(page, &found);

	if (status != HTTP_OK)
		return status;
	article = &found.article;
	if (article->post.removed != 0)
		return page_failed(page, STORE_REMOVED);
	if (!may_file(page, article, HTTP_OK))
		return HTTP_FORBIDDEN;
	status = check_move(page, &article->post);
	if (status != HTTP_OK)
		return status;
	form_fill(&form, page_sent(page), &filing);
	form_group_changes(page, &filing.add.value, &filing.remove.value);
	form_check(&form, page->arena, &filing);
	result = save_groups(page, article, &filing);
	if (result != STORE_OK)
		return page_failed(page, result);
	if (!form_is_valid(&form, &filing))
		return show_article(page, HTTP_UNPROCESSABLE, &found, &filing);
	return page_redirect(
	    page, page_article_path(page, article->post.id.article));
}
