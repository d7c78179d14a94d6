/*
 * Limits that keep parsing linear on hostile input, so that it does not block the worker's
 * loop.
 *
 * libcmark takes linear time for nearly all texts, but more for some: an empty line is
 * passed to each open list, and a link to each image that began before it. So the
 * nesting depth of a text is checked, and its marks are counted, before it is parsed.
 *
 * Depth is computed from the beginning of each line alone. It is never less than
 * libcmark's: a container that is open at a mark was begun by a mark before it on the
 * same line, or the mark is indented as far as the container, and a list takes at least
 * two columns. A line of "* * *" is a rule and has no depth.
 */
#pragma once

#include "base/text.h"

/*
 * Measured: the slowest of some hundred thousand texts that repeat up to three short
 * patterns take 3 ms within these limits. Real texts have fewer marks: of 2,400
 * pieces of source code and of pages about it, the densest has one mark to every four characters.
 */
enum {
	MARKUP_CHARACTERS_MAX = 20000,
	MARKUP_DEPTH_MAX = 12, /* of quotes and lists that begin on one line */
	MARKUP_COLUMNS_MAX = 48, /* of indentation before a list */
	MARKUP_MARKS_MAX = 6000, /* characters that may be markup */
	MARKUP_IMAGES_MAX = 200	 /* "![" */
};

/* See markup_within_limits. */
bool limits_allow(struct text source);
