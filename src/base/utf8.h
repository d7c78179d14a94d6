/*
 * UTF-8, validated once, where it comes in.
 */
#pragma once

#include "base/text.h"

/* No overlong forms, no surrogates, nothing above U+10FFFF. */
bool utf8_valid(struct text text);

/* Takes the first code point from *text; false when that is empty or does not
 * begin with a valid one. */
bool utf8_take(struct text *text, int32_t *point);

/* How many code points a valid text has. */
size_t utf8_length(struct text text);

/* At least one code point that is neither a space nor invisible. */
bool utf8_visible(struct text text);

/* The control characters that utf8_clean keeps. */
enum utf8_lines {
	UTF8_ONE_LINE,	/* none */
	UTF8_MANY_LINES /* line feed and tab */
};

/*
 * Removes from a valid text what is invisible and can deceive: control
 * characters, marks that change the direction of writing, and characters of no
 * width. Zero width joiners stay, since emoji and several scripts need them. If
 * line feeds are kept, a carriage return and line feed, or one alone, becomes a
 * line feed. *refused tells whether a control or direction character was
 * removed.
 */
struct text utf8_clean(struct arena *arena, struct text text,
    enum utf8_lines lines, bool *refused);
