/*
 * Writing comments: a form that shows what is answered, a preview of what was typed, and
 * the same to edit. What was typed is never lost: whatever is wrong, the form comes back
 * with it.
 */
#include "pages/reply.h"

#include "base/arena.h"
#include "pages/comment_body.h"
#include "pages/form.h"
#include "pages/mod_form.h"
#include "pages/thread.h"
#include "views/format.h"
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

/* Where a comment is written, as far as that can be read. */
struct place_to_write {
	struct article article;
	struct comment
	    comment; /* what is answered, or edited; number 0: none */
	int64_t now;
};

/* "parent": a comment's number, or nothing or "0" for the article. */
static bool
read_parent(const struct page *page, uint64_t *parent)
{
	struct text number = pairs_get(page_sent(page), TEXT("parent"));

	*parent = 0;
	return number.size == 0 || text_equal(number, TEXT("0")) ||
	    pairs_parse_id(number, parent);
}

/* The article of the path, and a comment of it; number 0: none. */
static enum store_result
find(struct page *page, uint64_t number, struct place_to_write *place)
{
	struct post_id id;
	enum store_result result;

	*place = (struct place_to_write){ .now = 0 };
	if (!path_post_id(page, &id))
		return STORE_ABSENT;
	result = article_get(page->store, page->arena, id.article,
	    page->viewer.id, &place->article, &place->now);
	id.comment = number;
	if (result == STORE_OK && place->article.post.removed != 0)
		result = STORE_REMOVED;
	return result != STORE_OK || number == 0
	    ? result
	    : comment_get(page->store, page->arena, id, page->viewer.id,
		  &place->comment, &place->now);
}

static bool
is_open(const struct page *page, const struct place_to_write *place)
{
	return article_takes_comments(
	    &page->store->rules, &place->article, place->now);
}

/* Of what was removed nobody is shown anything. */
static struct reply_model
model_of(struct page *page, enum store_result found,
    const struct place_to_write *place)
{
	struct reply_model model = { .number = place->comment.post.id.comment };
	struct post_id id = { .article = 0 };

	(void)path_post_id(page, &id);
	model.article = id.article;
	if (found == STORE_OK)
		model.title = place->article.title;
	return model;
}

static enum http_status
show_reply(struct page *page, enum http_status status,
    const struct place_to_write *place, struct reply_model *model,
    struct reply_form *inputs)
{
	if (place->comment.post.id.comment != 0 &&
	    place->comment.post.removed == 0)
		model->parent_html = thread_single(
		    page, &place->article, place->now, &place->comment);
	model->parent = pairs_get(page_sent(page), TEXT("parent"));
	model->form = form_model_of(page, &form, inputs, status);
	model->inputs = *inputs;
	return page_show(page, status, &reply_view, model);
}

enum http_status
reply_page(struct page *page)
{
	struct place_to_write place;
	struct reply_model model;
	struct reply_form inputs;
	enum store_result found;
	uint64_t parent;

	if (!read_parent(page, &parent))
		return HTTP_BAD_REQUEST;
	found = find(page, parent, &place);
	if (found != STORE_OK)
		return page_failed(page, found);
	if (place.comment.post.removed != 0)
		return page_refuse(page, REASON_COMMENT_GONE);
	if (!is_open(page, &place))
		return page_refuse(page, REASON_THREAD_CLOSED);
	form_fill(&form, page_sent(page), &inputs);
	model = model_of(page, found, &place);
	return show_reply(page, HTTP_OK, &place, &model, &inputs);
}

/* What was sent comes back with the reason, whatever can be read of its place. */
enum http_status
reply_sent_form(struct page *page, enum http_status status)
{
	struct place_to_write place;
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
	found = find(page, parent, &place);
	form_fill(&form, page_sent(page), &inputs);
	model = model_of(page, found, &place);
	return show_reply(page, status, &place, &model, &inputs);
}

/* Whether the text may be posted; what is wrong is marked. */
static bool
check(struct page *page, struct reply_form *inputs)
{
	form_fill(&form, page_sent(page), inputs);
	return form_check(&form, page->arena, inputs) &&
	    comment_body_check(page, &inputs->text);
}

static bool
is_preview(const struct page *page)
{
	return pairs_has(page_sent(page), TEXT("preview"));
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
		    comment_body_whole(page, inputs->text.value, names.links);
	return result;
}

/* To the comment, among what it answers. */
static enum http_status
lead_to(struct page *page, struct post_id id)
{
	return page_redirect(page,
	    text_format(page->arena, "%.*s#comment-%llu",
		TEXT_ARGS(format_post_path(page->arena, id)),
		(unsigned long long)id.comment));
}

/* Why it was not posted. */
static enum http_status
refuse(struct page *page, enum store_result result, int64_t wait)
{
	if (result == STORE_CLOSED)
		return page_refuse(page, REASON_THREAD_CLOSED);
	if (result == STORE_LIMITED) {
		page->detail = TEXT("Members have flagged much in this thread, "
				    "so everybody waits between two comments.");
		return page_limited(page, result, wait);
	}
	return page_failed(page, result);
}

/* Moderators look at what a new member says first. */
static enum store_result
find_first(struct page *page, bool *is_first)
{
	*is_first = false;
	return page_is_new(page) ? article_would_be_first(page->store,
				       page->arena, page->viewer.id, is_first)
				 : STORE_OK;
}

