/* Texts that are slow to parse or deeply nested: the limits, and the HTML of refused
 * texts and of the worst accepted ones. */
#include "markup/markup.h"

#include <string.h>

#include "../support/rendering.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static const struct markup_names nobody = { 0 };

static struct text members[] = { TEXT_INIT("ann") };
static const struct markup_names known = { .members = members,
	.member_count = 1 };

/* A start, a part repeated up to a number of bytes in total, and an end. */
static struct text
filled(struct arena *arena, const char *start, const char *part,
    const char *end, size_t size)
{
	size_t ends = strlen(start) + strlen(end), each = strlen(part);
	size_t times = ends < size ? (size - ends) / each : 0;
	char *bytes = arena_bytes(arena, ends + times * each);
	char *next = bytes + strlen(start);

	memcpy(bytes, start, strlen(start));
	for (size_t i = 0; i < times; i++, next += each)
		memcpy(next, part, each);
	memcpy(next, end, strlen(end));
	return (struct text){ bytes, ends + times * each };
}

static void
everyday_texts_are_accepted(void **state)
{
	struct arena *arena = *state;
	static const char *const texts[] = { "", "a",
		"- - - - - - - - - - - - - - - - - -",
		"* * * * * * * * * * * * * * * * * *\n",
		"> * * * * * * * * * * * * * * * * * *", "_ _ _ _ _ _ _ _ _",
		"> > > > > > > > > > > > a", ">>>>>>>>>>>> a", ">>> a\n>>> b",
		"- - - - - - - - - - - - a", "1. 2. 3) - * + > 1. - - - - a",
		"-1. 2. 3. 4. 5. 6. 7. 8. 9. 10. 11. 12. 13. 14.",
		"--------------a", "+++++++++++++++ a", "**************a**",
		"1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16",
		"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16",
		"\t\t\t\t\t\t\t\t\t\t\t\t\ta - b",
		"\t\t\t\t\t\t\t\t\t\t\t\t- b" };

	for (size_t i = 0; i < COUNT(texts); i++)
		if (!markup_within_limits(text_of(texts[i])))
			fail_msg("%s is refused", texts[i]);
	assert_true(markup_within_limits(
	    filled(arena, "", "word, \u00e4nd ", "", 20000)));
	assert_true(markup_within_limits(filled(arena, "", "*", "", 20000)));
	assert_true(markup_within_limits(
	    filled(arena, "", "a[i] = *b + c;\n", "", 20000)));
}

static void
deep_texts_are_refused(void **state)
{
	static const char *const texts[] = { "> > > > > > > > > > > > > a",
		">>>>>>>>>>>>>", "a\n\n>>>>>>>>>>>>>", "a\r\r>>>>>>>>>>>>>",
		"\ufeff>>>>>>>>>>>>>", "   >   >>>>>>>>>>>>",
		"\t>\t>\t>\t>\t>\t>\t>\t>\t>\t>\t>\t>\t> a",
		"- - - - - - - - - - - - - a", "+ + + + + + + + + + + + +",
		"* * * * * * * * * * * * * _", "- * - * - * - * - * - * -",
		"1. 2. 3. 4. 5. 6. 7. 8. 9. 10. 11. 12. 13. 14.",
		"1) 1) 1) 1) 1) 1) 1) 1) 1) 1) 1) 1) 1)",
		"> - > - > - > - > - > - > -", "\t\t\t\t\t\t\t\t\t\t\t\t - b" };

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++)
		if (markup_within_limits(text_of(texts[i])))
			fail_msg("%s is tame", texts[i]);
}

static void
texts_full_of_markup_are_refused(void **state)
{
	static const char *const parts[] = { "[", "]", "<", "&", "!", "\\",
		"\n", "*_", "`*", "\"", "'", "--", "..", "\r" };
	struct arena *arena = *state;

	for (size_t i = 0; i < COUNT(parts); i++) {
		if (!markup_within_limits(
			filled(arena, "", parts[i], "", MARKUP_MARKS_MAX)))
			fail_msg("%s is refused", parts[i]);
		if (markup_within_limits(
			filled(arena, "", parts[i], "", 2 * MARKUP_MARKS_MAX)))
			fail_msg("%s is tame", parts[i]);
	}
	assert_true(markup_within_limits(
	    filled(arena, "", "![a", "", 3 * MARKUP_IMAGES_MAX)));
	assert_false(markup_within_limits(
	    filled(arena, "", "![a", "", 3 * MARKUP_IMAGES_MAX + 3)));
}

