#include "markup/autolink.h"

#include <string.h>
#include <strings.h>

#include "base/utf8.h"

enum { MEMBER_MIN = 2, MEMBER_MAX = 20, GROUP_MIN = 2, GROUP_MAX = 32 };

#define DIGITS	  "0123456789"
#define LOWERCASE "abcdefghijklmnopqrstuvwxyz"
#define UPPERCASE "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

static bool
is_in(int32_t point, const char *set)
{
	return point > 0 && point < 0x80 && strchr(set, point) != NULL;
}

static bool
is_ascii_word(int32_t point)
{
	return (point >= '0' && point <= '9') ||
	    (point >= 'a' && point <= 'z') || (point >= 'A' && point <= 'Z');
}

/* Approximates letters, except those of scripts without spaces between words, after
 * which a word may begin. */
static bool
is_letter(int32_t point)
{
	return is_ascii_word(point) || (point >= 0xC0 && point < 0x2000);
}

/*
 * Whether a code point ends a URL in text: spaces, controls, and punctuation of any
 * language. Browsers encode all of these when a URL is copied, except ASCII punctuation.
 */
static bool
ends_url(int32_t point)
{
	static const struct {
		int32_t first, last;
	} ends[] = {
		{ 0, ' ' },
		{ 0x7F, 0xA0 },
		{ 0xAB, 0xAB }, /* quotation marks of French and others */
		{ 0xBB, 0xBB },
		{ 0x2000, 0x206F }, /* general punctuation */
		{ 0x3000, 0x3004 }, /* punctuation of Chinese and Japanese */
		{ 0x3008, 0x3020 },
		{ 0xFF01, 0xFF0F }, /* full-width */
		{ 0xFF1A, 0xFF20 },
		{ 0xFF5B, 0xFF65 },
	};

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (point >= ends[i].first && point <= ends[i].last)
			return true;
	return is_in(point, "<>\"`");
}

/* Counts opening brackets; false at a closing one that was not opened. */
static bool
count_bracket(int32_t point, size_t open[3])
{
	static const char opening[] = "([{", closing[] = ")]}";

	for (size_t i = 0; i < 3; i++) {
		if (point == opening[i])
			open[i]++;
		if (point == closing[i] && open[i]-- == 0)
			return false;
	}
	return true;
}

/* The end of a URL whose scheme has so many bytes; start if nothing follows that. */
static size_t
find_url_end(struct text text, size_t start, size_t scheme)
{
	struct text rest = text_slice(text, start + scheme, text.size);
	size_t open[3] = { 0 }, end = text.size - rest.size;
	int32_t point;

	while (utf8_next(&rest, &point) && !ends_url(point) &&
	    count_bracket(point, open))
		end = text.size - rest.size;
	while (end > start && is_in(text.data[end - 1], "?!.,:;'*_~([{"))
		end--;
	return end > start + scheme ? end : start;
}

static bool
find_url(struct text text, size_t start, struct autolink *link)
{
	static const struct text schemes[] = { TEXT_INIT("https://"),
		TEXT_INIT("http://") };
	struct text rest = text_slice(text, start, text.size);
	size_t end = start;

	for (size_t i = 0; i < 2 && end == start; i++)
		if (rest.size > schemes[i].size &&
		    strncasecmp(rest.data, schemes[i].data, schemes[i].size) ==
			0)
			end = find_url_end(text, start, schemes[i].size);
	*link = (struct autolink){ AUTOLINK_ADDRESS, start, end,
		text_slice(text, start, end - start) };
	return end > start;
}

/* Whether the characters at the end of a name make it part of something longer. */
static bool
continues_name(struct text text, size_t end)
{
	struct text rest = text_slice(text, end, text.size);
	int32_t point = 0;

	utf8_next(&rest, &point);
	if (is_in(point, "./+@:"))
		return utf8_next(&rest, &point) && is_ascii_word(point);
	return is_letter(point) || is_in(point, "_-");
}

/* Finds a name of characters from a set at the end of the prefix. */
static bool
find_name(struct text text, const char *set, size_t min, size_t max,
    struct autolink *link)
{
	size_t start = link->end, end = start;

	while (end < text.size && is_in(text.data[end], set))
		end++;
	link->end = end;
	link->text = text_slice(text, start, end - start);
	return end - start >= min && end - start <= max &&
	    !continues_name(text, end);
}

static bool
find_member(struct text text, size_t start, struct autolink *link)
{
	*link = (struct autolink){ .kind = AUTOLINK_MEMBER, start, start + 1 };
	return find_name(text, LOWERCASE UPPERCASE DIGITS "_-", MEMBER_MIN,
	    MEMBER_MAX, link);
}

static bool
find_group(struct text text, size_t start, struct autolink *link)
{
	*link = (struct autolink){ .kind = AUTOLINK_GROUP, start, start + 3 };
	return text_starts(text_slice(text, start, text.size), TEXT("/g/")) &&
	    find_name(text, LOWERCASE DIGITS "-", GROUP_MIN, GROUP_MAX, link);
}

int32_t
autolink_last_point(struct text text)
{
	size_t start = text.size;
	int32_t point = 0;

	while (start > 0 && ((unsigned char)text.data[--start] & 0xc0) == 0x80)
		;
	text = text_slice(text, start, text.size);
	utf8_next(&text, &point);
	return point;
}

/* Whether a link with this first byte may follow a code point. */
static bool
may_begin_after(char byte, int32_t before)
{
	if (byte == '@' || byte == '/')
		return !is_letter(before) && !is_in(before, "_-/.@\\#=&%+~$");
	return !is_letter(before);
}

bool
autolink_next(
    struct text text, size_t start, int32_t before, struct autolink *link)
{
	bool found = false;

	for (size_t i = start; i < text.size && !found; i++) {
		char byte = text.data[i];

		if (byte != '@' && byte != '/' && (byte | 0x20) != 'h')
			continue;
		if (i > 0)
			before = autolink_last_point(text_slice(text, 0, i));
		if (!may_begin_after(byte, before))
			continue;
		found = byte == '@' ? find_member(text, i, link)
		    : byte == '/'   ? find_group(text, i, link)
				    : find_url(text, i, link);
	}
	return found;
}
