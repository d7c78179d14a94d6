/*
 * What types offer by name, and which of it the templates of a set have named.
 */
#ifndef MUSTACHE_TYPE_H
#define MUSTACHE_TYPE_H

#include "mustache/mustache.h"

/* NULL when the type, which may be NULL, has no such field. */
const struct mustache_field *mustache_field_named(
    const struct mustache_type *type, struct text name);

/* The field that a type stands for: its only one, named "."; or NULL. */
const struct mustache_field *mustache_self(const struct mustache_type *type);

/* Notes for mustache_all_named that a name led to the field, if to any. */
void mustache_note_named(
    const struct mustache_set *set, const struct mustache_field *field);

#endif
