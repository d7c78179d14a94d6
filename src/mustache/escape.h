/* Text as it is written in HTML, in an element or a quoted attribute. */
#pragma once

#include "base/text.h"

struct buffer;

/* Appends text to out, with & < > " and ' written as character references. */
void mustache_escape(struct buffer *out, struct text text);
