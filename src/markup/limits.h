/*
 * What a text may have in it, so that parsing and showing it takes no longer than a
 * loop that serves everybody has.
 *
 * libcmark takes time in proportion to a text's length for nearly all texts, but more
 * for some: an empty line is handed to each list that is open, and a link to each
 * image that has begun before it. So a text's depth is looked at, and what it has to
 * weigh is counted, before it sees the text.
 *
 * Depth is taken from the beginning of each line, without memory of those before. It is
 * never less than what libcmark makes of it: what is open behind a mark was begun by a
 * mark before it on the same line, or is there because the mark is indented as far, and
 * a list takes two columns at least. A line of "* * *" is a rule and has no depth.
 */
#pragma once

#include "base/text.h"

/*
 * Measured: with these the worst texts that were found, among some hundred thousand that
 * repeat up to three short patterns, take 3 ms. Nobody writes so many marks: of 2,400
 * pieces of source code and of pages about it, the densest has one to four characters.
 */
enum {
	MARKUP_CHARACTERS_MAX = 20000,
	MARKUP_DEPTH_MAX = 12,	 /* quotes and lists that begin on one line */
	MARKUP_COLUMNS_MAX = 48, /* before a list */
	MARKUP_MARKS_MAX = 6000, /* characters that may mean something */
	MARKUP_IMAGES_MAX = 200	 /* "![" */
};

/* What markup_within_limits says. */
bool limits_allow(struct text source);
