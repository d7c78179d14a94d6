/* Snippets: what of a text is shown, with what is marked. */
#include <stdlib.h>
#include <string.h>

#include "../support/fixture.h"
#include "base/buffer.h"
#include "base/utf8.h"
#include "search/snippet.h"

/* "...before [marked] after..." */
static struct text
plain(struct arena *arena, const struct snippet *snippet)
{
	struct buffer out = buffer_in(arena, 512);

	if (snippet->is_cut_before)
		buffer_add(&out, TEXT("..."));
	for (size_t i = 0; i < snippet->count; i++) {
		bool is_marked = snippet->pieces[i].is_marked;

		buffer_add(&out, is_marked ? TEXT("[") : TEXT(""));
		buffer_add(&out, snippet->pieces[i].text);
		buffer_add(&out, is_marked ? TEXT("]") : TEXT(""));
	}
	if (snippet->is_cut_after)
		buffer_add(&out, TEXT("..."));
	return buffer_text(&out);
}

static struct text
snippet_for(struct arena *arena, const char *typed, struct text text)
{
	struct query query;
	struct snippet snippet;

	query_parse(arena, text_of(typed), &query);
	snippet = snippet_of(arena, &query, text, SNIPPET_PLAIN);
	return plain(arena, &snippet);
}

/* A text that repeats another one. */
static struct text
repeat(struct arena *arena, const char *text, size_t times)
{
	struct buffer out = buffer_in(arena, strlen(text) * times + 1);

	for (size_t i = 0; i < times; i++)
		buffer_add(&out, text_of(text));
	return buffer_text(&out);
}

static void
short_texts_are_shown_whole_on_one_line(void **state)
{
	struct arena *arena = *state;

	assert_text(snippet_for(arena, "linker", TEXT("A Linker, here.")),
	    "A [Linker], here.");
	assert_text(
	    snippet_for(arena, "b", TEXT("  a\n\n\tb \r\n c  ")), "a [b] c");
	assert_text(snippet_for(arena, "\"two words\"",
			TEXT("These two\nwords and two others")),
	    "These [two words] and two others");
	assert_text(snippet_for(arena, "none", TEXT("Some text")), "Some text");
	assert_text(snippet_for(arena, "none", TEXT("")), "");
	assert_text(snippet_for(arena, "none", TEXT(" \n ")), "");
}

static void
the_part_with_most_of_the_words_is_shown(void **state)
{
	struct arena *arena = *state;
	struct text filler = repeat(arena, "lorem ipsum ", 60);
	struct text text = text_format(arena,
	    "one linker %.*s here a linker and symbols meet. %.*s",
	    TEXT_ARGS(filler), TEXT_ARGS(filler));
	struct text shown = snippet_for(arena, "linker symbols", text);

	assert_non_null(strstr(text_string(arena, shown),
	    "lorem ipsum here a [linker] and [symbols] meet. lorem"));
	assert_true(text_starts(shown, TEXT("...lorem")) ||
	    text_starts(shown, TEXT("...ipsum")));
	assert_true(shown.size < SNIPPET_BYTES + 16);
	shown = snippet_for(arena, "other", text);
	assert_true(text_starts(shown, TEXT("one linker lorem")));
	assert_text(text_slice(shown, shown.size - 3, 3), "...");
}

static void
the_end_of_a_text_is_shown_with_what_is_before_it(void **state)
{
	struct arena *arena = *state;
	struct text text = text_join(
	    arena, repeat(arena, "lorem ipsum ", 60), TEXT("the linker"));
	struct text shown = snippet_for(arena, "linker", text);

	assert_text(text_slice(shown, shown.size - 12, 12), "the [linker]");
	assert_true(shown.size > SNIPPET_BYTES * 3 / 4);
}

