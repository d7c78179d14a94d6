#include "server/style.h"

#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"

static bool
is_in(char c, const char *characters)
{
	return c != '\0' && strchr(characters, c) != NULL;
}

/* Where a comment ends that begins at a position; there if none does. */
static size_t
end_of_comment(struct text sheet, size_t at)
{
	size_t end;

	if (!text_starts(text_slice(sheet, at, sheet.size), TEXT("/*")))
		return at;
	end = text_find(sheet, at + 2, TEXT("*/"));
	return end == SIZE_MAX ? sheet.size : end + 2;
}

/* The same of a string. */
static size_t
end_of_string(struct text sheet, size_t at)
{
	char quote = sheet.data[at];

	if (!is_in(quote, "\"'"))
		return at;
	for (size_t i = at + 1; i < sheet.size; i++)
		if (sheet.data[i] == '\\')
			i++;
		else if (sheet.data[i] == quote)
			return i + 1;
	return sheet.size;
}

/* A space is needed between two words, but not around these; before a colon it is a part of
 * a selector. */
static bool
needs_space(char before, char after)
{
	return !is_in(before, ",;:{}") && !is_in(after, ",;{}");
}

struct text
style_compact(struct arena *arena, struct text sheet)
{
	struct buffer compact = buffer_in(arena, sheet.size);
	bool is_behind_space = false;
	char last = '{';
	size_t end;

	for (size_t at = 0; at < sheet.size; at = end) {
		end = end_of_comment(sheet, at);
		if (end == at && is_in(sheet.data[at], " \t\n\r"))
			end = at + 1;
		if (end > at) {
			is_behind_space = true;
			continue;
		}
		if (is_behind_space && needs_space(last, sheet.data[at]))
			buffer_add_char(&compact, ' ');
		is_behind_space = false;
		end = end_of_string(sheet, at);
		if (end == at)
			end = at + 1;
		buffer_add(&compact, text_slice(sheet, at, end - at));
		last = sheet.data[end - 1];
	}
	return buffer_text(&compact);
}
