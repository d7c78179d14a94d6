/*
 * What a member hides: the list, and the one address to which every button leads that hides
 * something or shows it again.
 */
#include "views/hidden.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "pages/form.h"
#include "pages/hidden_lines.h"
#include "views/messages.h"

static const struct form_row rows[] = { HIDDEN_INPUTS(FORM_ROW) };
static const struct form form = FORM_OF(rows);

static struct text
join_lines(struct arena *arena, const struct hidden_row *items, size_t count)
{
	struct buffer lines = buffer_in(arena, 1024);

	for (size_t i = 0; i < count; i++) {
		buffer_add(&lines, items[i].line);
		buffer_add_char(&lines, '\n');
	}
	return buffer_text(&lines);
}

/* Shows the rules; problems are those of lines that were sent. */
static enum http_status
show_hidden(struct page *page, enum http_status status,
    const struct hidden_lines *sent, struct hidden_form *inputs)
{
	struct arena *arena = page->arena;
	struct hidden_model model = { .max = HIDDEN_MAX };
	struct text typed = pairs_get(page_sent(page), TEXT("lines"));
	struct hidden_rule *rules;
	struct hidden_row *items;
	size_t count;

	if (hidden_read(page->store, arena, page->viewer.id, &rules, &count) !=
	    STORE_OK)
		return page_failed(page, STORE_DOWN);
	items = arena_new(arena, struct hidden_row, count);
	if (hidden_lines_name(page, rules, count, items) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	model.rows = (struct mustache_list){ items, count };
	model.empty = count == 0;
	model.count =
	    message_count(arena, MESSAGE_HIDDEN_RULES, (int64_t)count);
	model.lines = typed.size > 0 ? typed : join_lines(arena, items, count);
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

	if (!page_is_signed_in(page))
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
finish(struct page *page, enum store_result result)
{
	return result == STORE_FULL
	    ? page_refuse(page, REASON_HIDDEN_FULL)
	    : page_finish(page, result, TEXT("/hidden"));
}

/* A line for a rule, which is added or removed. */
static enum http_status
set_line(struct page *page, struct text line, bool hides)
{
	struct hidden_lines lines;
	enum store_result result = hidden_lines_read(
	    page, hides ? LINES_TO_HIDE : LINES_TO_SHOW, line, &lines);

	if (result == STORE_OK && lines.problem_count > 0)
		return refuse_lines(page, &lines);
	for (size_t i = 0; i < lines.count && result == STORE_OK; i++)
		result = hides ? hidden_add(page->store, page->arena,
				     page->viewer.id, &lines.rules[i])
			       : hidden_remove(page->store, page->arena,
				     page->viewer.id, &lines.rules[i]);
	return finish(page, result);
}

static enum http_status
add_words(struct page *page)
{
	struct hidden_rule what = { .kind = HIDDEN_WORDS };
	struct hidden_form inputs;
	enum store_result result;

	if (!form_read(&form, page->arena, page_sent(page), &inputs))
		return show_hidden(page, HTTP_UNPROCESSABLE, NULL, &inputs);
	what.name = inputs.words.value;
	result = hidden_add(page->store, page->arena, page->viewer.id, &what);
	if (result == STORE_FULL) {
		form_mark(page->arena, &inputs.words, PROBLEM_HIDDEN_FULL);
		return show_hidden(page, HTTP_UNPROCESSABLE, NULL, &inputs);
	}
	return finish(page, result);
}

/* All rules are replaced, or none if a line is wrong. */
static enum http_status
replace_lines(struct page *page, struct text text)
{
	struct hidden_lines lines;
	enum store_result result =
	    hidden_lines_read(page, LINES_TO_HIDE, text, &lines);

	if (result != STORE_OK)
		return page_failed(page, result);
	if (lines.problem_count > 0)
		return refuse_lines(page, &lines);
	result = hidden_replace(page->store, page->arena, page->viewer.id,
	    lines.rules, lines.count);
	if (result != STORE_FULL)
		return finish(page, result);
	lines.problems = arena_new(page->arena, struct text, 1);
	lines.problems[0] = message_hidden_too_many(
	    page->arena, (int64_t)lines.count, HIDDEN_MAX);
	lines.problem_count = 1;
	return refuse_lines(page, &lines);
}

/* The field that was sent says what is wanted. */
enum http_status
hidden_action(struct page *page)
{
	const struct pairs *sent = page_sent(page);

	if (pairs_has(sent, TEXT("hide")))
		return set_line(page, pairs_get(sent, TEXT("hide")), true);
	if (pairs_has(sent, TEXT("show")))
		return set_line(page, pairs_get(sent, TEXT("show")), false);
	if (pairs_has(sent, TEXT("lines")))
		return replace_lines(page, pairs_get(sent, TEXT("lines")));
	return pairs_has(sent, TEXT("words")) ? add_words(page)
					      : HTTP_BAD_REQUEST;
}
