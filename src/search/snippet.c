#include "search/snippet.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "markup/markup.h"
#include "search/match.h"

enum {
	MARKS_MAX = 256,
	LEAD_BYTES = 80, /* of the text before the first word that is marked */
	WORD_MAX = 40	 /* bytes that are searched for the end of a word */
};

/* Marks that are looked at, in their order. */
struct marks {
	struct match_mark items[MARKS_MAX];
	size_t count;
};

static bool
is_inside_character(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* The next start of a word at or after an offset; where there is none near, of a character. */
static size_t
next_start(struct text text, size_t at)
{
	size_t end = at + WORD_MAX < text.size ? at + WORD_MAX : text.size;
	size_t next = at;

	if (at == 0)
		return 0;
	while (next < end && !text_is_space(text.data[next - 1]))
		next++;
	if (next < end)
		return next;
	while (at < text.size && is_inside_character(text.data[at]))
		at++;
	return at;
}

/* The last end of a word at or before an offset, which is after start; or of a character. */
static size_t
last_end(struct text text, size_t start, size_t at)
{
	size_t first = at - start > WORD_MAX ? at - WORD_MAX : start;
	size_t last = at;

	if (at >= text.size)
		return text.size;
	while (last > first && !text_is_space(text.data[last]))
		last--;
	if (last > first)
		return last;
	while (at > start && is_inside_character(text.data[at]))
		at--;
	return at;
}

/* How many marks end within a snippet that has its lead before mark i. */
static size_t
marks_from(const struct marks *marks, size_t i)
{
	size_t end = marks->items[i].start + SNIPPET_BYTES - LEAD_BYTES;
	size_t count = 0;

	while (i + count < marks->count && marks->items[i + count].end <= end)
		count++;
	return count;
}

/* Where the snippet with most marks starts; of several the first. */
static size_t
best_start(struct text text, const struct marks *marks)
{
	size_t best = 0, most = 0, start;

	for (size_t i = 0; i < marks->count; i++) {
		size_t count = marks_from(marks, i);

		if (count > most) {
			most = count;
			best = i;
		}
	}
	if (text.size <= SNIPPET_BYTES || marks->count == 0)
		return 0;
	start = marks->items[best].start;
	if (start <= LEAD_BYTES)
		return 0;
	/* Near the end of the text there is room for more before the mark. */
	if (start - LEAD_BYTES > text.size - SNIPPET_BYTES)
		return next_start(text, text.size - SNIPPET_BYTES);
	return next_start(text, start - LEAD_BYTES);
}

/* A part of the text with its white space as single spaces; *had_space: the part before it
 * ended with one. */
static struct text
one_line(struct arena *arena, struct text part, bool *had_space)
{
	struct buffer out = buffer_in(arena, part.size + 1);

	for (size_t i = 0; i < part.size; i++) {
		bool is_space = text_is_space(part.data[i]);

		if (!is_space)
			buffer_add_char(&out, part.data[i]);
		else if (!*had_space)
			buffer_add_char(&out, ' ');
		*had_space = is_space;
	}
	return buffer_text(&out);
}

static struct snippet
cut_snippet(struct arena *arena, struct text text, const struct marks *marks,
    size_t start, size_t end)
{
	struct snippet snippet = { .is_cut_before = start > 0,
		.is_cut_after = end < text.size,
		.pieces = arena_new(
		    arena, struct snippet_piece, 2 * marks->count + 1) };
	bool had_space = true;
	size_t at = start;

	for (size_t i = 0; i < marks->count; i++) {
		const struct match_mark *mark = &marks->items[i];

		if (mark->start < at || mark->end > end)
			continue;
		if (mark->start > at)
			snippet.pieces[snippet.count++].text = one_line(arena,
			    text_slice(text, at, mark->start - at), &had_space);
		snippet.pieces[snippet.count++] =
		    (struct snippet_piece){ one_line(arena,
						text_slice(text, mark->start,
						    mark->end - mark->start),
						&had_space),
			    true };
		at = mark->end;
	}
	if (at < end)
		snippet.pieces[snippet.count++].text =
		    one_line(arena, text_slice(text, at, end - at), &had_space);
	return snippet;
}

static struct marks *
marks_of(struct arena *arena, const struct query *query, enum match_field field,
    struct text text)
{
	struct marks *marks = arena_new(arena, struct marks, 1);

	marks->count =
	    match_marks(arena, query, field, text, marks->items, MARKS_MAX);
	return marks;
}

struct snippet
snippet_of(struct arena *arena, const struct query *query, struct text text,
    enum snippet_form form)
{
	struct text written = text_trim(text);
	const struct marks *marks, *others;
	size_t start, end;

	text = form == SNIPPET_MARKDOWN
	    ? markup_plain(arena, written, written.size)
	    : written;
	marks = marks_of(arena, query, MATCH_TEXT, text);
	if (form == SNIPPET_MARKDOWN && marks->count == 0) {
		others = marks_of(arena, query, MATCH_TEXT, written);
		text = others->count > 0 ? written : text;
		marks = others->count > 0 ? others : marks;
	}
	start = best_start(text, marks);
	end = last_end(text, start, start + SNIPPET_BYTES);
	return cut_snippet(arena, text, marks, start, end);
}

struct snippet
snippet_of_title(
    struct arena *arena, const struct query *query, struct text title)
{
	const struct marks *marks = marks_of(arena, query, MATCH_TITLE, title);

	return cut_snippet(arena, title, marks, 0, title.size);
}
