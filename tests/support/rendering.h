/*
 * Renders texts of members for tests of the markup.
 */
#pragma once

#include "fixture.h"
#include "markup/markup.h"

/* The HTML of a whole text, with links to the given names. */
struct text html_of_text(
    struct arena *arena, struct text source, const struct markup_names *names);
