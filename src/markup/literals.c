#include "markup/literals.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "markup/autolink.h"

#define UNDERSCORE TEXT("\uFDD0")
#define ASTERISK   TEXT("\uFDD1")

static bool
is_mark(char c)
{
	return c == '_' || c == '*';
}

/*
 * Adds a spot. Marks at its end are emphasis that ends there, "_@name_", and one
 * behind a backslash is none already.
 */
static void
add_spot(struct buffer *out, const struct autolink *spot, struct text text)
{
	size_t end = spot->end;

	while (is_mark(text.data[end - 1]))
		end--;
	for (size_t i = spot->start; i < spot->end; i++) {
		char c = text.data[i];

		if (i >= end || !is_mark(c) || text.data[i - 1] == '\\')
			buffer_add_char(out, c);
		else
			buffer_add(out, c == '_' ? UNDERSCORE : ASTERISK);
	}
}

struct text
literals_hide(struct arena *arena, struct text text)
{
	struct buffer out;
	struct autolink spot;
	size_t at = 0;

	if (!autolink_next(text, 0, 0, &spot) ||
	    text_find(text, 0, UNDERSCORE) != SIZE_MAX ||
	    text_find(text, 0, ASTERISK) != SIZE_MAX)
		return text;
	out = buffer_in(arena, text.size + 64);
	for (; autolink_next(text, at, 0, &spot); at = spot.end) {
		buffer_add(&out, text_slice(text, at, spot.start - at));
		add_spot(&out, &spot, text);
	}
	buffer_add(&out, text_slice(text, at, text.size));
	return buffer_text(&out);
}

/* Puts a mark back wherever its code point is. */
static struct text
put_back(struct arena *arena, struct text text, struct text hidden, char mark)
{
	struct buffer out;
	size_t at = 0, next = text_find(text, 0, hidden);

	if (next == SIZE_MAX)
		return text;
	out = buffer_in(arena, text.size);
	for (; next != SIZE_MAX; next = text_find(text, at, hidden)) {
		buffer_add(&out, text_slice(text, at, next - at));
		buffer_add_char(&out, mark);
		at = next + hidden.size;
	}
	buffer_add(&out, text_slice(text, at, text.size));
	return buffer_text(&out);
}

struct text
literals_restore(struct arena *arena, struct text text)
{
	return put_back(
	    arena, put_back(arena, text, UNDERSCORE, '_'), ASTERISK, '*');
}
