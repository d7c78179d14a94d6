/*
 * Values in the data, and how a name leads to one.
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

/* NULL when the type, which may be NULL, has no such field. */
const struct mustache_field *mustache_field_named(
    const struct mustache_type *type, struct text name);

/* The field that a type stands for: its only one, named "."; or NULL. */
const struct mustache_field *mustache_self(const struct mustache_type *type);

/* The value of a struct of the type: itself, or the field it stands for. */
struct reference mustache_struct_at(
    const struct mustache_type *type, const void *data);

/*
 * Where mustache_check has found the name, if the context there is of the type that it
 * was found in; otherwise NULL. The type is compared so that data of another one can
 * give a wrong value but never a wild pointer.
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

/* What a name leads to in general. */
struct reference mustache_search(const struct instruction *instruction,
    const struct reference *contexts, size_t count);

/*
 * What the instruction's name leads to in count contexts, the last one first. A page
 * has some 100 of them, and what most are is said here: a thirtieth of a member's
 * page was calls.
 */
static inline struct reference
mustache_lookup(const struct instruction *instruction,
    const struct reference *contexts, size_t count)
{
	const struct binding *binding =
	    mustache_binding(instruction, contexts, count);

	if (binding != NULL && binding->field->kind <= MUSTACHE_FLAG)
		return (struct reference){ binding->field->kind,
			binding->field->type,
			(const char *)contexts[count - 1 - binding->below]
				.data +
			    binding->offset };
	return mustache_search(instruction, contexts, count);
}

/* Whether a section over the value is shown. */
bool mustache_is_true(struct reference value);
