/*
 * Looks up names in the data.
 */
#pragma once

#include "mustache/template.h"

/*
 * A value where it is stored: data points to what a field of that kind holds.
 * kind is never MUSTACHE_VALUE, and data NULL is no value at all.
 */
struct reference {
	enum mustache_kind kind;
	const struct mustache_type *type;
	const void *data;
};

/* The field of that name; NULL if there is none, or if type is NULL. */
const struct mustache_field *mustache_field_named(
    const struct mustache_type *type, struct text name);

/* The field that represents the whole type: its only one, named "."; or NULL. */
const struct mustache_field *mustache_self(const struct mustache_type *type);

/* The value of a struct of the type: itself, or the field it stands for. */
struct reference mustache_struct_at(
    const struct mustache_type *type, const void *data);

/*
 * The binding by mustache_check that fits the present contexts; NULL if there is none. The
 * context's type is compared, so that data of another type can give a wrong value but
 * never a wild pointer.
 */
static inline const struct binding *
mustache_binding(const struct instruction *instruction,
    const struct reference *contexts, size_t count)
{
	for (const struct binding *binding = instruction->bindings;
	    binding != NULL && binding->below < count;
	    binding = binding->next) {
		const struct reference *context =
		    &contexts[count - 1 - binding->below];

		if (context->type == binding->owner &&
		    context->kind == MUSTACHE_OBJECT)
			return binding;
	}
	return NULL;
}

/* The general case of mustache_lookup. */
struct reference mustache_search(const struct instruction *instruction,
    const struct reference *contexts, size_t count);

/*
 * Looks up an instruction's name in count contexts, the last one first. A page has some
 * 100 lookups, most of which take the inlined path: calls were a thirtieth of the time of
 * a member's page.
 */
static inline struct reference
mustache_lookup(const struct instruction *instruction,
    const struct reference *contexts, size_t count)
{
	const struct binding *binding =
	    mustache_binding(instruction, contexts, count);

	if (binding != NULL && binding->is_direct)
		return (struct reference){ binding->field->kind,
			binding->field->type,
			(const char *)contexts[count - 1 - binding->below]
				.data +
			    binding->offset };
	return mustache_search(instruction, contexts, count);
}

/* Whether a section renders its body for the value. */
bool mustache_is_true(struct reference value);
