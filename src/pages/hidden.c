/*
 * What a member hides: the list, and the buttons that hide something or show it again.
 */
#include "views/hidden.h"

#include <string.h>

#include "base/arena.h"
#include "pages/form.h"
#include "pages/hidden_lines.h"
#include "views/messages.h"

static const struct form_row rows[] = { HIDDEN_INPUTS(FORM_ROW) };
static const struct form form = FORM_OF(rows);

static enum store_result
add_rules(struct page *page, struct hidden_model *model)
{
	struct arena *arena = page->arena;
	struct hidden_rule *rules;
	struct hidden_row *items;
	size_t count;

	if (hidden_get(page->store, arena, page->viewer.id, &rules, &count) !=
	    STORE_OK)
		return STORE_DOWN;
	items = arena_new(arena, struct hidden_row, count);
	if (hidden_lines_name(page, rules, count, items, &model->lines) !=
	    STORE_OK)
		return STORE_DOWN;
	model->rows = (struct mustache_list){ items, count };
	model->empty = count == 0;
	model->count =
	    message_count(arena, MESSAGE_HIDDEN_RULES, (int64_t)count);
	return STORE_OK;
}

/* Whether something was typed: the button that shows words again sends them, too. */
static bool
is_typed(const struct page *page)
{
	const struct pairs *sent = page_sent(page);

	return pairs_get(sent, TEXT("lines")).size > 0 ||
	    (pairs_get(sent, TEXT("words")).size > 0 &&
		!pairs_has(sent, TEXT("state")));
}

/* Shows the rules; problems are those of lines that were sent. Of a refusal while the rules cannot
 * be read only what was typed is shown: empty lines, if they were sent, would delete the rules. */
static enum http_status
show_hidden(struct page *page, enum http_status status,
    const struct hidden_lines *sent, struct hidden_form *inputs)
{
	struct hidden_model model = { .max = HIDDEN_MAX };
	struct text typed = pairs_get(page_sent(page), TEXT("lines"));

	model.is_unread =
	    !page_is_signed_in(page) || add_rules(page, &model) != STORE_OK;
	if (model.is_unread && (status < HTTP_BAD_REQUEST || !is_typed(page)))
		return page_failed(page, STORE_DOWN);
	if (typed.size > 0 || model.is_unread)
		model.lines = typed;
	model.has_lines = !model.is_unread || typed.size > 0;
	if (sent != NULL)
		model.problems = (struct mustache_list){ sent->problems,
			sent->problem_count };
	model.has_problems = model.problems.count > 0;
	model.form = form_model_of(page, &form, inputs, status);
	model.inputs = *inputs;
	return page_show(page, status, &hidden_view, &model);
}

enum http_status
hidden_form(struct page *page, enum http_status status)
{
	struct hidden_form inputs;

	if (!page_is_signed_in(page) &&
	    !(page_has_unknown_sender(page, status) && is_typed(page)))
		return status;
	form_fill(&form, page_sent(page), &inputs);
	return show_hidden(page, status, NULL, &inputs);
}

/* Shows the lines that were sent again, with what is wrong with them. */
static enum http_status
refuse_lines(struct page *page, const struct hidden_lines *lines)
{
	struct hidden_form inputs;

	form_fill(&form, page_sent(page), &inputs);
	return show_hidden(page, HTTP_UNPROCESSABLE, lines, &inputs);
}

static enum http_status
finish(struct page *page, enum store_result result, struct text otherwise)
{
	return result == STORE_FULL ? page_refuse(page, REASON_HIDDEN_FULL)
				    : page_finish(page, result, otherwise);
}

/* Reads "state": "on" (when it is absent, too) or "off"; false when it is neither. */
static bool
read_state(const struct page *page, bool *is_on)
{
	struct text state = pairs_get(page_sent(page), TEXT("state"));

	*is_on = state.size == 0 || text_equal(state, TEXT("on"));
	return *is_on || text_equal(state, TEXT("off"));
}

static enum store_result
set_rule(struct page *page, const struct hidden_rule *what, bool hides)
{
	return hides
	    ? hidden_add(page->store, page->arena, page->viewer.id, what)
	    : hidden_remove(page->store, page->arena, page->viewer.id, what);
}

/* The path names what is hidden or shown again: "/u/ann/hide". */
enum http_status
hidden_set_action(struct page *page)
{
	struct text path = page->request->path;
	struct text line = text_slice(path, 0, path.size - strlen("/hide"));
	const struct hidden_rule *what;
	struct hidden_lines lines;
	struct text name;
	enum store_result result;
	bool hides;

	if (!read_state(page, &hides))
		return HTTP_BAD_REQUEST;
	result = hidden_lines_read(
	    page, hides ? LINES_TO_HIDE : LINES_TO_SHOW, line, &lines);
	if (result == STORE_OK && lines.has_own)
		return page_refuse(page, REASON_HIDE_OWN);
	if (result == STORE_OK && lines.count == 0)
		return HTTP_NOT_FOUND;
	if (result != STORE_OK)
		return page_failed(page, result);
	what = &lines.rules[0];
	name = text_slice(line, strlen("/u/"), line.size);
	return finish(page, set_rule(page, what, hides),
	    hidden_href(page->arena, what, name));
}

static enum http_status
set_words(struct page *page)
{
	struct hidden_rule what = { .kind = HIDDEN_WORDS };
	struct hidden_form inputs;
	enum store_result result;
	bool hides;

	if (!read_state(page, &hides))
		return HTTP_BAD_REQUEST;
	if (!form_read(&form, page->arena, page_sent(page), &inputs))
		return show_hidden(page, HTTP_UNPROCESSABLE, NULL, &inputs);
	what.name = inputs.words.value;
	result = set_rule(page, &what, hides);
	if (result == STORE_FULL) {
		form_mark(page->arena, &inputs.words, PROBLEM_HIDDEN_FULL);
		return show_hidden(page, HTTP_UNPROCESSABLE, NULL, &inputs);
	}
	return finish(page, result, TEXT("/hidden"));
}

static enum http_status
refuse_too_many(struct page *page, size_t count)
{
	struct text problem =
	    message_hidden_too_many(page->arena, (int64_t)count, HIDDEN_MAX);
	const struct hidden_lines lines = { .problems = &problem,
		.problem_count = 1 };

	return refuse_lines(page, &lines);
}

/* All rules are replaced, or none if a line is wrong. How many rules a member may keep is known
 * where they are written; what nobody may is not even read. */
static enum http_status
replace_lines(struct page *page, struct text text)
{
	struct hidden_lines lines;
	size_t count = hidden_lines_count(text);
	enum store_result result;

	if (count > HIDDEN_FORMER_MAX)
		return refuse_too_many(page, count);
	result = hidden_lines_read(page, LINES_TO_HIDE, text, &lines);
	if (result != STORE_OK)
		return page_failed(page, result);
	if (lines.problem_count > 0)
		return refuse_lines(page, &lines);
	result = hidden_replace(page->store, page->arena, page->viewer.id,
	    lines.rules, lines.count);
	return result == STORE_FULL ? refuse_too_many(page, lines.count)
				    : finish(page, result, TEXT("/hidden"));
}

/* Words are hidden or shown again, or all rules are replaced: as the field says that was sent. */
enum http_status
hidden_action(struct page *page)
{
	const struct pairs *sent = page_sent(page);

	if (pairs_has(sent, TEXT("lines")))
		return replace_lines(page, pairs_get(sent, TEXT("lines")));
	return pairs_has(sent, TEXT("words")) ? set_words(page)
					      : HTTP_BAD_REQUEST;
}
