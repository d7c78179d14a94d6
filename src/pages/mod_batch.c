/*
 * A moderator's decision on several posts at once, which were selected in the queue or a list: each
 * is kept or removed by a call of its own, and the log has one entry for all
 * (store/mod_decision.h). Posts changed since the moderator saw them are left as they are, and
 * shown again.
 */
#include "views/mod_batch.h"

#include "base/arena.h"
#include "base/text.h"
#include "lists/hits.h"
#include "pages/mod_form.h"
#include "pages/post_request.h"
#include "store/mod_decision.h"
#include "store/review.h"
#include "views/format.h"

/* What one form of a list can have, beside its other fields. */
enum { BATCH_MAX = 100, BATCH_FIELDS_MAX = 10 };
_Static_assert(BATCH_MAX + BATCH_FIELDS_MAX <= PAIRS_MAX, "a form has room");

struct batch {
	bool keeps; /* removes, otherwise */
	struct post_id *ids;
	size_t count;
	int64_t shown_at; /* when the moderator saw them */
	struct text reason;
	struct mod_decision decision;
};

static bool
is_decision(const struct pairs *sent)
{
	return pairs_has(sent, TEXT("do")) || pairs_has(sent, TEXT("keep")) ||
	    pairs_has(sent, TEXT("remove"));
}

/* The form of a list has the buttons of its rows as well. */
enum http_status
mod_batch_prepare(struct page *page)
{
	return is_decision(page_sent(page)) ? HTTP_OK : vote_prepare(page);
}

/* The posts whose checkboxes were ticked: "post-7.3=on". */
static bool
read_selected(const struct pairs *sent, struct batch *batch)
{
	static const struct text prefix = TEXT_INIT("post-");

	for (size_t i = 0; i < sent->count; i++) {
		struct text name = sent->items[i].name;

		if (!text_starts(name, prefix))
			continue;
		if (batch->count == BATCH_MAX ||
		    !post_request_parse_post(
			text_slice(name, prefix.size, name.size - prefix.size),
			&batch->ids[batch->count++]))
			return false;
	}
	return true;
}

/* The buttons of all that is selected say "do", that of one post "keep=7.3" or "remove=7.3". */
static bool
read_decision(const struct pairs *sent, struct batch *batch)
{
	struct text word = pairs_get(sent, TEXT("do"));

	if (word.size > 0) {
		batch->keeps = text_equal(word, TEXT("keep"));
		return (batch->keeps || text_equal(word, TEXT("remove"))) &&
		    read_selected(sent, batch);
	}
	batch->keeps = pairs_has(sent, TEXT("keep"));
	batch->count = 1;
	return post_request_parse_post(
	    pairs_get(sent, batch->keeps ? TEXT("keep") : TEXT("remove")),
	    &batch->ids[0]);
}

static bool
read_batch(const struct page *page, struct batch *batch)
{
	const struct pairs *sent = page_sent(page);
	uint64_t shown_at;

	*batch = (struct batch){ .ids = arena_new(
				     page->arena, struct post_id, BATCH_MAX),
		.reason = mod_form_reason(page) };
	batch->decision.entry = mod_form_action(page, batch->reason);
	if (!pairs_get_id(sent, TEXT("shown"), &shown_at) ||
	    !read_decision(sent, batch))
		return false;
	batch->shown_at = (int64_t)shown_at;
	return true;
}

/* What has become of a post since the moderator saw it. */
static enum message_undecided
find_change(const struct batch *batch, const struct hit *hit)
{
	const struct post *post = hit_post(hit);

	if (hit->state == HIT_LOST)
		return UNDECIDED_ABSENT;
	if (post->removed != 0 && post_is_withdrawn(post))
		return UNDECIDED_WITHDRAWN;
	if (post->removed != 0 && !post_is_waiting(post))
		return UNDECIDED_REMOVED;
	if (hit_is_comment(hit) && hit->article.post.removed != 0)
		return UNDECIDED_ARTICLE_REMOVED;
	if (post->kept > batch->shown_at)
		return UNDECIDED_KEPT;
	return post->edited > batch->shown_at ? UNDECIDED_EDITED
					      : UNDECIDED_NOT;
}

static enum message_undecided
undecided_of(enum store_result result)
{
	switch (result) {
	case STORE_OK:
		return UNDECIDED_NOT;
	case STORE_ABSENT:
		return UNDECIDED_ABSENT;
	case STORE_OWN:
		return UNDECIDED_WITHDRAWN;
	case STORE_REMOVED:
		return UNDECIDED_REMOVED;
	case STORE_TAKEN:
		return UNDECIDED_LINK_TAKEN;
	default:
		return UNDECIDED_UNSAVED;
	}
}

/* A post alone has an entry of its own in the log. */
static enum store_result
carry_out(struct page *page, struct batch *batch, struct mod_action *action)
{
	const struct post_id id = { action->article, action->comment };
	enum store_result result = STORE_OK;

	batch->decision.entry.what = action->what;
	if (batch->count > 1)
		result = mod_decision_add(
		    page->store, page->arena, &batch->decision, action);
	if (result == STORE_OK)
		result = (batch->keeps ? review_keep : post_remove)(
		    page->store, page->arena, id, action);
	return result == STORE_OK && batch->count > 1
	    ? mod_decision_count(
		  page->store, page->arena, &batch->decision, action)
	    : result;
}

