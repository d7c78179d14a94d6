/* Text as it is written in HTML, in an element or between quotation marks. */
#pragma once

#include "base/text.h"

struct buffer;

/* Appends a text with & < > and " as character references. */
void escape_html(struct buffer *out, struct text text);
