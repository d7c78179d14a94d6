/* Finding the sentences of templates, and translating them. */
#include "mustache/sentences.h"

#include "../support/fixture.h"
#include "base/arena.h"
#include "base/buffer.h"

/* The sentences of a template, each in brackets. */
static struct text
found_in(struct arena *arena, const char *source)
{
	struct sentences sentences = sentences_of(text_of(source));
	struct buffer all = buffer_in(arena, 1024);
	struct text sentence;

	while (sentences_next(&sentences, &sentence)) {
		buffer_add_char(&all, '[');
		buffer_add(&all, sentence);
		buffer_add_char(&all, ']');
	}
	return buffer_text(&all);
}

static void
sentences_are_found(void **state)
{
	static const struct {
		const char *source, *found;
	} rows[] = {
		{ "", "" },
		{ "<p></p>", "" },
		{ "{{name}} · {{>partial}}", "" },
		{ "{{$action}}/g/{{name}}/all{{/action}} {{site}}/all", "" },
		{ "<p>Posted</p>", "[Posted]" },
		{ "<p> Posted by {{author}}. </p>", "[Posted by {{author}}.]" },
		{ "<h1>One</h1><p>Two</p>\nThree\nFour",
		    "[One][Two][Three][Four]" },
		{ "<p>By <a href=\"/u/{{n}}\">{{n}}</a></p>",
		    "[By <a href=\"/u/{{n}}\">{{n}}</a>]" },
		{ "<p><a href=\"/g\">Groups</a></p>", "[Groups]" },
		{ "<b><i>All</i></b>", "[All]" },
		{ "<b>One</b> and <b>two</b>", "[<b>One</b> and <b>two</b>]" },
		{ "<a href=\"/\">{{#x}}Now{{/x}}{{^x}}Then{{/x}}</a>",
		    "[Now][Then]" },
		{ "One · two &middot; {{three}}",
		    "[One][two &middot; {{three}}]" },
		{ "One\u00A0· two{{#x}}\u00A0· three{{/x}}",
		    "[One][two][three]" },
		{ "&lt;&amp;", "" },
		{ "{{{html}}} said", "[said]" },
		{ "{{&html}} said {{! nothing }}", "[said]" },
		{ "<input placeholder=\"Find\" name=\"q\">", "[Find]" },
		{ "<img src=\"a\" alt=\"The logo\"> of it",
		    "[The logo][of it]" },
		{ "<b title=\"{{when}}\">{{age}}</b> ago",
		    "[<b title=\"{{when}}\">{{age}}</b> ago]" },
		{ "See <b title=\"Why\">this</b> too",
		    "[See][Why][this][too]" },
		{ "<a aria-label=\"Up: {{t}}\">Up</a>", "[Up: {{t}}][Up]" },
		{ "<a aria-label=\"{{#u}}Undo{{/u}}{{^u}}Up{{/u}}: {{t}}\">Up</a>",
		    "[Undo][Up][Up]" },
		{ "<a{{#x}} class=\"y\"{{/x}} href=\"z\">Go</a> on",
		    "[Go][on]" },
		{ "{{$attributes}}autofocus maxlength=\"5\"{{/attributes}}",
		    "" },
		{ "<p", "" },
		{ "One {{", "[One]" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_text(found_in(*state, rows[i].source), rows[i].found);
}

static struct text
mark(const void *language, struct arena *arena, struct text sentence)
{
	return text_format(arena, "%s%.*s%s", (const char *)language,
	    TEXT_ARGS(sentence), (const char *)language);
}

static void
sentences_are_translated_in_place(void **state)
{
	static const struct {
		const char *source, *translated;
	} rows[] = {
		{ "", "" },
		{ "<p>One</p>\n\n<p> Two <b>{{x}}</b></p>\n",
		    "<p>!One!</p>\n\n<p> !Two <b>{{x}}</b>!</p>\n" },
		{ "<input placeholder=\"Find\">{{>more}}",
		    "<input placeholder=\"!Find!\">{{>more}}" },
		{ "{{#a}}Yes{{/a}}{{^a}}No{{/a}}.",
		    "{{#a}}!Yes!{{/a}}{{^a}}!No!{{/a}}." },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_text(sentences_translate(
				*state, text_of(rows[i].source), mark, "!"),
		    rows[i].translated);
}

static void
translations_have_the_same_tags(void **state)
{
	static const struct {
		const char *sentence, *translation;
		bool fits;
	} rows[] = {
		{ "Posted", "Eingereicht", true },
		{ "By {{name}}", "{{name}}s", true },
		{ "{{a}} of <b>{{b}}</b>", "<b>{{b}}</b>: {{a}}", true },
		{ "By {{name}}", "Von", false },
		{ "By {{name}}", "Von {{nam}}", false },
		{ "By {{name}}", "{{name}} {{name}}", false },
		{ "By <b>x</b>", "Von x", false },
		{ "By", "Von {{#x}}", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(
		    sentences_fit(*state, text_of(rows[i].sentence),
			text_of(rows[i].translation)),
		    rows[i].fits);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		fixture_arena_test(sentences_are_found),
		fixture_arena_test(sentences_are_translated_in_place),
		fixture_arena_test(translations_have_the_same_tags),
	};

	return cmocka_run_group_tests_name("sentences", tests, NULL, NULL);
}
