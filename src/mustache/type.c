#include "mustache/type.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "mustache/template.h"

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

/* The note of the field, or the empty one at the end. */
static struct named *
find_note(const struct mustache_set *set, const struct mustache_field *field)
{
	struct named *note = set->named;

	while (note->field != NULL && note->field != field)
		note = note->next;
	return note;
}

/* An object that stands for a field names that with it. */
void
mustache_note_named(
    const struct mustache_set *set, const struct mustache_field *field)
{
	while (field != NULL) {
		struct named *note = find_note(set, field);

		if (note->field == NULL) {
			note->field = field;
			note->next = arena_new(set->arena, struct named, 1);
		}
		field = field->kind == MUSTACHE_OBJECT
		    ? mustache_self(field->type)
		    : NULL;
	}
}

/* A type on the way, and the one with the field that led to it. */
struct step {
	const struct mustache_type *type;
	const struct step *from;
};

static bool
all_named(const struct mustache_set *set, const struct step *step,
    struct mustache_error *error)
{
	const struct mustache_type *type = step->type;

	for (const struct step *at = step->from; at != NULL; at = at->from)
		if (at->type == type)
			return true;
	for (size_t i = 0; i < type->count; i++) {
		const struct mustache_field *field = &type->fields[i];
		struct step next = { field->type, step };

		if (find_note(set, field)->field == NULL) {
			*error = (struct mustache_error){ 0 };
			error->template = text_of(type->name);
			snprintf(error->message, sizeof(error->message),
			    "'%s' is named by no template", field->name);
			return false;
		}
		if (field->type != NULL && !all_named(set, &next, error))
			return false;
	}
	return true;
}

bool
mustache_all_named(const struct mustache_set *set,
    const struct mustache_type *type, struct mustache_error *error)
{
	return all_named(set, &(struct step){ .type = type }, error);
}
