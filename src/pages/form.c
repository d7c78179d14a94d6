#include "pages/form.h"

#include "base/arena.h"
#include "store/group.h"

enum { FORM_CHOICES_MAX = 40 };

/* The input of a row, as const as the inputs. */
static struct input *
input_of(const struct form_row *row, const void *inputs)
{
	return (struct input *)(void *)((char *)inputs + row->offset);
}

void
form_fill(const struct form *form, const struct pairs *sent, void *inputs)
{
	for (size_t i = 0; i < form->count; i++) {
		const struct form_row *row = &form->rows[i];
		struct text name = text_of(row->name);

		*input_of(row, inputs) = (struct input){ .name = name,
			.value = pairs_get(sent, name),
			.max = row->max,
			.required = row->need == FORM_REQUIRED };
	}
}

bool
form_read(const struct form *form, struct arena *arena,
    const struct pairs *sent, void *inputs)
{
	form_fill(form, sent, inputs);
	return form_check(form, arena, inputs);
}

bool
form_check(const struct form *form, struct arena *arena, void *inputs)
{
	for (size_t i = 0; i < form->count; i++) {
		struct input *input = input_of(&form->rows[i], inputs);
		struct problem problem =
		    form->rows[i].check(arena, &input->value);

		input->problem = message_problem(arena, &problem);
	}
	return form_is_valid(form, inputs);
}

bool
form_is_valid(const struct form *form, const void *inputs)
{
	for (size_t i = 0; i < form->count; i++)
		if (input_of(&form->rows[i], inputs)->problem.size > 0)
			return false;
	return true;
}

size_t
form_bytes(const struct form *form, const void *inputs)
{
	size_t bytes = 0;

	for (size_t i = 0; i < form->count; i++)
		bytes += input_of(&form->rows[i], inputs)->value.size;
	return bytes;
}

void
form_load(const struct form *form, const struct schema *schema,
    enum field_editing editing, const void *noun, void *inputs)
{
	for (size_t i = 0; i < form->count; i++) {
		const struct form_row *row = &form->rows[i];
		const struct field *field =
		    schema_find(schema, text_of(row->name));
		struct input *input = input_of(row, inputs);

		if (field == NULL || field->editing != editing)
			continue;
		input->value = *field_text(field, noun);
		input->problem = TEXT("");
	}
}

void
form_store(const struct form *form, const void *inputs,
    const struct schema *schema, void *noun)
{
	for (size_t i = 0; i < form->count; i++) {
		const struct form_row *row = &form->rows[i];
		const struct field *field =
		    schema_find(schema, text_of(row->name));

		if (field != NULL)
			*field_text(field, noun) = input_of(row, inputs)->value;
	}
}

void
form_mark(struct arena *arena, struct input *input, enum problem_kind kind)
{
	input->problem =
	    message_problem(arena, &(struct problem){ .kind = kind });
}

struct text
form_words_without(struct arena *arena, struct text words, struct text others)
{
	struct text rest = TEXT(""), word;

	while (text_next_word(&words, &word))
		if (!text_has_word(others, word))
			rest = text_add_word(arena, rest, word);
	return rest;
}

void
form_read_ahead(struct page *page, struct text groups)
{
	struct page_ahead *ahead = arena_new(page->arena, struct page_ahead, 1);

	if (page->request->method != HTTP_POST || page->token.size == 0)
		return;
	*ahead = (struct page_ahead){ .pipeline = pipeline_begin(
					  page->store->redis, page->arena) };
	if (rule_groups(page->arena, &groups).kind == PROBLEM_NONE)
		ahead->groups = groups;
	group_ask_names(&ahead->pipeline, ahead->groups);
	page->ahead = ahead;
}

