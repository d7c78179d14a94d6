#include "mustache/lookup.h"

#include <string.h>

static const struct reference nothing;

const struct mustache_field *
mustache_field_named(const struct mustache_type *type, struct text name)
{
	for (size_t i = 0; type != NULL && i < type->count; i++) {
		const char *field = type->fields[i].name;

		if (strncmp(field, name.data, name.size) == 0 &&
		    field[name.size] == '\0')
			return &type->fields[i];
	}
	return NULL;
}

const struct mustache_field *
mustache_self(const struct mustache_type *type)
{
	if (type == NULL || type->count != 1 ||
	    strcmp(type->fields[0].name, ".") != 0)
		return NULL;
	return &type->fields[0];
}

static struct reference
field_at(const struct mustache_field *field, const void *data)
{
	const struct mustache_value *value = data;

	if (field->kind == MUSTACHE_OBJECT)
		return mustache_struct_at(field->type, data);
	if (field->kind != MUSTACHE_VALUE)
		return (struct reference){ field->kind, field->type, data };
	if (value->kind == MUSTACHE_VALUE)
		return nothing;
	if (value->kind == MUSTACHE_OBJECT)
		return mustache_struct_at(value->type, value->as.object);
	return (struct reference){ value->kind, value->type, &value->as };
}

struct reference
mustache_struct_at(const struct mustache_type *type, const void *data)
{
	const struct mustache_field *self = mustache_self(type);

	if (self == NULL || data == NULL)
		return (struct reference){ MUSTACHE_OBJECT, type, data };
	return field_at(self, (const char *)data + self->offset);
}

/* The field of an object; nothing when it has none, or is no object. */
static struct reference
member(struct reference object, struct text name)
{
	const struct mustache_field *field;

	if (object.kind != MUSTACHE_OBJECT || object.data == NULL)
		return nothing;
	field = mustache_field_named(object.type, name);
	if (field == NULL)
		return nothing;
	return field_at(field, (const char *)object.data + field->offset);
}

struct reference
mustache_search(const struct instruction *instruction,
    const struct reference *contexts, size_t count)
{
	const struct binding *binding =
	    mustache_binding(instruction, contexts, count);
	struct reference value = nothing;

	if (binding != NULL)
		return field_at(binding->field,
		    (const char *)contexts[count - 1 - binding->below].data +
			binding->offset);
	if (instruction->part_count == 0)
		return count > 0 ? contexts[count - 1] : nothing;
	while (value.data == NULL && count > 0)
		value = member(contexts[--count], instruction->parts[0]);
	for (size_t i = 1; i < instruction->part_count; i++)
		value = member(value, instruction->parts[i]);
	return value;
}

bool
mustache_is_true(struct reference value)
{
	if (value.data == NULL)
		return false;
	switch (value.kind) {
	case MUSTACHE_TEXT:
	case MUSTACHE_HTML:
		return ((const struct text *)value.data)->size > 0;
	case MUSTACHE_FLAG:
		return *(const bool *)value.data;
	case MUSTACHE_LIST:
		return ((const struct mustache_list *)value.data)->count > 0;
	default:
		return true;
	}
}
