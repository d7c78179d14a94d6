/* Words: how a text is split and folded for search. */
#include "base/words.h"

#include <string.h>

#include "../support/fixture.h"

/* The words of a text, "0:one 1:two". */
static struct text
words_of(struct arena *arena, struct text text)
{
	struct text joined = TEXT("");
	struct words words;
	struct word word;

	words_begin(&words, text);
	while (words_next(&words, &word)) {
		assert_true(word.start < word.end && word.end <= text.size);
		assert_true(word.text.size <= (size_t)WORD_BYTES * 2);
		joined = text_format(arena, "%.*s%s%u:%.*s", TEXT_ARGS(joined),
		    joined.size > 0 ? " " : "", word.position,
		    TEXT_ARGS(word.text));
	}
	return joined;
}

struct row {
	const char *text, *words;
};

static void
check_rows(struct arena *arena, const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		assert_text(
		    words_of(arena, text_of(rows[i].text)), rows[i].words);
}

#define CHECK(arena, ...) \
	do { \
		static const struct row rows[] = { __VA_ARGS__ }; \
		check_rows((arena), rows, sizeof(rows) / sizeof(rows[0])); \
	} while (0)

static void
letters_and_numbers_are_words(void **state)
{
	CHECK(*state, { "", "" }, { " \n.,!?", "" },
	    { "The Linker", "0:the 1:linker" },
	    { "don't stop", "0:don 1:t 2:stop" },
	    { "https://example.com/a?b=1",
		"0:https 1:example 2:com 3:a 4:b 5:1" },
	    { "snake_case, kebab-case", "0:snake 1:case 2:kebab 3:case" },
	    { "version 3.40.1", "0:version 1:3 2:40 3:1" },
	    { "**bold** [link](x)", "0:bold 1:link 2:x" });
}

static void
case_accents_and_width_are_folded(void **state)
{
	CHECK(*state,
	    { "Größe STRASSE Straße", "0:grosse 1:strasse 2:strasse" },
	    { "Müller Mu\u0308ller", "0:muller 1:muller" },
	    { "ÉCOLE naïve Łódź Øre", "0:ecole 1:naive 2:lodz 3:ore" },
	    { "Σίσυφος ΣΊΣΥΦΟΣ", "0:σισυφοσ 1:σισυφοσ" },
	    { "Ёлка ёлка", "0:елка 1:елка" },
	    { "\uff47\uff4f\uff4f\uff47\uff4c\uff45 \ufb01le x\u00b2",
		"0:google 1:file 2:x2" },
	    { "\u0130stanbul", "0:istanbul" },
	    { "co\u00adoperate", "0:cooperate" });
}

static void
arabic_and_hebrew_lose_their_vowel_signs(void **state)
{
	/* kitab with and without signs, stretched; alef forms; yeh and kaf of Persian. */
	CHECK(*state,
	    { "\u0643\u0650\u062a\u064e\u0627\u0628 "
	      "\u0643\u062a\u0640\u0640\u0627\u0628",
		"0:\u0643\u062a\u0627\u0628 1:\u0643\u062a\u0627\u0628" },
	    { "\u0623\u0625\u0622\u0671", "0:\u0627\u0627\u0627\u0627" },
	    { "\u06cc\u06a9", "0:\u064a\u0643" },
	    { "\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd",
		"0:\u05e9\u05dc\u05d5\u05dd" },
	    { "\u0640\u0640", "" });
}

static void
indic_vowel_signs_stay(void **state)
{
	CHECK(*state,
	    { "\u0939\u093f\u0928\u094d\u0926\u0940 \u0915\u093f \u0915\u093e",
		"0:\u0939\u093f\u0928\u094d\u0926\u0940 1:\u0915\u093f "
		"2:\u0915\u093e" });
}

