/* What is wrong with a template, put into words. */
#ifndef MUSTACHE_ERROR_H
#define MUSTACHE_ERROR_H

#include "mustache/mustache.h"

/* Fills error with the line and column of a place in the source; is false. */
bool mustache_fail(struct mustache_error *error,
    const struct mustache_template *template, size_t at, const char *format,
    ...) __attribute__((format(printf, 4, 5)));

/* The start of a name, short enough for a message. */
struct text mustache_clip(struct text name);

#endif
