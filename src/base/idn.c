#include "base/idn.h"

#include <idn2.h>
#include <string.h>
#include <wchar.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/utf8.h"

/*
 * Writing systems, as bits. Scripts that may be mixed in a label share one: Han
 * is part of three. A script of a single range has its own, from ALONE on.
 */
enum {
	LATIN = 1 << 0,
	CYRILLIC = 1 << 1,
	ARABIC = 1 << 2,
	JAPANESE = 1 << 3,
	CHINESE = 1 << 4,
	KOREAN = 1 << 5,
	HAN = JAPANESE | CHINESE | KOREAN,
	ALONE = 1 << 6
};

/*
 * From Unicode's Scripts.txt, the letters in everyday use in lower-case names.
 * Anything else in a range is refused by libidn2, or is a mark that is used
 * with that script alone.
 */
static const struct {
	uint32_t first, last, writing;
} scripts[] = {
	{ 'a', 'z', LATIN },		 /* ASCII */
	{ 0x00DF, 0x00F6, LATIN },	 /* Latin-1 */
	{ 0x00F8, 0x017F, LATIN },	 /* Latin Extended-A */
	{ 0x01A1, 0x01A1, LATIN },	 /* o with a horn, for Vietnamese */
	{ 0x01B0, 0x01B0, LATIN },	 /* u with a horn */
	{ 0x01CE, 0x01DC, LATIN },	 /* pinyin */
	{ 0x0218, 0x021B, LATIN },	 /* Romanian */
	{ 0x1E80, 0x1E85, LATIN },	 /* Welsh */
	{ 0x1EA0, 0x1EF9, LATIN },	 /* Vietnamese */
	{ 0x0430, 0x045F, CYRILLIC },	 /* Slavic languages */
	{ 0x048A, 0x04FF, CYRILLIC },	 /* others */
	{ 0x0620, 0x064A, ARABIC },	 /* Arabic */
	{ 0x0671, 0x06D3, ARABIC },	 /* Persian, Urdu and others */
	{ 0x3005, 0x3005, HAN },	 /* the iteration mark */
	{ 0x3400, 0x4DBF, HAN },	 /* Extension A */
	{ 0x4E00, 0x9FFF, HAN },	 /* Unified Ideographs */
	{ 0x3041, 0x3096, JAPANESE },	 /* Hiragana */
	{ 0x30A1, 0x30FA, JAPANESE },	 /* Katakana */
	{ 0x30FC, 0x30FE, JAPANESE },	 /* Katakana's marks */
	{ 0x3105, 0x312F, CHINESE },	 /* Bopomofo */
	{ 0xAC00, 0xD7A3, KOREAN },	 /* Hangul */
	{ 0x0390, 0x03CE, ALONE << 0 },	 /* Greek */
	{ 0x0561, 0x0586, ALONE << 1 },	 /* Armenian */
	{ 0x05D0, 0x05EA, ALONE << 2 },	 /* Hebrew */
	{ 0x0780, 0x07B1, ALONE << 3 },	 /* Thaana */
	{ 0x0900, 0x097F, ALONE << 4 },	 /* Devanagari */
	{ 0x0980, 0x09FF, ALONE << 5 },	 /* Bengali */
	{ 0x0A00, 0x0A7F, ALONE << 6 },	 /* Gurmukhi */
	{ 0x0A80, 0x0AFF, ALONE << 7 },	 /* Gujarati */
	{ 0x0B00, 0x0B7F, ALONE << 8 },	 /* Oriya */
	{ 0x0B80, 0x0BFF, ALONE << 9 },	 /* Tamil */
	{ 0x0C00, 0x0C7F, ALONE << 10 }, /* Telugu */
	{ 0x0C80, 0x0CFF, ALONE << 11 }, /* Kannada */
	{ 0x0D00, 0x0D7F, ALONE << 12 }, /* Malayalam */
	{ 0x0D80, 0x0DDF, ALONE << 13 }, /* Sinhala */
	{ 0x0E01, 0x0E4E, ALONE << 14 }, /* Thai */
	{ 0x0E81, 0x0ECD, ALONE << 15 }, /* Lao */
	{ 0x0F40, 0x0FBC, ALONE << 16 }, /* Tibetan */
	{ 0x1000, 0x103F, ALONE << 17 }, /* Myanmar */
	{ 0x10D0, 0x10F0, ALONE << 18 }, /* Georgian */
	{ 0x1200, 0x135A, ALONE << 19 }, /* Ethiopic */
	{ 0x1780, 0x17D3, ALONE << 20 }, /* Khmer */
};