static void
names_with_a_sign_are_words(void **state)
{
	CHECK(*state, { "C++ and c# or F#", "0:c++ 1:and 2:c# 3:or 4:f#" },
	    { "(C++17)", "0:c++ 1:17" }, { "C+ C", "0:c 1:c" },
	    { ".NET on .net, example.net .network",
		"0:.net 1:on 2:.net 3:example 4:net 5:network" },
	    { "a++ #c", "0:a 1:c" });
}

static void
scripts_without_spaces_give_pairs_and_singles(void **state)
{
	CHECK(*state,
	    { "\u4e2d\u6587\u5b57 x",
		"0:\u4e2d\u6587 0:\u4e2d 1:\u6587\u5b57 1:\u6587 2:\u5b57 3:x" },
	    { "\u4e2d", "0:\u4e2d" },
	    { "AI\u4eba\u5de5!", "0:ai 1:\u4eba\u5de5 1:\u4eba 2:\u5de5" },
	    /* Kana: half-width with a sign of voicing, and decomposed. */
	    { "\uff76\uff9e \u304b\u3099", "0:\u30ac 1:\u304c" },
	    { "\u30b3\u30fc\u30c9",
		"0:\u30b3\u30fc 0:\u30b3 1:\u30fc\u30c9 1:\u30fc 2:\u30c9" },
	    /* Thai: vowels belong to the letter. */
	    { "\u0e17\u0e35\u0e48\u0e19",
		"0:\u0e17\u0e35\u0e48\u0e19 0:\u0e17\u0e35\u0e48 1:\u0e19" },
	    /* Hangul has spaces. */
	    { "\ud55c\uad6d\uc5b4 \u1112\u1161\u11ab",
		"0:\ud55c\uad6d\uc5b4 1:\ud55c" });
}

static void
a_word_knows_its_bytes(void **state)
{
	struct text text = TEXT("\u00e9t\u00e9, \u4e2d\u6587");
	struct words words;
	struct word word;

	(void)state;
	words_begin(&words, text);
	assert_true(words_next(&words, &word));
	assert_int_equal(word.start, 0);
	assert_int_equal(word.end, 5);
	assert_int_equal(word.kind, WORD_WHOLE);
	assert_true(words_next(&words, &word));
	assert_int_equal(word.kind, WORD_PAIR);
	assert_int_equal(word.start, 7);
	assert_int_equal(word.end, 13);
	assert_true(words_next(&words, &word));
	assert_int_equal(word.kind, WORD_SINGLE);
	assert_int_equal(word.start, 7);
	assert_int_equal(word.end, 10);
}

static void
a_long_word_is_cut_off(void **state)
{
	char bytes[1000];
	struct words words;
	struct word word;

	(void)state;
	memset(bytes, 'a', sizeof(bytes));
	words_begin(&words, (struct text){ bytes, sizeof(bytes) });
	assert_true(words_next(&words, &word));
	assert_int_equal(word.text.size, WORD_BYTES);
	assert_int_equal(word.end, sizeof(bytes));
	assert_false(words_next(&words, &word));
}

static void
what_is_no_text_separates(void **state)
{
	struct arena *arena = *state;

	assert_text(words_of(arena,
			TEXT("a\xff"
			     "b\0c\xe4\xb8")),
	    "0:a 1:b 2:c");
	assert_text(words_of(arena, (struct text){ NULL, 0 }), "");
	/* Marks over nothing. */
	assert_text(words_of(arena, TEXT("\u0301\u0301 \u200d")), "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		fixture_arena_test(letters_and_numbers_are_words),
		fixture_arena_test(case_accents_and_width_are_folded),
		fixture_arena_test(arabic_and_hebrew_lose_their_vowel_signs),
		fixture_arena_test(indic_vowel_signs_stay),
		fixture_arena_test(names_with_a_sign_are_words),
		fixture_arena_test(
		    scripts_without_spaces_give_pairs_and_singles),
		cmocka_unit_test(a_word_knows_its_bytes),
		cmocka_unit_test(a_long_word_is_cut_off),
		fixture_arena_test(what_is_no_text_separates),
	};

	return cmocka_run_group_tests_name("words", tests, NULL, NULL);
}
