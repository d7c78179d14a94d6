#include "base/utf8.h"

#include <utf8proc.h>
#include <wchar.h>

#include "base/arena.h"
#include "base/buffer.h"

enum { COMBINING_VIRAMA = 9 };

bool
utf8_next(struct text *text, int32_t *point)
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
		if (!utf8_next(&text, &point))
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

enum utf8_class
utf8_class_of(int32_t point)
{
	switch (utf8proc_category(point)) {
	case UTF8PROC_CATEGORY_LU:
	case UTF8PROC_CATEGORY_LL:
	case UTF8PROC_CATEGORY_LT:
	case UTF8PROC_CATEGORY_LM:
	case UTF8PROC_CATEGORY_LO:
	case UTF8PROC_CATEGORY_ND:
	case UTF8PROC_CATEGORY_NL:
	case UTF8PROC_CATEGORY_NO:
		return utf8proc_get_property(point)->ignorable ? UTF8_SEPARATOR
							       : UTF8_LETTER;
	case UTF8PROC_CATEGORY_MN:
	case UTF8PROC_CATEGORY_MC:
	case UTF8PROC_CATEGORY_ME:
		return UTF8_MARK;
	default:
		return utf8proc_get_property(point)->ignorable ? UTF8_IGNORABLE
							       : UTF8_SEPARATOR;
	}
}

/* Letters that readers take for another, and Unicode does not decompose; 0: left out. */
static const struct {
	int32_t from, to;
} same_letters[] = {
	{ 0x00F8, 'o' },    /* o with stroke */
	{ 0x0111, 'd' },    /* d with stroke */
	{ 0x0142, 'l' },    /* l with stroke */
	{ 0x0629, 0x0647 }, /* teh marbuta: heh */
	{ 0x0640, 0 },	    /* tatweel */
	{ 0x0649, 0x064A }, /* alef maksura: yeh */
	{ 0x0671, 0x0627 }, /* alef wasla: alef */
	{ 0x06A9, 0x0643 }, /* Persian kaf */
	{ 0x06CC, 0x064A }, /* Persian yeh */
};

static int32_t
same_letter(int32_t point)
{
	for (size_t i = 0; i < sizeof(same_letters) / sizeof(same_letters[0]);
	    i++)
		if (point == same_letters[i].from)
			return same_letters[i].to;
	return point;
}

/* Vowel signs of Indic scripts and of Thai have no combining class or one above that of all
 * accents; a virama and the voicing of kana have small ones. The others are accents. */
static bool
is_kept_mark(int32_t point)
{
	enum { KANA_VOICING = 8, THAI_FIRST = 103, THAI_LAST = 132 };
	int class = utf8proc_get_property(point)->combining_class;

	return utf8proc_category(point) != UTF8PROC_CATEGORY_ME &&
	    (class == 0 || class == KANA_VOICING || class == COMBINING_VIRAMA ||
		(class >= THAI_FIRST && class <= THAI_LAST));
}

static size_t
fold_keep(const int32_t *decomposed, size_t count, int32_t *folded)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		enum utf8_class class = utf8_class_of(decomposed[i]);
		int32_t letter = same_letter(decomposed[i]);

		if (letter != 0 &&
		    (class == UTF8_LETTER ||
			(class == UTF8_MARK && is_kept_mark(letter))))
			folded[kept++] = letter;
	}
	return kept;
}

size_t
utf8_fold(const int32_t *points, size_t count, int32_t folded[UTF8_FOLD_MAX])
{
	utf8proc_ssize_t size;
	size_t used = 0;
	int boundary = 0;

	for (size_t i = 0; i < count; i++) {
		int32_t parts[UTF8_FOLD_MAX];

		size = utf8proc_decompose_char(points[i], parts, UTF8_FOLD_MAX,
		    UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD |
			UTF8PROC_IGNORE,
		    &boundary);
		if (size < 0 || used + (size_t)size > UTF8_FOLD_MAX)
			return 0;
		used += fold_keep(parts, (size_t)size, folded + used);
	}
	size = utf8proc_normalize_utf32(
	    folded, (utf8proc_ssize_t)used, UTF8PROC_COMPOSE | UTF8PROC_STABLE);
	return size < 0 ? 0 : (size_t)size;
}

