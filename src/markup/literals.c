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
 * Adds a link. Marks at its end are emphasis that ends there, "_@name_", and one
 * behind a backslash is none already.
 */
static void
add_link(struct buffer *out, const struct autolink *link, struct text text)
{
	size_t end = link->end;

	while (is_mark(text.data[end - 1]))
		end--;
	for (size_t i = link->start; i < link->end; i++) {
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
	struct autolink link;
	size_t at = 0;

	if (!autolink_next(text, 0, 0, &link) ||
	    text_find(text, 0, UNDERSCORE) != SIZE_MAX ||
	    text_find(text, 0, ASTERISK) != SIZE_MAX)
		return text;
	out = buffer_in(arena, text.size + 64);
	for (; autolink_next(text, at, 0, &link); at = link.end) {
		buffer_add(&out, text_slice(text, at, link.start - at));
		add_link(&out, &link, text);
	}
	buffer_add(&out, text_slice(text, at, text.size));
	return buffer_text(&out);
}

/* Replaces each noncharacter by its mark. */
static struct text
restore_mark(
    struct arena *arena, struct text text, struct text hidden, char mark)
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
	return restore_mark(
	    arena, restore_mark(arena, text, UNDERSCORE, '_'), ASTERISK, '*');
}
