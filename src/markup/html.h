/*
 * Writing what a Markdown text means as HTML: one walk over its steps, which both
 * links the names that are known and finds those that there are.
 */
#pragma once

#include "markup/mentions.h"

/* The HTML of a tame text, with at most so many elements one within the other. found,
 * which may be NULL, takes the names that it mentions. */
struct text html_of(struct arena *arena, struct text source,
    size_t elements_max, const struct markup_names *known,
    struct markup_names *found);
