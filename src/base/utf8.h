/*
 * UTF-8, checked once where it comes in.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

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

/* What utf8_clean may leave of the controls. */
enum utf8_lines {
	UTF8_ONE_LINE,	/* nothing */
	UTF8_MANY_LINES /* line feed and tab */
};

/*
 * A valid text without what cannot be seen and can deceive: control characters,
 * the marks that turn the direction of writing, and marks of no width. Zero
 * width joiners stay, since emoji and several scripts are written with them. A
 * carriage return and line feed become one line feed before anything else.
 * *refused says whether a control or direction character was taken out.
 */
struct text utf8_clean(struct arena *arena, struct text text,
    enum utf8_lines lines, bool *refused);

#endif
