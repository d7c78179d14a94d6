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

/* What the instruction's name leads to in count contexts, the last one
 * first. */
struct reference mustache_look_up(const struct instruction *instruction,
    const struct reference *contexts, size_t count);

/* Whether a section over the value is shown. */
bool mustache_is_true(struct reference value);
