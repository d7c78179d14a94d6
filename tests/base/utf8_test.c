/* UTF-8: what is valid, and what is removed from it. */
#include "base/utf8.h"

#include "../support/fixture.h"

static void
valid_text_is_accepted(void **state)
{
	static const char *const valid[] = { "", "plain", "\x7f",
		"\xc2\x80",	    /* U+0080, the first of two bytes */
		"\xdf\xbf",	    /* U+07FF, the last */
		"\xe0\xa0\x80",	    /* U+0800, the first of three */
		"\xed\x9f\xbf",	    /* U+D7FF, before the surrogates */
		"\xee\x80\x80",	    /* U+E000, after them */
		"\xef\xbf\xbd",	    /* U+FFFD */
		"\xf0\x90\x80\x80", /* U+10000, the first of four */
		"\xf4\x8f\xbf\xbf", /* U+10FFFF, the last of all */
		"a\xc3\xa4z\xf0\x9f\x8c\x8d" };

	(void)state;
	for (size_t i = 0; i < sizeof(valid) / sizeof(valid[0]); i++)
		assert_true(utf8_valid(text_of(valid[i])));
	assert_true(utf8_valid((struct text){ NULL, 0 }));
	assert_true(utf8_valid(TEXT("a\0b")));
}

static void
invalid_text_is_rejected(void **state)
{
	static const char *const invalid[] = { "\x80", "\xbf", "\xff", "\xfe",
		"a\xc3",			     /* cut off */
		"\xe2\x82", "\xf0\x9f\x8c", "\xc3(", /* not continued */
		"\xc0\x80",			     /* overlong NUL */
		"\xc0\xaf",			     /* overlong '/' */
		"\xc1\xbf", "\xe0\x80\xaf", "\xe0\x9f\xbf", "\xf0\x80\x80\xaf",
		"\xf0\x8f\xbf\xbf", "\xed\xa0\x80", /* U+D800, a surrogate */
		"\xed\xbf\xbf",			    /* U+DFFF */
		"\xed\xa0\xbd\xed\xb8\x80",	    /* a pair of them, CESU-8 */
		"\xf4\x90\x80\x80",		    /* U+110000 */
		"\xf5\x80\x80\x80", "\xf8\x88\x80\x80\x80" };

	(void)state;
	for (size_t i = 0; i < sizeof(invalid) / sizeof(invalid[0]); i++)
		assert_false(utf8_valid(text_of(invalid[i])));
}

static void
length_counts_code_points(void **state)
{
	(void)state;
	assert_int_equal(utf8_length(TEXT("")), 0);
	assert_int_equal(utf8_length(TEXT("abc")), 3);
	assert_int_equal(utf8_length(TEXT("\xc3\xa4\xf0\x9f\x8c\x8d")), 2);
}

static void
blank_text_is_not_visible(void **state)
{
	static const char *const blank[] = { "", " ", "\t\n",
		"\xc2\xa0",	/* no-break space */
		"\xe2\x80\x8b", /* zero width space */
		"\xe2\x80\x8d", /* zero width joiner */
		"\xe3\x80\x80", /* ideographic space */
		"\xe2\xa0\x80", /* blank Braille pattern */
		"\xe3\x85\xa4", /* Hangul filler */
		"\xcc\x81",	/* an accent over nothing */
		"\xef\xbb\xbf", "\xc2\xad" };

	(void)state;
	for (size_t i = 0; i < sizeof(blank) / sizeof(blank[0]); i++)
		assert_false(utf8_visible(text_of(blank[i])));
	assert_true(utf8_visible(TEXT(" a ")));
	assert_true(utf8_visible(TEXT("\xf0\x9f\x8c\x8d")));
	assert_true(utf8_visible(TEXT("\xe2\x80\x8b.")));
}

static void
check_clean(struct arena *arena, const char *dirty, enum utf8_lines lines,
    const char *clean, enum utf8_removed expected)
{
	enum utf8_removed removed;
	struct text text = utf8_clean(arena, text_of(dirty), lines, &removed);

	assert_text(text, clean);
	assert_int_equal(removed, expected);
}

