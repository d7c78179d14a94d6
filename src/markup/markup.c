#include "markup/markup.h"

#include "base/buffer.h"
#include "markup/bound.h"
#include "markup/html.h"
#include "markup/tree.h"
#include "mustache/escape.h"

bool
markup_is_tame(struct text source)
{
	return bound_is_tame(source);
}

/* A text that is not to be parsed, line by line. */
static struct text
unparsed(struct arena *arena, struct text source)
{
	struct buffer out =
	    buffer_in(arena, source.size + source.size / 8 + 64);
	struct text line;

	buffer_add(&out, TEXT("<p dir=\"auto\">"));
	while (text_cut(&source, '\n', &line)) {
		mustache_escape(&out, line);
		if (source.data != NULL)
			buffer_add(&out, TEXT("<br>\n"));
	}
	buffer_add(&out, TEXT("</p>\n"));
	return buffer_text(&out);
}

struct text
markup_html(
    struct arena *arena, struct text source, const struct markup_names *known)
{
	return markup_is_tame(source)
	    ? html_of(arena, source, MARKUP_ELEMENTS_MAX, known, NULL)
	    : unparsed(arena, source);
}

void
markup_find_names(
    struct arena *arena, struct text source, struct markup_names *names)
{
	*names = mentions_in(arena);
	if (markup_is_tame(source))
		html_of(arena, source, MARKUP_ELEMENTS_MAX, names, names);
}

/* Where a text may be cut that is to have at most max bytes. */
static size_t
cut_at(struct text text, size_t max)
{
	size_t end = max, word;

	if (text.size <= max)
		return text.size;
	while (end > 0 && ((unsigned char)text.data[end] & 0xc0) == 0x80)
		end--;
	for (word = end; word > 0 && word >= max / 2; word--)
		if (text.data[word] == ' ')
			return word;
	return end;
}

/* All that a text says, with spaces between what has marks between. */
static struct text
said(struct arena *arena, struct text source)
{
	struct buffer out = buffer_in(arena, source.size + 64);
	struct tree *tree = tree_parse(arena, source);
	struct tree_step step;

	while (tree_next(tree, &step)) {
		bool parts = step.kind <= TREE_HTML_BLOCK ||
		    step.kind == TREE_SOFT_BREAK ||
		    step.kind == TREE_HARD_BREAK;

		if (parts)
			buffer_add_char(&out, ' ');
		if (step.edge == TREE_IS)
			buffer_add(&out, step.text);
	}
	tree_free(tree);
	return buffer_text(&out);
}

static struct text
on_one_line(struct arena *arena, struct text text)
{
	struct buffer out = buffer_in(arena, text.size);
	struct text word;

	while (text_word(&text, &word)) {
		if (out.size > 0)
			buffer_add_char(&out, ' ');
		buffer_add(&out, word);
	}
	return buffer_text(&out);
}

/* How many times as long as what a text says its marks are taken to make it. */
enum { MARKS_FACTOR = 16 };

struct text
markup_plain(struct arena *arena, struct text source, size_t max)
{
	struct text begun =
	    text_slice(source, 0, cut_at(source, MARKS_FACTOR * max));
	struct text line = on_one_line(
	    arena, markup_is_tame(begun) ? said(arena, begun) : begun);

	if (begun.size == source.size && line.size <= max)
		return line;
	return text_join(
	    arena, text_slice(line, 0, cut_at(line, max)), TEXT("…"));
}