/* Chinese has no spaces: texts are cut between characters. */
static void
texts_without_spaces_are_cut_between_characters(void **state)
{
	struct arena *arena = *state;
	struct text filler = repeat(arena, "\u76ee\u6807\u6587\u4ef6", 100);
	struct text text = text_format(arena, "%.*s\u94fe\u63a5%.*s",
	    TEXT_ARGS(filler), TEXT_ARGS(filler));
	struct text shown = snippet_for(arena, "\u94fe\u63a5", text);

	assert_true(utf8_valid(shown));
	assert_non_null(strstr(text_string(arena, shown), "[\u94fe\u63a5]"));
	assert_true(shown.size <= SNIPPET_BYTES + 8);
	assert_true(shown.size > SNIPPET_BYTES / 2);
}

static void
titles_are_shown_whole(void **state)
{
	struct arena *arena = *state;
	struct text title =
	    text_join(arena, repeat(arena, "lorem ", 60), TEXT("linker"));
	struct query query;
	struct snippet snippet;

	query_parse(arena, TEXT("title:linker"), &query);
	snippet = snippet_of_title(arena, &query, title);
	assert_false(snippet.is_cut_before || snippet.is_cut_after);
	assert_int_equal(snippet.count, 2);
	assert_text(snippet.pieces[1].text, "linker");
	assert_true(snippet.pieces[1].is_marked);
}

/* Whatever a text is made of, its snippet is valid, bounded, and a part of it. */
static void
any_text_gives_a_valid_snippet(void **state)
{
	struct arena *arena = *state;
	static const char *const parts[] = { "linker", " ", "\n", "a", "\u00e9",
		"\u4e2d", "\U0001F600", "e\u0301", "  ", "\"", "linkerlinker",
		"\u0627\u0644", "." };
	struct arena own = { 0 };

	srand(24);
	for (int round = 0; round < 3000; round++) {
		struct buffer text = buffer_in(&own, 2048);
		struct text shown;
		int length = rand() % 400;

		for (int i = 0; i < length; i++)
			buffer_add(&text,
			    text_of(parts[(size_t)rand() %
				(sizeof(parts) / sizeof(parts[0]))]));
		shown = snippet_for(
		    &own, "linker OR a OR \u4e2d", buffer_text(&text));
		assert_true(utf8_valid(shown));
		/* With brackets around at most each character. */
		assert_true(shown.size <= SNIPPET_BYTES * 3 + 6);
		assert_null(memmem(shown.data, shown.size, "  ", 2));
		arena_reset(&own);
	}
	arena_free(&own);
	(void)arena;
}

/* Words are marked in what is read; a word of an address in what was written. */
static void
markup_is_left_out(void **state)
{
	struct arena *arena = *state;
	static const struct {
		const char *typed, *text, *shown;
	} rows[] = {
		{ "linker", "# A *fast* **linker**", "A fast [linker]" },
		{ "linker", "The [linker](https://a.example/b) is here",
		    "The [linker] is here" },
		{ "example", "The [linker](https://a.example/b) is here",
		    "The [linker](https://a.[example]/b) is here" },
		{ "\"fast linker\"", "a `fast` linker", "a [fast linker]" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct query query;
		struct snippet snippet;

		query_parse(arena, text_of(rows[i].typed), &query);
		snippet = snippet_of(
		    arena, &query, text_of(rows[i].text), SNIPPET_MARKDOWN);
		assert_text(plain(arena, &snippet), rows[i].shown);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		fixture_arena_test(short_texts_are_shown_whole_on_one_line),
		fixture_arena_test(the_part_with_most_of_the_words_is_shown),
		fixture_arena_test(
		    the_end_of_a_text_is_shown_with_what_is_before_it),
		fixture_arena_test(
		    texts_without_spaces_are_cut_between_characters),
		fixture_arena_test(titles_are_shown_whole),
		fixture_arena_test(markup_is_left_out),
		fixture_arena_test(any_text_gives_a_valid_snippet),
	};

	return cmocka_run_group_tests_name("snippets", tests, NULL, NULL);
}
