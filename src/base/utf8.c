#include "base/utf8.h"

#include <utf8proc.h>
#include <wchar.h>

#include "base/arena.h"
#include "base/buffer.h"

bool
utf8_take(struct text *text, int32_t *point)
{
	utf8proc_ssize_t size;

	if (text->size == 0)
		return false;
	size = utf8proc_iterate((const utf8proc_uint8_t *)text->data,
	    (utf8proc_ssize_t)text->size, point);
	if (size <= 0 || *point < 0)
		return false;
	*text = text_slice(*text, (size_t)size, text->size);
	return true;
}

bool
utf8_valid(struct text text)
{
	int32_t point;

	for (;;) {
		/* Most text is ASCII, which needs no decoding. */
		while (text.size > 0 && (unsigned char)text.data[0] < 0x80)
			text = (struct text){ text.data + 1, text.size - 1 };
		if (!utf8_take(&text, &point))
			return text.size == 0;
	}
}

size_t
utf8_length(struct text text)
{
	size_t length = 0;

	for (size_t i = 0; i < text.size; i++)
		length += ((unsigned char)text.data[i] & 0xc0) != 0x80;
	return length;
}

bool
utf8_visible(struct text text)
{
	int32_t point;

	while (utf8_take(&text, &point)) {
		switch (utf8proc_category(point)) {
		case UTF8PROC_CATEGORY_CC:
		case UTF8PROC_CATEGORY_CF:
		case UTF8PROC_CATEGORY_CN:
		case UTF8PROC_CATEGORY_ZS:
		case UTF8PROC_CATEGORY_ZL:
		case UTF8PROC_CATEGORY_ZP:
		case UTF8PROC_CATEGORY_MN: /* A mark over nothing. */
			continue;
		default:
			/* Letters that are blank: the Hangul fillers; and the
			 * Braille pattern without dots. */
			if (wcschr(L"\u115F\u1160\u3164\uFFA0\u2800",
				(wchar_t)point) == NULL)
				return true;
		}
	}
	return false;
}

enum outcome { KEPT, REMOVED, REFUSED };

/* Invisible characters other than controls, in order. */
static const struct {
	int32_t first, last;
	enum outcome outcome;
} invisible[] = {
	{ 0x00AD, 0x00AD, REMOVED }, /* soft hyphen */
	{ 0x061C, 0x061C, REFUSED }, /* Arabic letter mark */
	{ 0x180E, 0x180E, REMOVED }, /* Mongolian vowel separator */
	{ 0x200B, 0x200B, REMOVED }, /* zero width space */
	{ 0x200E, 0x200F, REFUSED }, /* left-to-right, right-to-left marks */
	{ 0x2028, 0x2029, REFUSED }, /* line and paragraph separators */
	{ 0x202A, 0x202E, REFUSED }, /* embeddings, overrides */
	{ 0x2060, 0x2060, REMOVED }, /* word joiner */
	{ 0x2066, 0x2069, REFUSED }, /* isolates */
	{ 0xFEFF, 0xFEFF, REMOVED }, /* byte order mark */
};

static enum outcome
outcome_of(int32_t point, enum utf8_lines lines)
{
	if (point == '\n' || point == '\t')
		return lines == UTF8_MANY_LINES ? KEPT : REFUSED;
	if (utf8proc_category(point) == UTF8PROC_CATEGORY_CC)
		return REFUSED;
	for (size_t i = 0; i < sizeof(invisible) / sizeof(invisible[0]) &&
	    point >= invisible[i].first;
	    i++)
		if (point <= invisible[i].last)
			return invisible[i].outcome;
	return KEPT;
}

struct text
utf8_clean(
    struct arena *arena, struct text text, enum utf8_lines lines, bool *refused)
{
	struct buffer clean = buffer_in(arena, text.size);
	int32_t point;

	*refused = false;
	for (struct text rest = text; utf8_take(&rest, &point); text = rest) {
		enum outcome outcome = outcome_of(point, lines);

		if (point == '\r' && lines == UTF8_MANY_LINES) {
			if (!text_starts(rest, TEXT("\n")))
				buffer_add_char(&clean, '\n');
		} else if (outcome == KEPT) {
			buffer_add(
			    &clean, text_slice(text, 0, text.size - rest.size));
		} else if (outcome == REFUSED) {
			*refused = true;
		}
	}
	return buffer_text(&clean);
}