static enum http_status
post(struct page *page, const struct place_to_write *place, uint64_t parent,
    const struct reply_form *inputs)
{
	struct comment comment = {
		.post.id = { .article = place->article.post.id.article },
		.post.author = { page->viewer.id, page->viewer.name },
		.parent = (int64_t)parent,
		.text = inputs->text.value
	};
	struct comment_posting posting = { .wait = 0 };
	struct comment_body_names names;
	enum store_result result =
	    comment_body_find_names(page, comment.text, &names);

	if (result == STORE_OK)
		result = find_first(page, &posting.is_first);
	if (result != STORE_OK)
		return page_failed(page, result);
	comment.links = names.links;
	posting.named = names.ids;
	posting.named_count = names.count;
	result = comment_post(page->store, page->arena, &comment, &posting);
	return result == STORE_OK || result == STORE_TAKEN
	    ? lead_to(page, comment.post.id)
	    : refuse(page, result, posting.wait);
}

enum http_status
reply_action(struct page *page)
{
	struct place_to_write place;
	struct reply_model model;
	struct reply_form inputs;
	enum store_result found;
	enum http_status status;
	uint64_t parent;
	bool is_good;

	if (!read_parent(page, &parent))
		return HTTP_BAD_REQUEST;
	found = find(page, parent, &place);
	if (found != STORE_OK)
		return page_failed(page, found);
	if (place.comment.post.removed != 0)
		return page_refuse(page, REASON_COMMENT_GONE);
	is_good = check(page, &inputs);
	model = model_of(page, found, &place);
	if (!is_good)
		return show_reply(
		    page, HTTP_UNPROCESSABLE, &place, &model, &inputs);
	/* Rendering a preview costs what rendering a comment does. */
	status = page_limit_viewer(page, LIMIT_COMMENT);
	if (status != HTTP_OK)
		return status;
	if (!is_preview(page)) {
		status = page_limit_bytes(page, inputs.text.value.size);
		return status == HTTP_OK ? post(page, &place, parent, &inputs)
					 : status;
	}
	if (add_preview(page, &inputs, &model) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	return show_reply(page, HTTP_OK, &place, &model, &inputs);
}

/* The viewer's own comment, which may be edited. */
static enum http_status
find_own(struct page *page, struct place_to_write *place)
{
	struct post_id id;
	enum store_result result;

	if (!path_post_id(page, &id))
		return HTTP_NOT_FOUND;
	result = find(page, id.comment, place);
	if (result != STORE_OK)
		return page_failed(page, result);
	if (place->comment.post.author.id != page->viewer.id)
		return HTTP_FORBIDDEN;
	if (place->comment.post.removed != 0)
		return page_refuse(page, REASON_COMMENT_GONE);
	return is_open(page, place) ? HTTP_OK
				    : page_refuse(page, REASON_THREAD_CLOSED);
}

static enum http_status
show_edit(struct page *page, enum http_status status, struct reply_model *model,
    struct reply_form *inputs)
{
	model->form = form_model_of(page, &form, inputs, status);
	model->inputs = *inputs;
	return page_show(page, status, &reply_edit_view, model);
}

/* Whoever was logged out meanwhile is shown what they typed, and of the rest nothing. */
enum http_status
reply_edit_form(struct page *page, enum http_status status)
{
	struct place_to_write place = { .now = 0 };
	struct reply_model model;
	struct reply_form inputs;
	enum http_status found = HTTP_OK;
	struct post_id id;

	if (!path_post_id(page, &id))
		return HTTP_NOT_FOUND;
	if (status == HTTP_OK)
		found = find_own(page, &place);
	if (found != HTTP_OK)
		return found;
	form_fill(&form, page_sent(page), &inputs);
	if (status == HTTP_OK)
		inputs.text.value = place.comment.text;
	model =
	    model_of(page, status == HTTP_OK ? STORE_OK : STORE_ABSENT, &place);
	model.number = id.comment;
	return show_edit(page, status, &model, &inputs);
}

static enum http_status
save(struct page *page, const struct place_to_write *place,
    const struct reply_form *inputs)
{
	struct comment_body_names names;
	enum store_result result =
	    comment_body_find_names(page, inputs->text.value, &names);

	if (result == STORE_OK)
		result = comment_edit(page->store, page->arena,
		    place->comment.post.id, inputs->text.value, names.links);
	return result == STORE_OK ? lead_to(page, place->comment.post.id)
				  : refuse(page, result, 0);
}

enum http_status
reply_edit_action(struct page *page)
{
	struct place_to_write place;
	struct reply_model model;
	struct reply_form inputs;
	enum http_status status = find_own(page, &place);
	bool is_good;

	if (status != HTTP_OK)
		return status;
	is_good = check(page, &inputs);
	model = model_of(page, STORE_OK, &place);
	if (!is_good)
		return show_edit(page, HTTP_UNPROCESSABLE, &model, &inputs);
	status = page_limit_viewer(page, LIMIT_EDIT);
	if (status != HTTP_OK)
		return status;
	if (!is_preview(page)) {
		status = page_limit_bytes(page, inputs.text.value.size);
		return status == HTTP_OK ? save(page, &place, &inputs) : status;
	}
	if (add_preview(page, &inputs, &model) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	return show_edit(page, HTTP_OK, &model, &inputs);
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
	return page_finish(page, result, format_post_path(page->arena, id));
}
