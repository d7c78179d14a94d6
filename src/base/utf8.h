/*
 * UTF-8: validation, which input gets once, and removal of deceptive characters.
 */
#pragma once

#include "base/text.h"

/* No overlong forms, no surrogates, nothing above U+10FFFF. */
bool utf8_valid(struct text text);

/* Takes the first code point from *text; false when that is empty or does not
 * begin with a valid one. */
bool utf8_next(struct text *text, int32_t *point);

/* How many code points a valid text has. */
size_t utf8_length(struct text text);

/* At least one code point that is neither a space nor invisible. */
bool utf8_visible(struct text text);

/* The control characters that utf8_clean keeps. */
enum utf8_lines {
	UTF8_ONE_LINE,	/* none */
	UTF8_MANY_LINES /* line feed and tab */
};

/* The most serious kind of the removed characters. */
enum utf8_removed {
	UTF8_NOTHING,	/* or characters that are usual in pasted text */
	UTF8_INVISIBLE, /* invisible characters, or too many marks */
	UTF8_DECEPTIVE	/* control or direction characters */
};

/* The maximum number of combining marks on a character (UTS #39, 5.4). */
enum { UTF8_MARKS_MAX = 4 };

/*
 * Removes from a valid text what is invisible and can deceive: control
 * characters, marks that change the direction of writing, format characters (Cf)
 * that take no room, tags, what Unicode has not assigned, and marks beyond the
 * fourth on a character. If line feeds are allowed, a carriage return, with or
 * without a line feed, becomes a line feed. *removed is the worst that was removed.
 *
 * Zero-width joiners stay where they change the rendering: beside a virama,
 * between letters of scripts whose letters join (after RFC 5892, A.1 and A.2; at
 * a word's end as well if they join), and in emoji that are made of several.
 * Elsewhere they are removed as UTF8_NOTHING.
 */
struct text utf8_clean(struct arena *arena, struct text text,
    enum utf8_lines lines, enum utf8_removed *removed);