static void
cleaning_a_line_removes_breaks_and_controls(void **state)
{
	struct arena *arena = *state;

	check_clean(arena, "A title", UTF8_ONE_LINE, "A title", UTF8_NOTHING);
	check_clean(arena, "", UTF8_ONE_LINE, "", UTF8_NOTHING);
	check_clean(arena, "a\nb", UTF8_ONE_LINE, "ab", UTF8_DECEPTIVE);
	check_clean(
	    arena, "a\tb\rc\x01\x7f", UTF8_ONE_LINE, "abc", UTF8_DECEPTIVE);
	check_clean(arena, "a\xc2\x85z", UTF8_ONE_LINE, "az",
	    UTF8_DECEPTIVE); /* U+0085 */
	/* A word reversed by a right-to-left override. */
	check_clean(arena,
	    "\xe2\x80\xae"
	    "txt\xe2\x80\xac",
	    UTF8_ONE_LINE, "txt", UTF8_DECEPTIVE);
	check_clean(arena,
	    "\xe2\x81\xa6x\xe2\x81\xa9\xe2\x80\x8e\xe2\x80\x8f\xd8\x9c",
	    UTF8_ONE_LINE, "x", UTF8_DECEPTIVE);
	check_clean(arena,
	    "a\xe2\x80\xa8"
	    "b\xe2\x80\xa9",
	    UTF8_ONE_LINE, "ab", UTF8_DECEPTIVE);
	/* Of no width, and harmless. */
	check_clean(arena,
	    "\xef\xbb\xbf"
	    "a\xe2\x80\x8b"
	    "b\xc2\xad"
	    "c\xe2\x81\xa0",
	    UTF8_ONE_LINE, "abc", UTF8_NOTHING);
}

static void
cleaning_lines_keeps_breaks_and_tabs(void **state)
{
	struct arena *arena = *state;

	check_clean(arena, "a\r\nb\rc\n\td", UTF8_MANY_LINES, "a\nb\nc\n\td",
	    UTF8_NOTHING);
	check_clean(arena, "a\r", UTF8_MANY_LINES, "a\n", UTF8_NOTHING);
	check_clean(arena, "a\r\r\nb", UTF8_MANY_LINES, "a\n\nb", UTF8_NOTHING);
	check_clean(
	    arena, "a\x1b[31m", UTF8_MANY_LINES, "a[31m", UTF8_DECEPTIVE);
}

static void
cleaning_removes_a_zero_byte(void **state)
{
	struct arena *arena = *state;
	enum utf8_removed removed;

	assert_text(
	    utf8_clean(arena, TEXT("a\0b"), UTF8_ONE_LINE, &removed), "ab");
	assert_int_equal(removed, UTF8_DECEPTIVE);
}

/* A title that comes out as it is. */
static void
check_kept(struct arena *arena, const char *title)
{
	check_clean(arena, title, UTF8_ONE_LINE, title, UTF8_NOTHING);
}

static void
invisible_characters_are_removed_and_reported(void **state)
{
	struct arena *arena = *state;

	for (int lines = UTF8_ONE_LINE; lines <= UTF8_MANY_LINES; lines++) {
		/* Text in tags; a flag that is made of them is a flag still. */
		check_clean(arena, "a\U000E0001\U000E0061\U000E007F", lines,
		    "a", UTF8_INVISIBLE);
		check_clean(arena, "\U0001F3F4\U000E0067\U000E0062\U000E007F",
		    lines, "\U0001F3F4", UTF8_INVISIBLE);
		/* Not assigned, a noncharacter, reserved among tags. */
		check_clean(arena, "a\u0378\uFFFF\U000E0000z", lines, "az",
		    UTF8_INVISIBLE);
		/* Deprecated; between annotations, shorthand, notes, glyphs. */
		check_clean(arena,
		    "a\u206A\uFFF9\U0001BCA0\U0001D173\U00013430z", lines, "az",
		    UTF8_INVISIBLE);
		/* The worst problem is reported. */
		check_clean(arena, "\u202Ea\u0378", lines, "a", UTF8_DECEPTIVE);
	}
	/* These are seen: numbers that enclose what follows. */
	check_kept(arena, "\u06DD\u0661 \u0600\u0662");
	/* Formulas bring these along. */
	check_clean(arena, "f\u2061(x)", UTF8_ONE_LINE, "f(x)", UTF8_NOTHING);
}

