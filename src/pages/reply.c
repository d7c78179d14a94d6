/*
 * Writing and editing comments: a form below what is answered, with a preview. Every
 * refusal shows the form again with what was typed.
 */
#include "pages/reply.h"

#include "base/arena.h"
#include "pages/comment_body.h"
#include "pages/form.h"
#include "pages/newcomers.h"
#include "pages/path.h"
#include "pages/thread.h"
#include "store/inbox.h"
#include "views/format.h"
#include "views/messages.h"
#include "views/reply.h"

static const struct form_row rows[] = { REPLY_INPUTS(FORM_ROW) };
static const struct form form = FORM_OF(rows);

struct reply_form
reply_empty_form(void)
{
	const struct pairs nothing = { .count = 0 };
	struct reply_form blank;

	form_fill(&form, &nothing, &blank);
	return blank;
}

enum http_status
reply_prepare(struct page *page)
{
	form_read_ahead(page, TEXT(""));
	return HTTP_OK;
}

/* Parses "parent", a comment's number; empty or "0" for the article. */
static bool
read_parent(const struct page *page, uint64_t *parent)
{
	struct text number = pairs_get(page_sent(page), TEXT("parent"));

	*parent = 0;
	return number.size == 0 || text_equal(number, TEXT("0")) ||
	    pairs_parse_id(number, parent);
}

/* The word of the order in which the thread was read; empty for the usual one. */
static struct text
read_order(const struct page *page)
{
	struct text word = pairs_get(page_sent(page), TEXT("order"));
	enum thread_order order;

	return thread_order_parse(word, &order) && order != THREAD_BEST
	    ? word
	    : TEXT("");
}

/* The article of the path, unless it was removed, and a comment on it; number 0: none. */
static enum store_result
find_context(struct page *page, uint64_t number, struct found_post *context)
{
	struct post_id id;
	enum store_result result;

	*context = (struct found_post){ .now = 0 };
	if (!path_post_id(page, &id))
		return STORE_ABSENT;
	id.comment = number;
	result = path_get_post(page, id, context);
	return result == STORE_OK && context->article.post.removed != 0
	    ? STORE_REMOVED
	    : result;
}

static bool
is_open(const struct page *page, const struct found_post *context)
{
	return article_takes_comments(
	    &page->store->rules, &context->article, context->now);
}

/* The title is left empty when the article could not be read or was removed. */
static struct reply_model
reply_model_of(struct page *page, enum store_result found,
    const struct found_post *context)
{
	struct reply_model model = { .number =
					 context->comment.post.id.comment };
	struct post_id id = { .article = 0 };

	(void)path_post_id(page, &id);
	model.article = id.article;
	if (found == STORE_OK)
		model.title = context->article.title;
	return model;
}

static enum http_status
show_reply_form(struct page *page, enum http_status status,
    const struct found_post *context, struct reply_model *model,
    struct reply_form *inputs)
{
	if (context->comment.post.id.comment != 0 &&
	    context->comment.post.removed == 0) {
		model->parent_html = thread_single(
		    page, &context->article, context->now, &context->comment);
		model->parent_author = context->comment.post.author.name;
	}
	model->parent = pairs_get(page_sent(page), TEXT("parent"));
	model->order = read_order(page);
	model->form = form_model_of(page, &form, inputs, status);
	model->inputs = *inputs;
	return page_show(page, status, &reply_view, model);
}

/* The article, and the comment that is answered, if any; a removed one is refused. */
static enum http_status
find_answered(struct page *page, struct found_post *context)
{
	enum store_result found;
	uint64_t parent;

	if (!read_parent(page, &parent))
		return HTTP_BAD_REQUEST;
	found = find_context(page, parent, context);
	if (found != STORE_OK)
		return page_failed(page, found);
	return context->comment.post.removed != 0
	    ? page_refuse(page, REASON_COMMENT_GONE)
	    : HTTP_OK;
}

enum http_status
reply_page(struct page *page)
{
	struct found_post context;
	struct reply_model model;
	struct reply_form inputs;
	enum http_status status = find_answered(page, &context);

	if (status != HTTP_OK)
		return status;
	if (!is_open(page, &context))
		return page_refuse(page, REASON_THREAD_CLOSED);
	form_fill(&form, page_sent(page), &inputs);
	model = reply_model_of(page, STORE_OK, &context);
	return show_reply_form(page, HTTP_OK, &context, &model, &inputs);
}

/* Shows the form again with the reason, and as much of its context as can be read. */
enum http_status
reply_sent_form(struct page *page, enum http_status status)
{
	struct found_post context;
	struct reply_model model;
	struct reply_form inputs;
	enum store_result found;
	struct post_id id;
	uint64_t parent;

	if (!path_post_id(page, &id))
		return HTTP_NOT_FOUND;
	if (status == HTTP_OK)
		return page_redirect(page,
		    text_join(page->arena, page_article_path(page, id.article),
			TEXT("#comments")));
	if (!read_parent(page, &parent))
		return status;
	found = find_context(page, parent, &context);
	form_fill(&form, page_sent(page), &inputs);
	model = reply_model_of(page, found, &context);
	return show_reply_form(page, status, &context, &model, &inputs);
}

