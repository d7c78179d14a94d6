#include "http/form.h"

static struct text *
value_of(const struct form_field *field, void *values)
{
	return (struct text *)(void *)((char *)values + field->offset);
}

struct text
form_value(const struct form_field *field, const void *values)
{
	return *(const struct text *)(const void *)((const char *)values +
	    field->offset);
}

size_t
form_read(const struct form *form, struct arena *arena,
    const struct pairs *pairs, void *values, struct text *problems)
{
	size_t wrong = 0;

	for (size_t i = 0; i < form->count; i++) {
		const struct form_field *field = &form->fields[i];
		struct text *value = value_of(field, values);

		*value = pairs_get(pairs, text_of(field->name));
		problems[i] = field->check(arena, value);
		wrong += problems[i].size > 0;
	}
	return wrong;
}
