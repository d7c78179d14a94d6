/* Texts, and the buffers that they are written into. */
#include "base/text.h"

#include <string.h>

#include "../support/fixture.h"
#include "base/buffer.h"

static const struct text nothing = { NULL, 0 };

static void
texts_compare_byte_by_byte(void **state)
{
	(void)state;
	assert_true(text_equal(nothing, TEXT("")));
	assert_true(text_equal(TEXT("a\0b"), TEXT("a\0b")));
	assert_false(text_equal(TEXT("a\0b"), TEXT("a\0c")));
	assert_false(text_equal(TEXT("a"), TEXT("ab")));
	assert_true(text_compare(TEXT("a"), TEXT("ab")) < 0);
	assert_true(text_compare(TEXT("b"), TEXT("ab")) > 0);
	assert_true(text_compare(TEXT("\xff"), TEXT("a")) > 0);
	assert_int_equal(text_compare(nothing, TEXT("")), 0);
	assert_true(text_starts(TEXT("abc"), TEXT("ab")));
	assert_true(text_starts(TEXT("abc"), nothing));
	assert_false(text_starts(TEXT("a"), TEXT("ab")));
	assert_int_equal(text_of(NULL).size, 0);
}

static void
slices_and_trimmed_texts_stay_within_their_text(void **state)
{
	(void)state;
	assert_text(text_slice(TEXT("abcdef"), 2, 3), "cde");
	assert_text(text_slice(TEXT("abc"), 2, SIZE_MAX), "c");
	assert_text(text_slice(TEXT("abc"), 9, 3), "");
	assert_text(text_slice(nothing, 9, 3), "");
	assert_text(text_trim(TEXT(" \t\r\n\v\fa b \n")), "a b");
	assert_text(text_trim(TEXT("  ")), "");
	assert_text(text_trim(nothing), "");
	/* A no-break space is not ASCII. */
	assert_text(text_trim(TEXT("\xc2\xa0 ")), "\xc2\xa0");
}

static void
cutting_gives_every_part(void **state)
{
	struct text rest = TEXT("a,,b"), part;

	(void)state;
	assert_true(text_cut(&rest, ',', &part));
	assert_text(part, "a");
	assert_true(text_cut(&rest, ',', &part));
	assert_text(part, "");
	assert_true(text_cut(&rest, ',', &part));
	assert_text(part, "b");
	assert_false(text_cut(&rest, ',', &part));

	rest = TEXT("a,");
	assert_true(text_cut(&rest, ',', &part));
	assert_true(text_cut(&rest, ',', &part));
	assert_text(part, "");
	assert_false(text_cut(&rest, ',', &part));
	rest = nothing;
	assert_false(text_cut(&rest, ',', &part));
}

static void
words_are_split_at_white_space(void **state)
{
	struct text rest = TEXT("  one\ttwo\n three "), word;

	(void)state;
	assert_true(text_next_word(&rest, &word));
	assert_text(word, "one");
	assert_true(text_next_word(&rest, &word));
	assert_text(word, "two");
	assert_true(text_next_word(&rest, &word));
	assert_text(word, "three");
	assert_false(text_next_word(&rest, &word));
	assert_false(text_next_word(&rest, &word));
	rest = nothing;
	assert_false(text_next_word(&rest, &word));
}

static void
only_whole_words_are_found(void **state)
{
	(void)state;
	assert_true(text_has_word(TEXT("one  two"), TEXT("two")));
	assert_false(text_has_word(TEXT("one twofold"), TEXT("two")));
	assert_false(text_has_word(TEXT("one two"), TEXT("one two")));
	assert_false(text_has_word(nothing, TEXT("two")));
}

static void
only_whole_decimal_numbers_are_read(void **state)
{
	static const char *const bad[] = { "", " 1", "1 ", "+1", "-1", "1.0",
		"0x1", "1e3", "18446744073709551616", "99999999999999999999",
		"\xd9\xa1" };
	uint64_t number;
	int64_t signed_number;

	(void)state;
	assert_true(text_to_u64(TEXT("0"), &number));
	assert_int_equal(number, 0);
	assert_true(text_to_u64(TEXT("0018"), &number));
	assert_int_equal(number, 18);
	assert_true(text_to_u64(TEXT("18446744073709551615"), &number));
	assert_true(number == UINT64_MAX);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(text_to_u64(text_of(bad[i]), &number));
	assert_false(text_to_u64(TEXT("1\0"), &number));

	assert_true(text_to_i64(TEXT("-9223372036854775807"), &signed_number));
	assert_true(signed_number == -INT64_MAX);
	assert_true(text_to_i64(TEXT("9223372036854775807"), &signed_number));
	assert_true(signed_number == INT64_MAX);
	assert_false(text_to_i64(TEXT("9223372036854775808"), &signed_number));
	assert_false(text_to_i64(TEXT("-"), &signed_number));
	assert_false(text_to_i64(TEXT("--1"), &signed_number));
	assert_false(text_to_i64(nothing, &signed_number));
}

