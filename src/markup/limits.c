#include "markup/limits.h"

#include <limits.h>
#include <string.h>

#include "base/utf8.h"

static bool
is_in(char c, struct text set)
{
	return memchr(set.data, c, set.size) != NULL;
}

/* The size of the marker of a quote or a list item; 0 if there is none. */
static size_t
mark_size(struct text rest)
{
	size_t size = 0;

	if (text_starts(rest, TEXT(">")))
		return 1;
	while (size < rest.size && is_in(rest.data[size], TEXT("0123456789")))
		size++;
	if (size == rest.size ||
	    !is_in(rest.data[size], size == 0 ? TEXT("*-+") : TEXT(".)")))
		return 0;
	size++;
	return size == rest.size || text_is_space(rest.data[size]) ? size : 0;
}

/* Whether a line is a horizontal rule: "* * *", at least three of the same character. */
static bool
is_rule(struct text rest)
{
	size_t count = 0;
	char first;

	if (rest.size == 0 || !is_in(rest.data[0], TEXT("*-_")))
		return false;
	first = rest.data[0];
	for (size_t i = 0; i < rest.size; i++) {
		if (rest.data[i] == first)
			count++;
		else if (!is_in(rest.data[i], TEXT(" \t")))
			return false;
	}
	return count >= 3;
}

/* Skips spaces and tabs; returns the column at their end. */
static size_t
skip_blanks(struct text *rest, size_t column)
{
	while (rest->size > 0 && is_in(rest->data[0], TEXT(" \t"))) {
		column =
		    rest->data[0] == '\t' ? (column / 4 + 1) * 4 : column + 1;
		*rest = text_slice(*rest, 1, rest->size);
	}
	return column;
}

static bool
is_line_shallow(struct text line)
{
	size_t column = skip_blanks(&line, 0), depth = 0, size;

	while ((size = mark_size(line)) > 0 && !is_rule(line)) {
		depth++;
		if (depth > MARKUP_DEPTH_MAX ||
		    (column > MARKUP_COLUMNS_MAX && line.data[0] != '>'))
			return false;
		line = text_slice(line, size, line.size);
		column = skip_blanks(&line, column + size);
	}
	return true;
}

/* How a byte counts as a mark for libcmark: not; once for a run; each; or each that follows
 * another mark. */
enum weight { PLAIN, MARKS_TOGETHER, MARK, MARK_AFTER_MARK };

static const unsigned char weights[UCHAR_MAX + 1] = {
	['*'] = MARKS_TOGETHER,
	['_'] = MARKS_TOGETHER,
	['`'] = MARKS_TOGETHER,
	['\n'] = MARK,
	['\r'] = MARK,
	['\\'] = MARK,
	['&'] = MARK,
	['['] = MARK,
	[']'] = MARK,
	['<'] = MARK,
	['!'] = MARK,
	['"'] = MARK_AFTER_MARK,
	['\''] = MARK_AFTER_MARK,
	['-'] = MARK_AFTER_MARK,
	['.'] = MARK_AFTER_MARK,
};

static bool
has_few_marks(struct text source)
{
	size_t marks = 0, images = 0;
	bool was_mark = true;
	char before = '\n';

	for (size_t i = 0; i < source.size; i++) {
		char c = source.data[i];
		enum weight weight = weights[(unsigned char)c];

		images += c == '[' && before == '!';
		marks += weight == MARK ||
		    (weight == MARKS_TOGETHER && c != before) ||
		    (weight == MARK_AFTER_MARK && was_mark);
		was_mark =
		    weight != PLAIN && (weight != MARK_AFTER_MARK || was_mark);
		before = c;
	}
	return marks <= MARKUP_MARKS_MAX && images <= MARKUP_IMAGES_MAX;
}

bool
limits_allow(struct text source)
{
	struct text line, part;

	if (utf8_length(source) > MARKUP_CHARACTERS_MAX ||
	    !has_few_marks(source))
		return false;
	if (text_starts(source, TEXT("\uFEFF"))) /* libcmark skips it. */
		source = text_slice(source, 3, source.size);
	while (text_cut(&source, '\n', &line))
		while (text_cut(&line, '\r', &part))
			if (!is_line_shallow(part))
				return false;
	return true;
}