/* Fills and validates the form; *is_good when the text may be posted. */
static enum store_result
check_comment(struct page *page, struct reply_form *inputs, bool *is_good)
{
	enum store_result result;

	form_fill(&form, page_sent(page), inputs);
	*is_good = form_check(&form, page->arena, inputs) &&
	    comment_body_check(page, &inputs->text);
	result = newcomers_check_links(page, &inputs->text);
	*is_good = *is_good && inputs->text.problem.size == 0;
	return result;
}

static bool
is_preview(const struct page *page)
{
	return pairs_has(page_sent(page), TEXT("preview"));
}

/* Previews count as well: rendering one costs the same. They write no bytes. */
static enum http_status
limit_comment(
    struct page *page, enum limit kind, const struct reply_form *inputs)
{
	enum http_status status = page_limit_viewer(page, kind);

	if (status == HTTP_OK && !is_preview(page))
		status = page_limit_bytes(page, inputs->text.value.size);
	return status == HTTP_OK && kind == LIMIT_COMMENT && !is_preview(page)
	    ? newcomers_limit(page, LIMIT_NEWCOMER_COMMENT)
	    : status;
}

static enum store_result
add_preview(struct page *page, const struct reply_form *inputs,
    struct reply_model *model)
{
	struct comment_body_names names;
	enum store_result result =
	    comment_body_find_names(page, inputs->text.value, &names);

	if (result == STORE_OK)
		model->preview.text =
		    page_markdown_whole(page, inputs->text.value, names.links);
	return result;
}

/* Redirects to the comment's page, at the comment. */
static enum http_status
redirect_to_comment(struct page *page, struct post_id id)
{
	return page_redirect(page,
	    text_format(page->arena, "%.*s#comment-%llu",
		TEXT_ARGS(format_post_path(page->arena, id)),
		(unsigned long long)id.comment));
}

/* Redirects to the page of the thread that has the comment, at the comment. */
static enum http_status
redirect_to_thread(struct page *page, struct post_id id)
{
	struct text order = read_order(page);

	return page_redirect(page,
	    text_format(page->arena, "%.*s?%s%.*s%scomment=%llu#comment-%llu",
		TEXT_ARGS(page_article_path(page, id.article)),
		order.size > 0 ? "order=" : "", TEXT_ARGS(order),
		order.size > 0 ? "&" : "", (unsigned long long)id.comment,
		(unsigned long long)id.comment));
}

/* Why the comment was not saved. */
static enum http_status
refuse_comment(struct page *page, enum store_result result, int64_t wait)
{
	if (result == STORE_CLOSED)
		return page_refuse(page, REASON_THREAD_CLOSED);
	if (result == STORE_LIMITED) {
		page->detail = message_text(MESSAGE_SLOW_MODE);
		return page_limited(page, result, wait);
	}
	return page_failed(page, result);
}

/* Reads what was answered to say why the comment was refused: it may be gone. */
static enum http_status
explain_refusal(struct page *page, enum store_result result, int64_t wait)
{
	struct found_post context;
	enum http_status status = HTTP_OK;

	if (result == STORE_ABSENT || result == STORE_REMOVED)
		status = find_answered(page, &context);
	return status == HTTP_OK ? refuse_comment(page, result, wait) : status;
}

/* Whoever answers a comment has read the notice of it. */
static void
note_reading(struct page *page, struct post_id answered)
{
	if (answered.comment != 0 && user_unread(&page->viewer) > 0)
		inbox_hint_comment_read(
		    page->store, page->arena, page->viewer.id, answered);
}

/* Posts the comment without reading first what it answers: the function that writes it checks
 * that. */
static enum http_status
post_comment(
    struct page *page, struct post_id answered, const struct reply_form *inputs)
{
	struct comment comment = { .post.id = { .article = answered.article },
		.post.author = { page->viewer.id, page->viewer.name },
		.parent = (int64_t)answered.comment,
		.text = inputs->text.value };
	struct comment_posting posting = { .wait = 0 };
	struct comment_body_names names;
	enum store_result result =
	    comment_body_find_names(page, comment.text, &names);

	if (result != STORE_OK)
		return page_failed(page, result);
	posting.is_reviewed = newcomers_are_reviewed(page);
	posting.is_held = newcomers_are_held(page);
	comment.links = names.links;
	posting.named = names.ids;
	posting.named_count = names.count;
	result = comment_post(page->store, page->arena, &comment, &posting);
	if (result != STORE_OK && result != STORE_TAKEN)
		return explain_refusal(page, result, posting.wait);
	if (result == STORE_TAKEN)
		newcomers_refund(page, LIMIT_NEWCOMER_COMMENT);
	note_reading(page, answered);
	/* One that is held is on its own page alone. */
	return posting.is_held ? redirect_to_comment(page, comment.post.id)
			       : redirect_to_thread(page, comment.post.id);
}

