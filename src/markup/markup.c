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

/* The offset at which to cut a text to at most max bytes: at a space in the second half, if
 * possible, and never within a character. */
static size_t
find_cut(struct text text, size_t max)
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

/* Renders a text outside of the limits as one paragraph; empty if that exceeds max. */
static struct text
render_unparsed(
    struct arena *arena, struct text source, size_t max, bool *is_cut)
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
render_once(struct arena *arena, struct text source,
    const struct markup_rendering *rendering, bool *is_cut)
{
	const struct html_options options = { .elements_max =
						  MARKUP_ELEMENTS_MAX,
		.max = rendering->max,
		.known = rendering->known,
		.blocked = rendering->blocked };
	struct html_result result;

	if (!markup_within_limits(source))
		return render_unparsed(arena, source, rendering->max, is_cut);
	result = html_render(arena, source, &options);
	*is_cut = result.is_cut;
	return result.html;
}

struct text
markup_html(struct arena *arena, struct text source,
    const struct markup_rendering *rendering, bool *is_cut)
{
	struct text html = render_once(arena, source, rendering, is_cut);
	bool is_shorter_cut;

	for (size_t size = source.size / 2;
	    *is_cut && html.size == 0 && size > 0; size /= 2)
		html = render_once(arena,
		    text_slice(source, 0, find_cut(source, size)), rendering,
		    &is_shorter_cut);
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
    struct arena *arena, struct text source, const struct hosts *blocked)
{
	const struct markup_names nobody = { .member_count = 0 };
	const struct html_options options = { .elements_max =
						  MARKUP_ELEMENTS_MAX,
		.max = SIZE_MAX,
		.known = &nobody,
		.blocked = blocked };

	return markup_within_limits(source)
	    ? html_render(arena, source, &options).blocked
	    : TEXT("");
}

struct text
markup_find_links(struct arena *arena, struct text source)
{
	const struct markup_names nobody = { .member_count = 0 };
	struct buffer links = buffer_in(arena, 64);
	const struct html_options options = { .elements_max =
						  MARKUP_ELEMENTS_MAX,
		.max = SIZE_MAX,
		.known = &nobody,
		.links = &links };

	if (markup_within_limits(source))
		(void)html_render(arena, source, &options);
	return buffer_text(&links);
}

/* The text without its markup, with spaces between blocks and lines. */
static struct text
plain_text(struct arena *arena, struct text source)
{
	struct buffer out = buffer_in(arena, source.size + 64);
	struct tree *tree = tree_parse(arena, source);
	struct tree_step step;

	while (tree_next(tree, &step)) {
		bool separates = step.is_block ||
		    step.kind == TREE_SOFT_BREAK ||
		    step.kind == TREE_HARD_BREAK;

		if (separates)
			buffer_add_char(&out, ' ');
		if (step.event == TREE_LEAF)
			buffer_add(&out, step.text);
	}
	tree_free(tree);
	return buffer_text(&out);
}

static struct text
join_lines(struct arena *arena, struct text text)
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

/* The assumed maximum ratio of a source to its plain text. */
enum { MARKS_FACTOR = 16 };

struct text
markup_plain(struct arena *arena, struct text source, size_t max)
{
	struct text begun =
	    text_slice(source, 0, find_cut(source, MARKS_FACTOR * max));
	struct text line = join_lines(arena,
	    markup_within_limits(begun) ? plain_text(arena, begun) : begun);

	if (begun.size == source.size && line.size <= max)
		return line;
	return text_join(
	    arena, text_slice(line, 0, find_cut(line, max)), TEXT("…"));
}
