/*
 * UTF-8: validation, which input gets once, removal of deceptive characters, and folding of letters
 * for search.
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

/* What a code point is in a word. */
enum utf8_class {
	UTF8_SEPARATOR, /* nothing */
	UTF8_LETTER,	/* a letter or a number */
	UTF8_MARK,	/* combines with the letter before it */
	UTF8_IGNORABLE	/* is not seen: a joiner, a soft hyphen */
};
enum utf8_class utf8_class_of(int32_t point);

/*
 * Folds a letter and its marks, so that those which a reader would call the same are equal: no
 * case, no accents, no vowel signs of Arabic and Hebrew, the compatible letter for a wide, joined
 * or raised one. Signs of vowels that have a place of their own in the script stay (Hindi, Thai,
 * kana). Returns how many code points it wrote; 0 when nothing is left or there is no room.
 */
enum { UTF8_FOLD_MAX = 32 };
size_t utf8_fold(
    const int32_t *points, size_t count, int32_t folded[UTF8_FOLD_MAX]);

/* Writes a code point; returns its bytes, 1 to 4. */
size_t utf8_encode(int32_t point, char bytes[4]);

/* The version of Unicode by which the functions above decide. */
const char *utf8_unicode_version(void);

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

/* The text with U+FFFD in place of each byte that is not UTF-8, and of what XML 1.0 cannot
 * have (section 2.2, "Char"): control characters, U+FFFE and U+FFFF. */
struct text utf8_for_xml(struct arena *arena, struct text text);