/* Shows the form again, with what is wrong or a preview. */
static enum http_status
show_comment(struct page *page, struct reply_form *inputs, bool is_good)
{
	struct found_post context;
	struct reply_model model;
	enum http_status status = find_answered(page, &context);

	if (status != HTTP_OK)
		return status;
	model = reply_model_of(page, STORE_OK, &context);
	if (!is_good)
		return show_reply_form(
		    page, HTTP_UNPROCESSABLE, &context, &model, inputs);
	status = limit_comment(page, LIMIT_COMMENT, inputs);
	if (status != HTTP_OK)
		return status;
	if (add_preview(page, inputs, &model) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	return show_reply_form(page, HTTP_OK, &context, &model, inputs);
}

enum http_status
reply_action(struct page *page)
{
	struct reply_form inputs;
	struct post_id answered;
	enum http_status status;
	bool is_good;

	if (!path_post_id(page, &answered))
		return HTTP_NOT_FOUND;
	if (!read_parent(page, &answered.comment))
		return HTTP_BAD_REQUEST;
	if (check_comment(page, &inputs, &is_good) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	if (!is_good || is_preview(page))
		return show_comment(page, &inputs, is_good);
	status = limit_comment(page, LIMIT_COMMENT, &inputs);
	return status == HTTP_OK ? post_comment(page, answered, &inputs)
				 : status;
}

/* The comment of the path, if it is the viewer's and may still be edited. */
static enum http_status
find_own_comment(struct page *page, struct found_post *context)
{
	struct post_id id;
	enum store_result result;

	if (!path_post_id(page, &id))
		return HTTP_NOT_FOUND;
	result = find_context(page, id.comment, context);
	if (result != STORE_OK)
		return page_failed(page, result);
	if (context->comment.post.author.id != page->viewer.id)
		return HTTP_FORBIDDEN;
	if (context->comment.post.removed != 0)
		return page_refuse(page, REASON_COMMENT_GONE);
	return is_open(page, context) ? HTTP_OK
				      : page_refuse(page, REASON_THREAD_CLOSED);
}

static enum http_status
show_edit_form(struct page *page, enum http_status status,
    struct reply_model *model, struct reply_form *inputs)
{
	model->form = form_model_of(page, &form, inputs, status);
	model->inputs = *inputs;
	return page_show(page, status, &reply_edit_view, model);
}

/* After the session has ended, what was typed is shown, and nothing else. */
enum http_status
reply_edit_form(struct page *page, enum http_status status)
{
	struct found_post context = { .now = 0 };
	struct reply_model model;
	struct reply_form inputs;
	enum http_status found = HTTP_OK;
	struct post_id id;

	if (!path_post_id(page, &id))
		return HTTP_NOT_FOUND;
	if (status == HTTP_OK)
		found = find_own_comment(page, &context);
	if (found != HTTP_OK)
		return found;
	form_fill(&form, page_sent(page), &inputs);
	if (status == HTTP_OK)
		inputs.text.value = context.comment.text;
	model = reply_model_of(
	    page, status == HTTP_OK ? STORE_OK : STORE_ABSENT, &context);
	model.number = id.comment;
	return show_edit_form(page, status, &model, &inputs);
}

static enum http_status
save_comment(struct page *page, const struct found_post *context,
    const struct reply_form *inputs)
{
	struct comment_body_names names;
	enum store_result result =
	    comment_body_find_names(page, inputs->text.value, &names);

	if (result == STORE_OK)
		result = comment_edit(page->store, page->arena,
		    context->comment.post.id, inputs->text.value, names.links);
	return result == STORE_OK
	    ? redirect_to_comment(page, context->comment.post.id)
	    : refuse_comment(page, result, 0);
}

enum http_status
reply_edit_action(struct page *page)
{
	struct found_post context;
	struct reply_model model;
	struct reply_form inputs;
	enum http_status status = find_own_comment(page, &context);
	bool is_good;

	if (status != HTTP_OK)
		return status;
	if (check_comment(page, &inputs, &is_good) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	model = reply_model_of(page, STORE_OK, &context);
	if (!is_good)
		return show_edit_form(
		    page, HTTP_UNPROCESSABLE, &model, &inputs);
	status = limit_comment(page, LIMIT_EDIT, &inputs);
	if (status != HTTP_OK)
		return status;
	if (!is_preview(page))
		return save_comment(page, &context, &inputs);
	if (add_preview(page, &inputs, &model) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	return show_edit_form(page, HTTP_OK, &model, &inputs);
}

enum http_status
reply_delete_action(struct page *page)
{
	enum store_result result;
	struct post_id id;

	if (!path_post_id(page, &id))
		return HTTP_NOT_FOUND;
	result = post_delete(page->store, page->arena, id, page->viewer.id);
	if (result == STORE_OK)
		page_event(page,
		    (struct event){
			.name = EVENT_WITHDRAWN, .article = id.article });
	return page_finish_on(page, result, id);
}
