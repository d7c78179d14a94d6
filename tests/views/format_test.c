/* Formatting of times, spans and texts for pages. */
#include "views/format.h"

#include "../support/fixture.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "views/messages.h"

enum { MINUTE = 60, HOUR = 3600, DAY = 86400, NOON = 1700000000 };

static void
ages(void **state)
{
	static const struct {
		int64_t age;
		const char *said;
	} rules[] = {
		{ -100, "just now" },
		{ 0, "just now" },
		{ 59, "just now" },
		{ 60, "1 minute ago" },
		{ 2 * MINUTE - 1, "1 minute ago" },
		{ 2 * MINUTE, "2 minutes ago" },
		{ HOUR, "1 hour ago" },
		{ DAY - 1, "23 hours ago" },
		{ DAY, "1 day ago" },
		{ 364 * DAY, "364 days ago" },
		{ 365 * DAY, "on 14 November 2022" },
	};

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		assert_text(format_age(*state, NOON, NOON - rules[i].age),
		    rules[i].said);
}

/* The step differs exactly where the words differ. */
static void
steps_of_ages(void **state)
{
	struct arena *arena = *state;
	struct text before = TEXT("");
	int64_t step_before = -1;

	for (int64_t age = -60; age < 400 * DAY; age += 13 + age / 500) {
		struct text words = format_age(arena, NOON + age, NOON);
		int64_t step = format_age_step(NOON + age, NOON);

		assert_int_equal(
		    text_equal(words, before), step == step_before);
		before = words;
		step_before = step;
	}
}

static void
spans(void **state)
{
	static const struct {
		int64_t seconds;
		const char *said;
	} rules[] = {
		{ 0, "0 seconds" },
		{ 1, "1 second" },
		{ 61, "1 minute and 1 second" },
		{ HOUR, "1 hour" },
		{ HOUR + 1, "1 hour and 1 second" },
		{ HOUR + MINUTE, "1 hour and 1 minute" },
		{ 7 * DAY, "7 days" },
		{ 6 * DAY + 3 * HOUR + 59, "6 days and 3 hours" },
		{ 2 * DAY - 1, "1 day and 23 hours" },
	};

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		assert_text(
		    format_span(*state, rules[i].seconds), rules[i].said);
}

static void
moments(void **state)
{
	assert_text(format_moment(*state, NOON), "14 November 2023, 22:13 UTC");
	assert_text(format_moment(*state, 0), "1 January 1970, 00:00 UTC");
	assert_text(format_iso(*state, NOON), "2023-11-14T22:13:20Z");
}

/* Paragraphs as "<a/b><c>": lines separated by '/'. */
static struct text
paragraphs(struct arena *arena, const char *source)
{
	struct mustache_list list = format_paragraphs(arena, text_of(source));
	const struct paragraph *items = list.items;
	struct buffer said = buffer_in(arena, 64);

	for (size_t i = 0; i < list.count; i++) {
		const struct paragraph_line *lines = items[i].lines.items;

		buffer_add_char(&said, '<');
		for (size_t l = 0; l < items[i].lines.count; l++) {
			buffer_add(&said, lines[l].text);
			assert_int_equal(
			    lines[l].last, l + 1 == items[i].lines.count);
			if (!lines[l].last)
				buffer_add_char(&said, '/');
		}
		buffer_add_char(&said, '>');
	}
	return buffer_text(&said);
}

static void
texts_as_paragraphs(void **state)
{
	assert_text(paragraphs(*state, ""), "");
	assert_text(paragraphs(*state, "\n \n\t\n"), "");
	assert_text(paragraphs(*state, "one"), "<one>");
	assert_text(paragraphs(*state, "one\n"), "<one>");
	assert_text(paragraphs(*state, "one\ntwo"), "<one/two>");
	assert_text(paragraphs(*state, "one\n\ntwo"), "<one><two>");
	assert_text(paragraphs(*state, "\n\none\n \n\n\ntwo\nthree\n\n"),
	    "<one><two/three>");
	assert_text(paragraphs(*state, "  one"), "<  one>");
}

static void
names_as_a_list(void **state)
{
	struct mustache_list list = format_names(*state, TEXT("a bb  c "));
	const struct text *names = list.items;

	assert_int_equal(list.count, 3);
	assert_text(names[0], "a");
	assert_text(names[1], "bb");
	assert_text(names[2], "c");
	assert_int_equal(format_names(*state, TEXT("")).count, 0);
}

static void
ordinals(void **state)
{
	static const struct {
		int64_t number;
		const char *said;
	} rules[] = { { 1, "1st" }, { 2, "2nd" }, { 3, "3rd" }, { 4, "4th" },
		{ 10, "10th" }, { 11, "11th" }, { 12, "12th" }, { 13, "13th" },
		{ 21, "21st" }, { 22, "22nd" }, { 100, "100th" },
		{ 101, "101st" }, { 111, "111th" }, { 113, "113th" } };

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		assert_text(
		    message_ordinal(*state, rules[i].number), rules[i].said);
}

static void
durations_are_rounded(void **state)
{
	static const struct {
		int64_t seconds;
		const char *up, *down;
	} rules[] = { { -1, NULL, "0 seconds" }, { 1, "1 second", "1 second" },
		{ 59, "59 seconds", "59 seconds" },
		{ 60, "1 minute", "1 minute" }, { 61, "2 minutes", "1 minute" },
		{ 14 * MINUTE + 32, "15 minutes", "14 minutes" },
		{ HOUR, "1 hour", "1 hour" }, { HOUR + 1, "2 hours", "1 hour" },
		{ 2 * DAY - 1, "2 days", "1 day" } };

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		int64_t seconds = rules[i].seconds;

		if (rules[i].up != NULL)
			assert_text(
			    format_rounded_up(*state, seconds), rules[i].up);
		assert_text(
		    format_rounded_down(*state, seconds), rules[i].down);
	}
}

static void
beginnings_of_texts(void **state)
{
	struct arena *arena = *state;

	assert_text(format_short(arena, TEXT("A title")), "A title");
	assert_text(format_short(arena,
			TEXT("Twelve letters fit here, and then many more that "
			     "really do not")),
	    "Twelve letters fit here, and then many more that really do…");
	assert_text(format_short(arena,
			TEXT("äääääääääääääääääääääääääääääääääääääääääääääääää"
			     "ääääääääääääääää")),
	    "ääääääääääääääääääääääääääääääääääääääääääääääääääääääääääää…");
	assert_text(format_summary(arena, TEXT(" One\n\ntwo ")), "One two");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		fixture_arena_test(ages),
		fixture_arena_test(ordinals),
		fixture_arena_test(durations_are_rounded),
		fixture_arena_test(beginnings_of_texts),
		fixture_arena_test(steps_of_ages),
		fixture_arena_test(spans),
		fixture_arena_test(moments),
		fixture_arena_test(texts_as_paragraphs),
		fixture_arena_test(names_as_a_list),
	};

	return cmocka_run_group_tests_name("format", tests, NULL, NULL);
}
