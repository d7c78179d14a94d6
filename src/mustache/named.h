/*
 * Records the fields that checked templates name, for mustache_all_used.
 */
#pragma once

#include "mustache/template.h"

/* Records a named field, and the field that represents its type, if any. */
void named_record(
    const struct mustache_set *set, const struct mustache_field *field);
