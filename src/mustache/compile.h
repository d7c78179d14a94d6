/* Compiles a template's source into instructions. */
#pragma once

#include "mustache/template.h"

/* Sets the template's instructions, in the arena. False, and error, for a syntax error. */
bool mustache_compile(struct arena *arena, struct mustache_template *template,
    struct mustache_error *error);