static void
marks_on_one_character_are_limited(void **state)
{
	struct arena *arena = *state;

	check_kept(arena, "a\u0301\u0302\u0303\u0304 e\u0301");
	check_clean(arena, "a\u0301\u0302\u0303\u0304\u0305\u0306z",
	    UTF8_ONE_LINE, "a\u0301\u0302\u0303\u0304z", UTF8_INVISIBLE);
	/* Nor with something between them that is removed, or joins. */
	check_clean(arena, "a\u0301\u0302\u200B\u0303\u20DD\u0305",
	    UTF8_MANY_LINES, "a\u0301\u0302\u0303\u20DD", UTF8_INVISIBLE);
	check_clean(arena, "\u0915\u094D\u200D\u094D\u200D\u094D\u094D\u094D",
	    UTF8_ONE_LINE, "\u0915\u094D\u200D\u094D\u200D\u094D\u094D",
	    UTF8_INVISIBLE);
	/* Hebrew with points and an accent, Tibetan, Thai, Khmer, Burmese. */
	check_kept(arena, "\u05E9\u05C1\u05BC\u05B8\u0591");
	check_kept(arena, "\u0F66\u0F92\u0FB2\u0F74\u0F56");
	check_kept(arena, "\u0E17\u0E35\u0E48");
	check_kept(arena, "\u179F\u17D2\u178F\u17D2\u179A\u17B8");
	check_kept(arena, "\u101C\u103B\u103E\u1031\u102C\u1037\u103A");
}

static void
joiners_stay_where_they_are_needed(void **state)
{
	struct arena *arena = *state;

	/* A family, with a skin's tone, a coloured heart, a rainbow's flag. */
	check_kept(arena, "\U0001F468\u200D\U0001F469\u200D\U0001F467");
	check_kept(arena, "\U0001F9D1\U0001F3FD\u200D\U0001F680");
	check_kept(arena, "\u2764\uFE0F\u200D\U0001F525");
	check_kept(arena, "\U0001F3F3\uFE0F\u200D\U0001F308");
	/* Persian: between letters, over a vowel's mark, and at an end. */
	check_kept(arena, "\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645");
	check_kept(arena, "\u0628\u0650\u200C\u0628");
	check_kept(arena, "\u0647\u200D.\u0634");
	/* Behind a virama, Hindi and Sinhala; before one, Bengali. */
	check_kept(arena, "\u0915\u094D\u200D\u0937 \u0915\u094D\u200C\u0937");
	check_kept(arena, "\u0DC1\u0DCA\u200D\u0DBB\u0DD3");
	check_kept(arena, "\u09B0\u200D\u09CD\u09AF");
	/* N'Ko, Mongolian, Adlam. */
	check_kept(arena, "\u07DE\u200D \u1820\u200D \U0001E900\u200D");
}

static void
joiners_are_removed_elsewhere(void **state)
{
	static const struct {
		const char *dirty, *clean;
	} rows[] = { { "\u200D", "" }, { "a\u200Db\u200Cc", "abc" },
		{ "\u200Ca\u200C", "a" }, { "1\u200D2", "12" },
		{ "\u05D0\u200C\u05D1", "\u05D0\u05D1" }, /* Hebrew */
		{ "\u0645\u200C", "\u0645" },
		{ "\u0645\u200C \u0645", "\u0645 \u0645" },
		{ "\u0645\u200C\u200C\u0645", "\u0645\u200C\u0645" },
		{ "\u0645\u200D\u200C\u0645", "\u0645\u200D\u0645" },
		{ "\u0661\u200D\u0662", "\u0661\u0662" }, /* digits */
		{ "\U0001F468\u200D", "\U0001F468" },
		{ "\U0001F468\u200Da", "\U0001F468a" },
		{ "\U0001F468\u200C\U0001F469", "\U0001F468\U0001F469" } };
	struct arena *arena = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_clean(arena, rows[i].dirty, UTF8_ONE_LINE, rows[i].clean,
		    UTF8_NOTHING);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(valid_text_is_accepted),
		cmocka_unit_test(invalid_text_is_rejected),
		cmocka_unit_test(length_counts_code_points),
		cmocka_unit_test(blank_text_is_not_visible),
		fixture_arena_test(cleaning_a_line_removes_breaks_and_controls),
		fixture_arena_test(cleaning_lines_keeps_breaks_and_tabs),
		fixture_arena_test(cleaning_removes_a_zero_byte),
		fixture_arena_test(
		    invisible_characters_are_removed_and_reported),
		fixture_arena_test(marks_on_one_character_are_limited),
		fixture_arena_test(joiners_stay_where_they_are_needed),
		fixture_arena_test(joiners_are_removed_elsewhere),
	};

	return cmocka_run_group_tests_name("utf8", tests, NULL, NULL);
}
