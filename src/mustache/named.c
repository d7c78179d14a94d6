#include "mustache/named.h"

#include "base/arena.h"
#include "mustache/error.h"
#include "mustache/lookup.h"

/* The field's entry, or the empty one at the end of the list. */
static struct named *
find_named(const struct mustache_set *set, const struct mustache_field *field)
{
	struct named *named = set->named;

	while (named->field != NULL && named->field != field)
		named = named->next;
	return named;
}

void
named_record(const struct mustache_set *set, const struct mustache_field *field)
{
	while (field != NULL) {
		struct named *named = find_named(set, field);

		if (named->field == NULL) {
			named->field = field;
			named->next = arena_new(set->arena, struct named, 1);
		}
		field = field->kind == MUSTACHE_OBJECT
		    ? mustache_self(field->type)
		    : NULL;
	}
}

/* A type being visited, and the one with the field that led to it. */
struct step {
	const struct mustache_type *type;
	const struct step *from;
};

static bool
check_all_named(const struct mustache_set *set, const struct step *step,
    struct mustache_error *error)
{
	const struct mustache_type *type = step->type;
	const struct mustache_template nowhere = { .name =
						       text_of(type->name) };

	for (const struct step *at = step->from; at != NULL; at = at->from)
		if (at->type == type)
			return true;
	for (size_t i = 0; i < type->count; i++) {
		const struct mustache_field *field = &type->fields[i];

		if (find_named(set, field)->field == NULL)
			return mustache_fail(error, &nowhere, 0,
			    "'%s' is not named in any template", field->name);
		if (field->type != NULL &&
		    !check_all_named(
			set, &(struct step){ field->type, step }, error))
			return false;
	}
	return true;
}

bool
mustache_all_used(const struct mustache_set *set,
    const struct mustache_type *type, struct mustache_error *error)
{
	return check_all_named(set, &(struct step){ .type = type }, error);
}