static void
long_texts_are_refused(void **state)
{
	struct arena *arena = *state;

	assert_true(markup_within_limits(
	    filled(arena, "", "\U0001f600", "", 4 * MARKUP_CHARACTERS_MAX)));
	assert_false(markup_within_limits(filled(
	    arena, "", "\U0001f600", "", 4 * MARKUP_CHARACTERS_MAX + 4)));
}

static void
refused_texts_are_shown_unparsed(void **state)
{
	struct arena *arena = *state;
	struct markup_names names;

	assert_text(
	    html_of_text(arena, TEXT(">>>>>>>>>>>>> <b>\n*@ann*"), &nobody),
	    "<p dir=\"auto\">&gt;&gt;&gt;&gt;&gt;&gt;&gt;&gt;&gt;&gt;&gt;&gt;"
	    "&gt; &lt;b&gt;<br>\n*@ann*</p>\n");
	markup_find_names(arena, TEXT(">>>>>>>>>>>>> @ann"), &names);
	assert_int_equal(names.member_count, 0);
}

/* The depth of the most deeply nested element. */
static size_t
depth_of(struct text html)
{
	size_t depth = 0, deepest = 0;

	for (size_t i = 0; i + 1 < html.size; i++) {
		if (html.data[i] != '<')
			continue;
		depth += html.data[i + 1] == '/' ? (size_t)-1 : 1;
		deepest = depth > deepest ? depth : deepest;
	}
	assert_int_equal(depth, 0);
	return deepest;
}

static void
nesting_is_limited(void **state)
{
	struct arena *arena = *state;
	struct text html, lists = TEXT("");

	html = html_of_text(arena,
	    text_join(arena, filled(arena, "", "**a *b ", "c", 3500),
		filled(arena, "", " d* e**", "", 3500)),
	    &nobody);
	assert_int_equal(depth_of(html), MARKUP_ELEMENTS_MAX);
	/* All of the text is there. */
	assert_has(html, "<strong>a b a b a b");
	assert_has(html, "b c d e d e d");
	for (int i = 0; i < 24; i++)
		lists = text_format(arena, "%.*s> %*s- a%d\n>\n",
		    TEXT_ARGS(lists), 2 * i, "", i);
	lists = text_format(arena, "%.*s> %*sb", TEXT_ARGS(lists), 52, "");
	assert_true(markup_within_limits(lists));
	html = html_of_text(arena, lists, &nobody);
	assert_int_equal(depth_of(html), MARKUP_ELEMENTS_MAX);
	/* In a quote and 15 lists with an item each, there is room for a
	 * paragraph, but for no list or code. */
	assert_has(html, "</p>\n<code>b\n</code>\n");
	assert_has(html,
	    "<li dir=\"auto\">\n<p>a14</p>\n<p dir=\"auto\">a15</p>\n"
	    "<p dir=\"auto\">a16</p>\n");
	html = html_of_text(arena,
	    text_join(arena, filled(arena, "", "**a *b ", "@ann `c`", 300),
		filled(arena, "", " d* e**", "", 280)),
	    &known);
	assert_int_equal(depth_of(html), MARKUP_ELEMENTS_MAX);
}

/*
 * The worst found among texts that repeat up to three patterns, and known worst cases
 * of Markdown parsers. They take 3 ms, and ten times as much under a sanitizer; without
 * the bounds the first takes half a second.
 */
enum { ATTACK_MS = 50 };

#define TEN(text)  text text text text text text text text text text
#define AMPERSANDS TEN(TEN("&&&&&&&&&&"))
#define USES	   TEN("[a][a][a][a]")