enum store_result
form_check_groups(
    const struct page *page, struct text groups, struct input *names)
{
	static const enum problem_kind kinds[] = {
		[GROUP_UNKNOWN] = PROBLEM_GROUP_UNKNOWN,
		[GROUP_CLOSED] = PROBLEM_GROUP_CLOSED,
		[GROUP_RESTRICTED] = PROBLEM_GROUP_RESTRICTED,
	};
	struct problem problem = { .kind = PROBLEM_NONE };
	enum store_result result = STORE_OK;
	enum group_refusal why;
	struct text wanted;

	if (names->problem.size > 0)
		return STORE_OK;
	wanted = form_words_without(page->arena, names->value, groups);
	if (page->ahead != NULL && text_equal(wanted, page->ahead->groups))
		why = group_read_unusable(&page->ahead->pipeline, 0, wanted,
		    page_group_poster(page), &problem.word);
	else
		result = group_find_unusable(page->store, page->arena, wanted,
		    page_group_poster(page), &problem.word, &why);
	if (result == STORE_OK && problem.word.size > 0) {
		problem.kind = kinds[why];
		names->problem = message_problem(page->arena, &problem);
	}
	return result;
}

enum store_result
form_check_barred(
    const struct page *page, const struct article *article, struct input *names)
{
	struct problem problem = { .kind = PROBLEM_GROUP_BARRED };
	enum store_result result;

	if (names->problem.size > 0)
		return STORE_OK;
	result = article_find_barred(page->store, page->arena, article,
	    form_words_without(page->arena, names->value, article->groups),
	    &problem.word);
	if (result == STORE_OK && problem.word.size > 0)
		names->problem = message_problem(page->arena, &problem);
	return result;
}

struct choices_model
form_group_choices(
    const struct page *page, struct text names, struct text *others)
{
	struct text *groups, all = TEXT("");
	struct group_choice *items;
	bool is_closed[FORM_CHOICES_MAX];
	uint64_t total;
	size_t count, open = 0;

	names = rule_plain_groups(page->arena, names);
	*others = names;
	if (group_names(page->store, page->arena, FORM_CHOICES_MAX, &groups,
		&count, &total) != STORE_OK ||
	    group_find_closed(
		page->store, page->arena, groups, count, is_closed) != STORE_OK)
		return (struct choices_model){ .had = names, .many = true };
	items = arena_new(page->arena, struct group_choice, count);
	for (size_t i = 0; i < count; i++) {
		bool is_chosen = text_has_word(names, groups[i]);

		all = text_add_word(page->arena, all, groups[i]);
		if (is_chosen || !is_closed[i])
			items[open++] =
			    (struct group_choice){ groups[i], is_chosen };
	}
	*others = form_words_without(page->arena, names, all);
	return (struct choices_model){ .groups = { items, open },
		.had = names,
		.none = total == 0,
		.many = total > count };
}

struct text
form_chosen_groups(const struct page *page, struct text typed)
{
	const struct text mark = TEXT("g-");
	const struct pairs *sent = page_sent(page);

	for (size_t i = 0; i < sent->count; i++) {
		struct text name = sent->items[i].name;

		if (text_starts(name, mark))
			typed = text_add_word(page->arena, typed,
			    text_slice(name, mark.size, name.size));
	}
	return typed;
}

void
form_group_changes(
    const struct page *page, struct text *added, struct text *removed)
{
	struct text had = pairs_get(page_sent(page), TEXT("had"));
	struct text has = form_chosen_groups(page, TEXT(""));

	if (!pairs_has(page_sent(page), TEXT("had")))
		return;
	*added = form_words_without(page->arena, has, had);
	*removed = form_words_without(page->arena, had, has);
}

static size_t
count_problems(const struct form *form, void *inputs)
{
	size_t count = 0;

	for (size_t i = 0; i < form->count; i++)
		count += input_of(&form->rows[i], inputs)->problem.size > 0;
	return count;
}

static void
focus_first(const struct form *form, void *inputs)
{
	for (size_t i = 0; i < form->count; i++) {
		struct input *input = input_of(&form->rows[i], inputs);

		if (input->problem.size == 0)
			continue;
		input->is_focused = true;
		return;
	}
}

struct form_model
form_model_of(const struct page *page, const struct form *form, void *inputs,
    enum http_status status)
{
	struct form_model model = {
		.csrf = page_form_token(page),
		.has_problems = !form_is_valid(form, inputs),
		.has_several = count_problems(form, inputs) > 1,
	};
	struct error_words words;

	focus_first(form, inputs);
	if (status == HTTP_OK || status == HTTP_UNPROCESSABLE)
		return model;
	words = page_explain(page, status);
	model.refusal = words.title;
	model.advice = words.advice;
	model.detail = page->detail;
	model.signed_out = status == HTTP_UNAUTHORIZED;
	return model;
}