size_t
utf8_encode(int32_t point, char bytes[4])
{
	return (size_t)utf8proc_encode_char(point, (utf8proc_uint8_t *)bytes);
}

const char *
utf8_unicode_version(void)
{
	return utf8proc_unicode_version();
}

bool
utf8_visible(struct text text)
{
	int32_t point;

	while (utf8_next(&text, &point)) {
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

/* Format characters that are not simply UTF8_INVISIBLE, in order. */
static const struct {
	int32_t first, last;
	enum utf8_removed as;
} format_characters[] = {
	{ 0x00AD, 0x00AD, UTF8_NOTHING },   /* soft hyphen */
	{ 0x061C, 0x061C, UTF8_DECEPTIVE }, /* Arabic letter mark */
	{ 0x180E, 0x180E, UTF8_NOTHING },   /* Mongolian vowel separator */
	{ 0x200B, 0x200D, UTF8_NOTHING },   /* zero width space, joiners */
	{ 0x200E, 0x200F, UTF8_DECEPTIVE }, /* marks of direction */
	{ 0x202A, 0x202E, UTF8_DECEPTIVE }, /* embeddings, overrides */
	{ 0x2060, 0x2064, UTF8_NOTHING },   /* word joiner, of formulas */
	{ 0x2066, 0x2069, UTF8_DECEPTIVE }, /* isolates */
	{ 0xFEFF, 0xFEFF, UTF8_NOTHING },   /* byte order mark */
};

enum { JOINER_NONE = 0x200C, JOINER = 0x200D };

/* The scripts in use whose letters join, in order. */
static const struct {
	int32_t first, last;
} joining[] = {
	{ 0x0620, 0x077F },   /* Arabic, Syriac */
	{ 0x07CA, 0x07FF },   /* N'Ko */
	{ 0x0840, 0x08FF },   /* Mandaic, more of Syriac and Arabic */
	{ 0x1820, 0x18AA },   /* Mongolian */
	{ 0x10D00, 0x10D23 }, /* Hanifi Rohingya */
	{ 0x1E900, 0x1E943 }, /* Adlam */
};

static bool
is_letter(int32_t point)
{
	utf8proc_category_t category = utf8proc_category(point);

	return category >= UTF8PROC_CATEGORY_LU &&
	    category <= UTF8PROC_CATEGORY_LO;
}

static bool
is_mark(int32_t point)
{
	utf8proc_category_t category = utf8proc_category(point);

	return category == UTF8PROC_CATEGORY_MN ||
	    category == UTF8PROC_CATEGORY_ME;
}

static bool
is_joiner(int32_t point)
{
	return point == JOINER || point == JOINER_NONE;
}

static bool
is_joining(int32_t point)
{
	for (size_t i = 0; i < sizeof(joining) / sizeof(joining[0]); i++)
		if (point >= joining[i].first && point <= joining[i].last)
			return is_letter(point);
	return false;
}

static bool
is_virama(int32_t point)
{
	return utf8proc_get_property(point)->combining_class ==
	    COMBINING_VIRAMA;
}

static bool
is_emoji(int32_t point)
{
	return utf8proc_get_property(point)->boundclass ==
	    UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC;
}

/* The end of the cleaned text. */
struct cleaned {
	int32_t last;
	int32_t base; /* the last that extends no other */
	int marks;    /* since then */
};

static bool
joiner_has_effect(
    const struct cleaned *before, int32_t point, struct text after)
{
	int32_t next = 0;

	(void)utf8_next(&after, &next);
	if (is_virama(before->last) ||
	    (is_letter(before->last) && is_virama(next) && point == JOINER))
		return true;
	if (point == JOINER)
		return is_joining(before->base) ||
		    (is_emoji(before->base) && is_emoji(next));
	return is_joining(before->base) && is_joining(next);
}

/* Whether a format character is allowed; if not, *as tells what it is. Numbers and
 * the like that enclose what follows them are format characters, too. */
static bool
is_allowed_format(const struct cleaned *before, int32_t point,
    struct text after, enum utf8_removed *as)
{
	*as = UTF8_INVISIBLE;
	if (is_joiner(point)) {
		*as = UTF8_NOTHING;
		return joiner_has_effect(before, point, after);
	}
	for (size_t i = 0;
	    i < sizeof(format_characters) / sizeof(format_characters[0]); i++)
		if (point >= format_characters[i].first &&
		    point <= format_characters[i].last)
			*as = format_characters[i].as;
	return utf8proc_get_property(point)->boundclass ==
	    UTF8PROC_BOUNDCLASS_PREPEND;
}

/* Whether a character is allowed; if not, *as tells what it is. */
static bool
is_allowed(const struct cleaned *before, int32_t point, struct text after,
    enum utf8_lines lines, enum utf8_removed *as)
{
	/* Most text is ASCII. */
	if (point >= ' ' && point < 0x7f)
		return true;
	*as = UTF8_DECEPTIVE;
	switch (utf8proc_category(point)) {
	case UTF8PROC_CATEGORY_CC:
		return (point == '\n' || point == '\t') &&
		    lines == UTF8_MANY_LINES;
	case UTF8PROC_CATEGORY_ZL:
	case UTF8PROC_CATEGORY_ZP:
		return false;
	case UTF8PROC_CATEGORY_CF:
		return is_allowed_format(before, point, after, as);
	case UTF8PROC_CATEGORY_CN:
		*as = UTF8_INVISIBLE;
		return false;
	case UTF8PROC_CATEGORY_MN:
	case UTF8PROC_CATEGORY_ME:
		*as = UTF8_INVISIBLE;
		return before->marks < UTF8_MARKS_MAX;
	default:
		return true;
	}
}

/* Combining marks and skin tones belong to the character before them. */
static void
record_character(struct cleaned *cleaned, int32_t point)
{
	cleaned->last = point;
	if (is_mark(point))
		cleaned->marks++;
	else if (!is_joiner(point))
		cleaned->marks = 0;
	if (is_joiner(point) ||
	    utf8proc_get_property(point)->boundclass !=
		UTF8PROC_BOUNDCLASS_EXTEND)
		cleaned->base = point;
}

struct text
utf8_clean(struct arena *arena, struct text text, enum utf8_lines lines,
    enum utf8_removed *removed)
{
	struct buffer clean = buffer_in(arena, text.size);
	struct cleaned cleaned = { 0 };
	enum utf8_removed as;
	int32_t point;

	*removed = UTF8_NOTHING;
	for (struct text rest = text; utf8_next(&rest, &point); text = rest) {
		struct text one = text_slice(text, 0, text.size - rest.size);

		if (point == '\r' && lines == UTF8_MANY_LINES) {
			if (text_starts(rest, TEXT("\n")))
				continue;
			one = TEXT("\n");
			point = '\n';
		}
		if (is_allowed(&cleaned, point, rest, lines, &as)) {
			buffer_add(&clean, one);
			record_character(&cleaned, point);
		} else if (as > *removed) {
			*removed = as;
		}
	}
	return buffer_text(&clean);
}

/* The first code point of a text, and how many bytes it has; of no UTF-8 one byte. */
static size_t
first_point(struct text text, int32_t *point)
{
	struct text rest = text;

	if (utf8_next(&rest, point))
		return text.size - rest.size;
	*point = -1;
	return 1;
}

static bool
is_in_xml(int32_t point)
{
	return point >= ' ' ? point != 0xFFFE && point != 0xFFFF
			    : point == '\t' || point == '\n' || point == '\r';
}

struct text
utf8_for_xml(struct arena *arena, struct text text)
{
	struct buffer clean;
	size_t at = 0, size;
	int32_t point;

	for (; at < text.size; at += size) {
		size = first_point(text_slice(text, at, text.size), &point);
		if (!is_in_xml(point))
			break;
	}
	if (at == text.size)
		return text;
	clean = buffer_in(arena, text.size + 16);
	buffer_add(&clean, text_slice(text, 0, at));
	for (; at < text.size; at += size) {
		size = first_point(text_slice(text, at, text.size), &point);
		buffer_add(&clean,
		    is_in_xml(point) ? text_slice(text, at, size)
				     : TEXT("\uFFFD"));
	}
	return buffer_text(&clean);
}
