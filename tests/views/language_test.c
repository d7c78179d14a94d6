/* The languages of pages: the shipped catalogs, which language a fiber has, and values in
 * sentences. */
#include "views/language.h"

#include "../support/fixture.h"
#include "base/arena.h"
#include "base/fiber.h"
#include "views/format.h"
#include "views/messages.h"

static int
open_languages(void **state)
{
	(void)state;
	language_open("templates/locale");
	return 0;
}

static int
use_english(void **state)
{
	(void)state;
	language_use(NULL);
	return 0;
}

static void
languages_are_found(void **state)
{
	(void)state;
	assert_text(language_find(TEXT("en"))->name, "English");
	assert_text(language_find(TEXT("de"))->name, "Deutsch");
	assert_text(language_find(TEXT("zh-Hans"))->name, "简体中文");
	assert_text(language_find(TEXT("de"))->dir, "ltr");
	assert_ptr_equal(language_find(TEXT("en")), language_at(0));
	assert_null(language_find(TEXT("")));
	assert_null(language_find(TEXT("xx")));
	assert_int_equal(language_count(), 3);
}

static void
sentences_are_in_the_language(void **state)
{
	struct arena *arena = *state;

	assert_text(format_age(arena, 1000, 1000), "just now");
	assert_text(message_number(arena, -1234567), "-1,234,567");
	language_use(language_find(TEXT("de")));
	assert_text(format_age(arena, 1000, 1000), "gerade eben");
	assert_text(message_number(arena, -1234567), "-1.234.567");
	assert_text(
	    language_text(TEXT("no sentence of ours")), "no sentence of ours");
	assert_text(language_text(TEXT("")), "");
	language_use(language_find(TEXT("zh-Hans")));
	assert_text(format_age(arena, 1000, 1000), "刚刚");
	language_use(language_find(TEXT("en")));
	assert_text(format_age(arena, 1000, 1000), "just now");
}

static void
forms_for_numbers_follow_the_rules_of_the_language(void **state)
{
	static const struct {
		int64_t count;
		const char *german;
	} rows[] = {
		{ 0, "0 Kommentare" },
		{ 1, "1 Kommentar" },
		{ 2, "2 Kommentare" },
		{ 101, "101 Kommentare" },
		{ 12345, "12.345 Kommentare" },
	};

	language_use(language_find(TEXT("de")));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (int times = 0; times < 2; times++)
			assert_text(message_count(*state, MESSAGE_COMMENTS,
					rows[i].count),
			    rows[i].german);
	language_use(NULL);
}

static void
values_are_filled_in(void **state)
{
	struct arena *arena = *state;

	assert_text(LANGUAGE_FILL(arena, TEXT("{a} and {b}"),
			{ "b", TEXT("two") }, { "a", TEXT("{b}") }),
	    "{b} and two");
	assert_text(
	    LANGUAGE_FILL(arena, TEXT("{a} {c} { {a"), { "a", TEXT("one") }),
	    "one {c} { {a");
	assert_text(LANGUAGE_FILL(arena, TEXT(""), { "a", TEXT("one") }), "");
}

struct serving {
	const struct language *language;
	struct text before, after;
	struct fiber *fiber;
};

static void
serve(void *data)
{
	struct serving *serving = data;

	serving->fiber = fiber_current();
	serving->before = language_current()->tag;
	language_use(serving->language);
	fiber_suspend();
	serving->after = language_current()->tag;
}

/* One that is used again begins in English, as any other does. */
static void
each_fiber_has_its_own(void **state)
{
	struct serving first = { .language = language_find(TEXT("de")) };
	struct serving second = { .language = language_find(TEXT("zh-Hans")) };
	struct serving third = { .language = NULL };

	(void)state;
	fiber_start(serve, &first);
	fiber_start(serve, &second);
	fiber_resume(first.fiber);
	fiber_start(serve, &third);
	fiber_resume(second.fiber);
	fiber_resume(third.fiber);
	assert_text(first.before, "en");
	assert_text(second.before, "en");
	assert_text(third.before, "en");
	assert_text(first.after, "de");
	assert_text(second.after, "zh-Hans");
	assert_text(third.after, "en");
	assert_text(language_current()->tag, "en");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		fixture_arena_test(languages_are_found),
		fixture_arena_test(sentences_are_in_the_language),
		fixture_arena_test(
		    forms_for_numbers_follow_the_rules_of_the_language),
		fixture_arena_test(values_are_filled_in),
		fixture_arena_test(each_fiber_has_its_own),
	};

	return cmocka_run_group_tests_name(
	    "language", tests, open_languages, use_english);
}