/* Keeps or removes a post, or says why not. */
static enum message_undecided
decide(struct page *page, struct batch *batch, const struct hit *hit)
{
	const struct post *post = hit_post(hit);
	enum message_undecided why = find_change(batch, hit);
	struct mod_action action = mod_form_action(page, batch->reason);
	enum http_status status;
	bool alone;

	if (why != UNDECIDED_NOT)
		return why;
	status = mod_form_check_post(page, post, 0, &alone);
	page->reason = REASON_DEFAULT;
	if (status != HTTP_OK)
		return status == HTTP_FORBIDDEN ? UNDECIDED_OTHER_MODERATOR
						: UNDECIDED_UNSAVED;
	action.what =
	    mod_action_words[batch->keeps ? MOD_DISMISSED : MOD_REMOVED];
	action.article = post->id.article;
	action.comment = post->id.comment;
	action.member = post->author;
	if (alone)
		action.subject = MOD_ACTION_ALONE;
	return undecided_of(carry_out(page, batch, &action));
}

static struct mod_batch_row
row_of(struct page *page, const struct hit *hit, enum message_undecided why)
{
	const struct post *post = hit_post(hit);
	struct post_id id = hit->comment.post.id;

	if (id.comment == 0)
		id = hit->article.post.id;
	return (struct mod_batch_row){ .id = format_post(page->arena, id),
		.path = format_post_path(page->arena, id),
		.title = hit->article.title,
		.said_by = hit_is_comment(hit) ? post->author.name : TEXT(""),
		.why = message_undecided(why),
		.may_select = why == UNDECIDED_NOT || why == UNDECIDED_KEPT ||
		    why == UNDECIDED_EDITED || why == UNDECIDED_UNSAVED };
}

static enum http_status
show_undecided(struct page *page, enum http_status status,
    struct mod_batch_model *model, const struct mod_batch_row *rows,
    size_t count)
{
	model->return_to = page_return_to(page, TEXT("/moderation"));
	model->shown_at = page->now;
	model->rows = (struct mustache_list){ rows, count };
	for (size_t i = 0; i < count; i++)
		model->may_select |= rows[i].may_select;
	return page_show(page, status, &mod_batch_view, model);
}

/* Decides on one post after another, until a decision cannot be saved. */
static enum http_status
decide_all(struct page *page, struct batch *batch, const struct hit *hits,
    struct mod_batch_model *model)
{
	struct mod_batch_row *rows =
	    arena_new(page->arena, struct mod_batch_row, batch->count);
	enum message_undecided why = UNDECIDED_NOT;
	size_t left = 0;

	for (size_t i = 0; i < batch->count; i++) {
		if (why != UNDECIDED_UNSAVED)
			why = decide(page, batch, &hits[i]);
		if (why != UNDECIDED_NOT)
			rows[left++] = row_of(page, &hits[i], why);
	}
	if (left == 0)
		return page_redirect(
		    page, page_return_to(page, TEXT("/moderation")));
	if (left < batch->count)
		model->done = message_count(
		    page->arena, MESSAGE_POSTS, (int64_t)(batch->count - left));
	return show_undecided(page,
	    why == UNDECIDED_UNSAVED ? HTTP_UNAVAILABLE : HTTP_CONFLICT, model,
	    rows, left);
}

/* Shows what was sent again, with what is wrong with it. */
static enum http_status
show_again(struct page *page, const struct batch *batch, const struct hit *hits,
    struct mod_batch_model *model)
{
	struct mod_batch_row *rows =
	    arena_new(page->arena, struct mod_batch_row, batch->count);

	for (size_t i = 0; i < batch->count; i++)
		rows[i] = row_of(page, &hits[i], UNDECIDED_NOT);
	return show_undecided(
	    page, HTTP_UNPROCESSABLE, model, rows, batch->count);
}

static enum http_status
decide_batch(struct page *page)
{
	struct batch batch;
	struct problem problem;
	struct mod_batch_model model = { .may_select = false };
	struct hit *hits;

	if (!read_batch(page, &batch))
		return HTTP_BAD_REQUEST;
	if (batch.count == 0)
		return page_refuse(page, REASON_NONE_SELECTED);
	model.keeps = batch.keeps;
	model.reason = batch.reason;
	problem = rule_reason(page->arena, &batch.reason);
	hits = arena_new(page->arena, struct hit, batch.count);
	if (hits_read_each(page->store, page->arena, batch.ids, batch.count, 0,
		page_vote_score(page), hits, &page->is_partial) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	if (problem.kind == PROBLEM_NONE)
		return decide_all(page, &batch, hits, &model);
	model.problem = message_problem(page->arena, &problem);
	return show_again(page, &batch, hits, &model);
}

enum http_status
mod_batch_action(struct page *page)
{
	enum http_status status;

	if (is_decision(page_sent(page)))
		return decide_batch(page);
	status = page_limit_viewer(page, LIMIT_VOTE);
	return status == HTTP_OK ? vote_action(page) : status;
}
