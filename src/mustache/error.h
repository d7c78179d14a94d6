/* Reports errors in templates. */
#pragma once

#include "mustache/mustache.h"

/*
 * Fills error with the line and column of a place in the template's source, or
 * with 0 and 0 when it has no source, and returns false.
 */
bool mustache_fail(struct mustache_error *error,
    const struct mustache_template *template, size_t at, const char *format,
    ...) __attribute__((format(printf, 4, 5)));

/* The arguments of "%.*s" for a name, shortened for a message. */
#define NAME_ARGS(name) TEXT_ARGS(text_slice((name), 0, 60))