static void
new_texts_are_copies(void **state)
{
	struct arena *arena = *state;
	char source[] = "Abc";
	struct text copy = text_copy(arena, text_of(source));
	char long_one[1000];

	source[0] = 'X';
	assert_text(copy, "Abc");
	assert_text(
	    text_lower(arena, TEXT("AZaz\xc3\x84[@")), "azaz\xc3\x84[@");
	assert_text(text_join(arena, TEXT("a"), nothing), "a");
	assert_text(text_join(arena, TEXT("a"), TEXT("b")), "ab");
	assert_text(text_add_word(arena, nothing, TEXT("a")), "a");
	assert_text(text_add_word(arena, TEXT("a b"), TEXT("c")), "a b c");
	assert_text(text_number(arena, INT64_MIN), "-9223372036854775808");
	assert_string_equal(text_string(arena, TEXT("ab")), "ab");
	assert_string_equal(text_string(arena, nothing), "");
	/* Around the size up to which one try is enough to format. */
	for (int size = 250; size < 260; size++) {
		struct text text = text_format(arena, "%0*d%s", size, 7, "");

		assert_int_equal(text.size, size);
		assert_int_equal(text.data[size - 1], '7');
	}
	memset(long_one, 'y', sizeof(long_one));
	assert_int_equal(
	    text_format(arena, "%.*s!", 1000, long_one).size, 1001);
}

static void
hexadecimal_digits_have_their_values(void **state)
{
	(void)state;
	assert_int_equal(text_hex_digit('0'), 0);
	assert_int_equal(text_hex_digit('9'), 9);
	assert_int_equal(text_hex_digit('a'), 10);
	assert_int_equal(text_hex_digit('F'), 15);
	assert_int_equal(text_hex_digit('g'), -1);
	assert_int_equal(text_hex_digit('\xff'), -1);
	assert_int_equal(text_hex_digit('\0'), -1);
}

static void
buffer_grows_without_losing_its_content(void **state)
{
	struct arena *arena = *state;
	struct buffer buffer = buffer_in(arena, 0);

	assert_text(buffer_text(&buffer), "");
	buffer_add(&buffer, nothing);
	for (int i = 0; i < 1000; i++) {
		buffer_add_char(&buffer, 'a');
		buffer_add(&buffer, TEXT("bc"));
	}
	assert_int_equal(buffer.size, 3000);
	assert_true(buffer.capacity >= buffer.size);
	for (size_t i = 0; i < buffer.size; i++)
		assert_int_equal(buffer.data[i], "abc"[i % 3]);
}

static void
buffer_reserves_room_at_its_end(void **state)
{
	struct arena *arena = *state;
	struct buffer buffer = buffer_in(arena, 4);

	buffer_add(&buffer, TEXT("ab"));
	memcpy(buffer_reserve(&buffer, 5), "cdefg", 5);
	assert_text(buffer_text(&buffer), "ab");
	buffer.size += 5;
	assert_text(buffer_text(&buffer), "abcdefg");
}

static void
buffer_writes_numbers(void **state)
{
	static const int64_t written[] = { 0, 7, -7, 10, 1234567890, INT64_MAX,
		INT64_MIN };
	struct arena *arena = *state;

	for (size_t i = 0; i < sizeof(written) / sizeof(written[0]); i++) {
		struct buffer buffer = buffer_in(arena, 1);

		buffer_add_number(&buffer, written[i]);
		assert_true(text_equal(
		    buffer_text(&buffer), text_number(arena, written[i])));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		fixture_arena_test(texts_compare_byte_by_byte),
		fixture_arena_test(
		    slices_and_trimmed_texts_stay_within_their_text),
		fixture_arena_test(cutting_gives_every_part),
		fixture_arena_test(words_are_split_at_white_space),
		fixture_arena_test(only_whole_words_are_found),
		fixture_arena_test(only_whole_decimal_numbers_are_read),
		fixture_arena_test(new_texts_are_copies),
		fixture_arena_test(hexadecimal_digits_have_their_values),
		fixture_arena_test(buffer_grows_without_losing_its_content),
		fixture_arena_test(buffer_reserves_room_at_its_end),
		fixture_arena_test(buffer_writes_numbers),
	};

	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
