#include "base/utf8.h"

#include <utf8proc.h>

#include "base/arena.h"
#include "base/buffer.h"

/* Moves *text behind its first code point; false at the end or on an error. */
static bool
take_point(struct text *text, utf8proc_int32_t *point)
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
	utf8proc_int32_t point;

	for (;;) {
		/* Most text is ASCII, which needs no decoding. */
		while (text.size > 0 && (unsigned char)text.data[0] < 0x80)
			text = (struct text){ text.data + 1, text.size - 1 };
		if (!take_point(&text, &point))
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
	utf8proc_int32_t point;

	while (take_point(&text, &point)) {
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
			/* The letters that are blank: fillers. */
			if (point == 0x115F || point == 0x1160 ||
			    point == 0x3164 || point == 0xFFA0 ||
			    point == 0x2800)
				continue;
			return true;
		}
	}
	return false;
}

enum fate { KEPT, DROPPED, REFUSED };

static enum fate
fate_of(utf8proc_int32_t point, enum utf8_lines lines)
{
	if (point == '\n' || point == '\t')
		return lines == UTF8_MANY_LINES ? KEPT : REFUSED;
	if (utf8proc_category(point) == UTF8PROC_CATEGORY_CC)
		return REFUSED;
	switch (point) {
	case 0x061C: /* Arabic letter mark */
	case 0x200E: /* left-to-right mark */
	case 0x200F: /* right-to-left mark */
	case 0x2028: /* line separator */
	case 0x2029: /* paragraph separator */
		return REFUSED;
	case 0x00AD: /* soft hyphen */
	case 0x180E: /* Mongolian vowel separator */
	case 0x200B: /* zero width space */
	case 0x2060: /* word joiner */
	case 0xFEFF: /* byte order mark */
		return DROPPED;
	default:
		break;
	}
	if ((point >= 0x202A && point <= 0x202E) || /* embeddings, overrides */
	    (point >= 0x2066 && point <= 0x2069))   /* isolates */
		return REFUSED;
	return KEPT;
}

struct text
utf8_clean(
    struct arena *arena, struct text text, enum utf8_lines lines, bool *refused)
{
	struct buffer clean = buffer_in(arena, text.size);
	struct text rest = text;
	utf8proc_int32_t point;

	*refused = false;
	for (;;) {
		struct text before = rest;
		enum fate fate;

		if (!take_point(&rest, &point))
			break;
		if (point == '\r' && lines == UTF8_MANY_LINES) {
			if (!text_starts(rest, TEXT("\n")))
				buffer_add_char(&clean, '\n');
			continue;
		}
		fate = fate_of(point, lines);
		if (fate == KEPT)
			buffer_add(&clean,
			    text_slice(before, 0, before.size - rest.size));
		else if (fate == REFUSED)
			*refused = true;
	}
	return buffer_text(&clean);
}
