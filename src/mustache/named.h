/*
 * Which fields the checked templates of a set name, for mustache_all_used.
 */
#pragma once

#include "mustache/template.h"

/* Records that a name led to the field, and so to what an object stands for. */
void named_record(
    const struct mustache_set *set, const struct mustache_field *field);