/* Lookalikes of ASCII letters and digits; the script is named at the end of each part. */
static const wchar_t lookalikes[] =
    L"\u00f0\u00fe\u0131\u0138" /* Latin: eth, thorn, dotless i, kra */
    L"\u0430\u0433\u0435\u0437\u043e\u043f\u0440\u0441\u0443\u0445"
    L"\u044a\u044b\u044c\u044e\u0455\u0456\u0458\u0499\u04bb\u04bd"
    L"\u04cf\u04e1" /* Cyrillic */
    L"\u03b1\u03b7\u03b8\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5"
    L"\u03c9" /* Greek */
    L"\u0561\u0563\u0566\u0567\u056c\u0570\u0573\u0575\u0577\u0578"
    L"\u057d\u0582\u0585"			  /* Armenian */
    L"\u05d3\u05d5\u05d7\u05d9\u05df\u05e1"	  /* Hebrew */
    L"\u0909\u093d\u0966\u0968\u0971"		  /* Devanagari */
    L"\u0989\u0993\u09e6\u09e8\u09ea\u09ed"	  /* Bengali */
    L"\u0a24\u0a66\u0a67\u0a68\u0a69\u0a6a\u0a6b" /* Gurmukhi */
    L"\u0a9f\u0aa1\u0ae6\u0ae7\u0ae8\u0ae9\u0aed" /* Gujarati */
    L"\u0b20\u0b66\u0b68\u0b6b\u0b6e"		  /* Oriya */
    L"\u0b9f\u0baa\u0be6"			  /* Tamil */
    L"\u0c66\u0c67\u0c68\u0c69"			  /* Telugu */
    L"\u0cbd\u0ce6\u0ce7\u0ce9\u0ced"		  /* Kannada */
    L"\u0d1f\u0d20\u0d27\u0d28\u0d31\u0d66"	  /* Malayalam */
    L"\u0e1a\u0e1e\u0e40\u0e41"			  /* Thai */
    L"\u1001\u1002\u1004\u1011\u1012\u1015\u101d" /* Myanmar */
    L"\u10d5\u10d8\u10dd\u10de\u10e7\u10eb\u10ee" /* Georgian */
    L"\u1200\u1220\u1230\u1235\u1260\u1270\u1290\u12a8\u12d0\u12d5"
    L"\u12d8\u1320\u1350" /* Ethiopic */
    L"\u3110\u4e29";	  /* Bopomofo, Han */

static bool
is_ascii_host(struct arena *arena, struct text host)
{
	return strspn(text_string(arena, host),
		   "abcdefghijklmnopqrstuvwxyz0123456789-_.") == host.size;
}

bool
idn_encode(struct arena *arena, struct text host, struct text *encoded)
{
	const char *string = text_string(arena, host);
	char *ascii;

	*encoded = text_lower(arena, host);
	/* Nearly every host; libidn2 took 6 % of the worker's time for a post. */
	if (!is_ascii_host(arena, *encoded) ||
	    text_find(*encoded, 0, TEXT("xn--")) != SIZE_MAX) {
		if (strlen(string) != host.size ||
		    idn2_to_ascii_8z(string, &ascii,
			IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL) != IDN2_OK)
			return false;
		*encoded = text_copy(arena, text_of(ascii));
		idn2_free(ascii);
	}
	/* A full-width '/' has become '/', and libidn2 allows empty labels. */
	return encoded->size > 0 && !text_starts(*encoded, TEXT(".")) &&
	    !text_starts(*encoded, TEXT("-")) &&
	    text_find(*encoded, 0, TEXT("..")) == SIZE_MAX &&
	    is_ascii_host(arena, *encoded);
}

/* The writing systems of a letter; 0 for any other code point. */
static uint32_t
find_writing(uint32_t point)
{
	for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++)
		if (point >= scripts[i].first && point <= scripts[i].last)
			return scripts[i].writing;
	return 0;
}

static bool
is_safe_label(struct text label)
{
	uint32_t writing = UINT32_MAX;
	bool looks_ascii = true;
	int32_t point;

	while (utf8_next(&label, &point)) {
		if (point == '-' || (point >= '0' && point <= '9'))
			continue;
		writing &= find_writing((uint32_t)point);
		looks_ascii = looks_ascii &&
		    (point < 0x80 || wcschr(lookalikes, point) != NULL);
	}
	return writing != 0 && !looks_ascii;
}

/* Decodes an "xn--" label if that is safe; otherwise returns it unchanged. */
static struct text
display_label(struct arena *arena, struct text label)
{
	struct text shown, again;
	char *decoded;

	if (idn2_to_unicode_8z8z(text_string(arena, label), &decoded, 0) !=
	    IDN2_OK)
		return label;
	shown = text_copy(arena, text_of(decoded));
	idn2_free(decoded);
	return is_safe_label(shown) && idn_encode(arena, shown, &again) &&
		text_equal(again, label)
	    ? shown
	    : label;
}

struct text
idn_display(struct arena *arena, struct text host)
{
	struct buffer shown = buffer_in(arena, host.size);
	struct text rest = host, label;

	while (text_cut(&rest, '.', &label)) {
		if (label.data > host.data)
			buffer_add_char(&shown, '.');
		buffer_add(&shown,
		    text_starts(label, TEXT("xn--"))
			? display_label(arena, label)
			: label);
	}
	return buffer_text(&shown);
}
