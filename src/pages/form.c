#include "pages/form.h"

#include "store/group.h"

static struct input *
input_of(const struct form_row *row, void *inputs)
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
	for (size_t i = 0; i < form->count; i++) {
		struct input *input = input_of(&form->rows[i], inputs);
		struct problem problem =
		    form->rows[i].check(arena, &input->value);

		input->problem = words_problem(arena, &problem);
	}
	return form_is_good(form, inputs);
}

bool
form_is_good(const struct form *form, const void *inputs)
{
	for (size_t i = 0; i < form->count; i++) {
		const struct input *input =
		    (const void *)((const char *)inputs + form->rows[i].offset);

		if (input->problem.size > 0)
			return false;
	}
	return true;
}

void
form_mark(struct arena *arena, struct input *input, enum problem_kind kind)
{
	input->problem =
	    words_problem(arena, &(struct problem){ .kind = kind });
}

enum store_result
form_check_groups(const struct page *page, struct input *names)
{
	struct problem problem = { .kind = PROBLEM_GROUP_UNKNOWN };
	enum store_result result;

	if (names->problem.size > 0)
		return STORE_OK;
	result = group_unknown(
	    page->store, page->arena, names->value, &problem.word);
	if (result == STORE_OK && problem.word.size > 0)
		names->problem = words_problem(page->arena, &problem);
	return result;
}

struct form_model
form_model_of(const struct page *page, const struct form *form,
    const void *inputs, enum http_status status)
{
	struct form_model model = {
		.csrf =
		    page->form_token.size > 0 ? page->form_token : page->token,
		.has_problems = !form_is_good(form, inputs),
	};
	struct reason_words words;

	if (status == HTTP_OK || status == HTTP_UNPROCESSABLE)
		return model;
	words = page_explain(page, status);
	model.refusal = words.title;
	model.advice = words.advice;
	model.signed_out = status == HTTP_UNAUTHORIZED;
	return model;
}
