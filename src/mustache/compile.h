/* From a template's source to its instructions. */
#pragma once

#include "mustache/template.h"

/* Sets instructions, in the arena. False, and error, when the syntax is
 * wrong. */
bool mustache_compile(struct arena *arena, struct mustache_template *template,
    struct mustache_error *error);
