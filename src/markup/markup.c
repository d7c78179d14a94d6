#include "markup/markup.h"

#include "base/buffer.h"
#include "markup/html.h"
#include "markup/limits.h"
#include "markup/tree.h"
#include "mustache/escape.h"

bool
markup_within_limits(struct text source)
{
	return limits_allow(source);
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

/* A text that is not to be parsed, line by line; as a whole, or not at all. */
static struct text
unparsed(struct arena *arena, struct text source, size_t max, bool *is_cut)
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
	*is_cut = out.size > max;
	return *is_cut ? TEXT("") : buffer_text(&out);
}

static struct text
written(struct arena *arena, struct text source,
    const struct markup_rendering *rendering, bool *is_cut)
{
	const struct html_options wanted = { .elements_max =
						 MARKUP_ELEMENTS_MAX,
		.max = rendering->max,
		.known = rendering->known,
		.refused = rendering->refused };
	struct html_result made;

	if (!markup_within_limits(source))
		return unparsed(arena, source, rendering->max, is_cut);
	made = html_render(arena, source, &wanted);
	*is_cut = made.is_cut;
	return made.html;
}

struct text
markup_html(struct arena *arena, struct text source,
    const struct markup_rendering *rendering, bool *is_cut)
{
	struct text html = written(arena, source, rendering, is_cut);
	bool is_shorter_cut;

	for (size_t size = source.size / 2;
	    *is_cut && html.size == 0 && size > 0; size /= 2)
		html =
		    written(arena, text_slice(source, 0, cut_at(source, size)),
			rendering, &is_shorter_cut);
	return html;
}

void
markup_find_names(
    struct arena *arena, struct text source, struct markup_names *names)
{
	*names = mentions_new(arena);
	if (markup_within_limits(source))
		html_render(arena, source,
		    &(struct html_options){ .elements_max = MARKUP_ELEMENTS_MAX,
			.max = SIZE_MAX,
			.known = names,
			.found = names });
}

struct text
markup_find_blocked(
    struct arena *arena, struct text source, const struct hosts *refused)
{
	const struct markup_names nobody = { .member_count = 0 };
	const struct html_options wanted = { .elements_max =
						 MARKUP_ELEMENTS_MAX,
		.max = SIZE_MAX,
		.known = &nobody,
		.refused = refused };

	return markup_within_limits(source)
	    ? html_render(arena, source, &wanted).refused
	    : TEXT("");
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
		if (step.edge == TREE_LEAF)
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

	while (text_next_word(&text, &word)) {
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
	    arena, markup_within_limits(begun) ? said(arena, begun) : begun);

	if (begun.size == source.size && line.size <= max)
		return line;
	return text_join(
	    arena, text_slice(line, 0, cut_at(line, max)), TEXT("…"));
}
