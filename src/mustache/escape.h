/* Escapes text for HTML elements and quoted attributes. */
#pragma once

#include "base/text.h"

struct buffer;

/* Appends text to out, with & < > " and ' written as character references. */
void mustache_escape(struct buffer *out, struct text text);
