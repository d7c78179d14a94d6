/* Queries and forms as pairs of names and values. */
#include "http/pairs.h"

#include "../support/fixture.h"
#include "base/arena.h"
#include "base/buffer.h"

static struct text
get(const struct pairs *pairs, const char *name)
{
	return pairs_get(pairs, text_of(name));
}

static void
names_and_values_are_decoded(void **state)
{
	struct pairs pairs;

	assert_int_equal(
	    pairs_parse(*state,
		TEXT("a=1&b=two+words&c=%41%c3%a4%26&&d&e=&=f&g=h=i"), &pairs),
	    PAIRS_VALID);
	assert_int_equal(pairs.count, 7);
	assert_text(get(&pairs, "a"), "1");
	assert_text(get(&pairs, "b"), "two words");
	assert_text(get(&pairs, "c"), "A\xc3\xa4&");
	assert_text(get(&pairs, "d"), "");
	assert_text(get(&pairs, "e"), "");
	assert_text(get(&pairs, ""), "f");
	assert_text(get(&pairs, "g"), "h=i");
	assert_text(get(&pairs, "A"), "");
	assert_true(pairs_has(&pairs, TEXT("d")));
	assert_false(pairs_has(&pairs, TEXT("x")));
}

static void
empty_input_has_no_pairs(void **state)
{
	static const char *const empty[] = { "", "&", "&&&" };
	struct pairs pairs;

	for (size_t i = 0; i < sizeof(empty) / sizeof(empty[0]); i++) {
		assert_int_equal(pairs_parse(*state, text_of(empty[i]), &pairs),
		    PAIRS_VALID);
		assert_int_equal(pairs.count, 0);
	}
	assert_int_equal(
	    pairs_parse(*state, (struct text){ NULL, 0 }, &pairs), PAIRS_VALID);
	assert_false(pairs_has(&pairs, TEXT("")));
}

static void
first_of_repeated_names_counts(void **state)
{
	static const char *const repeated[] = { "a=1&a=2", "a&a", "a=1&b=2&a=1",
		"a=1&%61=1", "=1&=2", "a+b=1&a%20b=2" };
	struct pairs pairs;

	for (size_t i = 0; i < sizeof(repeated) / sizeof(repeated[0]); i++)
		assert_int_equal(
		    pairs_parse(*state, text_of(repeated[i]), &pairs),
		    PAIRS_REPEATED);
}

static void
broken_escapes_and_invalid_bytes_are_refused(void **state)
{
	static const char *const broken[] = { "a=%", "a=%4", "a=%4g", "a=%g1",
		"%=1", "a=%%20", "a=% 20", "a=\xff", "a=%ff", "%c3=1",
		"a=%c0%80", "a=%ed%a0%80", "a=1&b=%f5%80%80%80" };
	struct pairs pairs;

	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++)
		if (pairs_parse(*state, text_of(broken[i]), &pairs) !=
		    PAIRS_MALFORMED)
			fail_msg("%s is not malformed", broken[i]);
}

static void
pairs_before_a_fault_are_read(void **state)
{
	struct pairs pairs;

	assert_int_equal(pairs_parse(*state, TEXT("a=1&b=%ff&c=3"), &pairs),
	    PAIRS_MALFORMED);
	assert_text(get(&pairs, "a"), "1");
	assert_false(pairs_has(&pairs, TEXT("b")));
}

static void
more_pairs_than_a_form_has_are_refused(void **state)
{
	struct buffer form = buffer_in(*state, 1024);
	struct pairs pairs;

	for (int i = 0; i < PAIRS_MAX + 1; i++) {
		assert_int_equal(
		    pairs_parse(*state, buffer_text(&form), &pairs),
		    PAIRS_VALID);
		buffer_add(&form, TEXT("&n"));
		buffer_add_number(&form, i);
	}
	assert_int_equal(pairs.count, PAIRS_MAX);
	assert_int_equal(
	    pairs_parse(*state, buffer_text(&form), &pairs), PAIRS_TOO_MANY);
}

static void
ids_are_positive_numbers(void **state)
{
	static const char *const bad[] = { "id=", "id=0", "id=01", "id=-1",
		"id=+1", "id=1.0", "id=%201", "id=1%20", "id=1%00", "id=0x1",
		"id=1000000000000", "id=99999999999999999999", "id=abc", "x=1",
		"id=%d9%a1" };
	struct pairs pairs;
	uint64_t id = 7;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(
		    pairs_parse(*state, text_of(bad[i]), &pairs), PAIRS_VALID);
		if (pairs_get_id(&pairs, TEXT("id"), &id))
			fail_msg("%s is no id", bad[i]);
	}
	assert_int_equal(
	    pairs_parse(*state, TEXT("id=1&most=999999999999"), &pairs),
	    PAIRS_VALID);
	assert_true(pairs_get_id(&pairs, TEXT("id"), &id));
	assert_int_equal(id, 1);
	assert_true(pairs_get_id(&pairs, TEXT("most"), &id));
	assert_int_equal(id, 999999999999);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		fixture_arena_test(names_and_values_are_decoded),
		fixture_arena_test(empty_input_has_no_pairs),
		fixture_arena_test(first_of_repeated_names_counts),
		fixture_arena_test(
		    broken_escapes_and_invalid_bytes_are_refused),
		fixture_arena_test(pairs_before_a_fault_are_read),
		fixture_arena_test(more_pairs_than_a_form_has_are_refused),
		fixture_arena_test(ids_are_positive_numbers),
	};

	return cmocka_run_group_tests_name("pairs", tests, NULL, NULL);
}
