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
    const char *clean, bool expected)
{
	bool refused = !expected;
	struct text text = utf8_clean(arena, text_of(dirty), lines, &refused);

	assert_text(text, clean);
	assert_int_equal(refused, expected);
}

static void
cleaning_a_line_removes_breaks_and_controls(void **state)
{
	struct arena *arena = *state;

	check_clean(arena, "A title", UTF8_ONE_LINE, "A title", false);
	check_clean(arena, "", UTF8_ONE_LINE, "", false);
	check_clean(arena, "a\nb", UTF8_ONE_LINE, "ab", true);
	check_clean(arena, "a\tb\rc\x01\x7f", UTF8_ONE_LINE, "abc", true);
	check_clean(
	    arena, "a\xc2\x85z", UTF8_ONE_LINE, "az", true); /* U+0085 */
	/* A word reversed by a right-to-left override. */
	check_clean(arena,
	    "\xe2\x80\xae"
	    "txt\xe2\x80\xac",
	    UTF8_ONE_LINE, "txt", true);
	check_clean(arena,
	    "\xe2\x81\xa6x\xe2\x81\xa9\xe2\x80\x8e\xe2\x80\x8f\xd8\x9c",
	    UTF8_ONE_LINE, "x", true);
	check_clean(arena,
	    "a\xe2\x80\xa8"
	    "b\xe2\x80\xa9",
	    UTF8_ONE_LINE, "ab", true);
	/* Of no width, and harmless. */
	check_clean(arena,
	    "\xef\xbb\xbf"
	    "a\xe2\x80\x8b"
	    "b\xc2\xad"
	    "c\xe2\x81\xa0",
	    UTF8_ONE_LINE, "abc", false);
	/* A family is four people with joiners between them. */
	check_clean(arena, "\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9",
	    UTF8_ONE_LINE, "\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9",
	    false);
}

static void
cleaning_lines_keeps_breaks_and_tabs(void **state)
{
	struct arena *arena = *state;

	check_clean(
	    arena, "a\r\nb\rc\n\td", UTF8_MANY_LINES, "a\nb\nc\n\td", false);
	check_clean(arena, "a\r", UTF8_MANY_LINES, "a\n", false);
	check_clean(arena, "a\r\r\nb", UTF8_MANY_LINES, "a\n\nb", false);
	check_clean(arena, "a\x1b[31m", UTF8_MANY_LINES, "a[31m", true);
}

static void
cleaning_removes_a_zero_byte(void **state)
{
	struct arena *arena = *state;
	bool refused;

	assert_text(
	    utf8_clean(arena, TEXT("a\0b"), UTF8_ONE_LINE, &refused), "ab");
	assert_true(refused);
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
	};

	return cmocka_run_group_tests_name("utf8", tests, NULL, NULL);
}