static const struct {
	const char *start, *part, *end;
} attacks[] = {
	{ "- - - - - - - - - - - - a\n"
	  "                        - - - - - - - - - - - - b\n"
	  "                                                - c\n",
	    "\n", "" },
	{ "", "- ", "a" },
	{ "", ">", "a" },
	{ "", "*a _b ", "" },
	{ "", "**a *b c* d** ", "" },
	{ "", "*_", "" },
	{ "", "_a_", "" },
	{ "", "[", "" },
	{ "", "[a](", "" },
	{ "", "[a](<b", "" },
	{ "", "[ (](", "" },
	{ "", "&]([_&*", "" },
	{ "", "-->**a**[>](", "" },
	{ "", "_a_[<](__<http://a>=", "" },
	{ "", "![[]()", "" },
	{ "![![![![![![![![![![![![![![![![![![![![![![![![![![![![![![![![",
	    "[](a)", "" },
	{ "", "<!--", "" },
	{ "", "<![CDATA[", "" },
	{ "", "<a b=\"", "" },
	{ "", "`a``b```c", "" },
	{ "", "&", "" },
	{ "", "&amp;", "" },
	{ "", "[a]: http://b.example\n", "" },
	{ "[a]: http://b.example\n\n", "[a]", "" },
	{ "", "[a]: http://b\n[a]:[a]:", "" },
	{ "", "a\n=\n", "" },
	{ "", "\n- - - a", "" },
	{ "", "\n+ - + @", "" },
	{ "", "@ab ", "" },
	{ "", "http://a ", "" },
	{ "", "xhttp://", "" },
	{ "", "http://(", "" },
	{ "", "http://\u00e4.\u00f6 ", "" },
	{ "", "\u00e4&#x202e;", "" },
	{ "", "@_", "" },
	{ "", "https://b/_c*", "" },
	{ "", "-\n+\n", "" },
	{ "", ">>>>>>>>>>>-\n+\n", "" },
	/* The texts that grow most, in tags and in addresses. */
	{ "[a]: http://b.example/?" AMPERSANDS "\n\n" USES "\n\n",
	    ">>>>>>>>>>>-\n+\n", "" },
	{ "", "\"", "" },
};

/* The fastest of three, since other processes use the machine. */
static int64_t
time_of(struct arena *arena, struct text source, struct text *html)
{
	int64_t best = INT64_MAX;

	for (int i = 0; i < 3; i++) {
		int64_t start = fixture_processor_us(), taken;

		*html = html_of_text(arena, source, &nobody);
		taken = fixture_processor_us() - start;
		best = taken < best ? taken : best;
	}
	return best;
}

/* The part, repeated as often as the limits allow. */
static struct text
largest(struct arena *arena, size_t i)
{
	size_t size = 0;
	struct text text = TEXT("");

	for (size_t step = 16384; step > 0; step /= 2) {
		struct text more = filled(arena, attacks[i].start,
		    attacks[i].part, attacks[i].end, size + step);

		if (!markup_within_limits(more))
			continue;
		size += step;
		text = more;
	}
	return text;
}

static void
attacks_are_bounded(void **state)
{
	struct arena *arena = *state;

	for (size_t i = 0; i < COUNT(attacks); i++) {
		struct text source = largest(arena, i), html;
		int64_t taken = time_of(arena, source, &html);

		if (taken > ATTACK_MS * 1000)
			fail_msg("%s takes %lld us", attacks[i].part,
			    (long long)taken);
		assert_true(depth_of(html) <= MARKUP_ELEMENTS_MAX);
		if (html.size > MARKUP_GROWTH * source.size + 100)
			fail_msg("%s grows from %zu to %zu", attacks[i].part,
			    source.size, html.size);
		arena_reset(arena);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		fixture_arena_test(everyday_texts_are_accepted),
		fixture_arena_test(deep_texts_are_refused),
		fixture_arena_test(texts_full_of_markup_are_refused),
		fixture_arena_test(long_texts_are_refused),
		fixture_arena_test(refused_texts_are_shown_unparsed),
		fixture_arena_test(nesting_is_limited),
		fixture_arena_test(attacks_are_bounded),
	};

	return cmocka_run_group_tests_name("markup bounds", tests, NULL, NULL);
}
