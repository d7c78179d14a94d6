/* Whether a post matches a query, and what of it is marked. */
#include "search/match.h"

#include "../support/fixture.h"

static struct search_post
link_post(void)
{
	return (struct search_post){ .id.article = 7,
		.posted = 1717200000, /* the 1st of June 2024 */
		.author = 17,
		.title = TEXT("Redis Cluster in production"),
		.text =
		    TEXT("It failed over, \u4e2d\u6587\u5b57\u5178. Linkers"),
		.groups = TEXT("dbs linux"),
		.host = TEXT("blog.example.com") };
}

static bool
matches(struct arena *arena, const char *typed, const struct search_post *post)
{
	struct query_name items[] = { { TEXT("u:ann"), TEXT("17") },
		{ TEXT("u:bob"), TEXT("18") },
		{ TEXT("g:databases"), TEXT("databases,dbs") } };
	const struct query_names names = { items, 3 };
	struct query query;

	query_parse(arena, text_of(typed), &query);
	return match_post(arena, &query, &names, post);
}

static void
check(struct arena *arena, const char *const *typed, size_t count,
    const struct search_post *post, bool expected)
{
	for (size_t i = 0; i < count; i++)
		if (matches(arena, typed[i], post) != expected)
			fail_msg("%s: %d", typed[i], !expected);
}

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static void
a_post_matches_what_it_has(void **state)
{
	static const char *const typed[] = { "redis", "REDIS over", "linker",
		"clusters", "\"redis cluster\"", "title:redis",
		"title:\"cluster in\"", "\"failed over\" -postgres",
		"postgres OR redis", "link*", "\u6587\u5b57", "\u5b57",
		"\u4e2d\u6587\u5b57\u5178", "@ann", "by:ANN by:bob",
		"group:databases", "group:linux+go", "group:go OR redis",
		"domain:example.com", "site:blog.example.com", "is:link",
		"is:article", "is:comment is:link", "after:2024-06 redis",
		"before:2024-06-02", "-@bob redis", "-is:comment after:2024" };

	struct search_post post = link_post();

	check(*state, typed, COUNT(typed), &post, true);
}

static void
a_post_does_not_match_what_it_lacks(void **state)
{
	static const char *const typed[] = { "postgres", "redis postgres",
		"\"cluster redis\"", "\"production it\"", "title:failed",
		"redis -cluster", "redis -\"failed over\"", "linke",
		"\"linker\"", "redis -clusters", "title:linker", "\u6587\u5178",
		"\u5178\u5b57", "@bob", "@nobody", "group:go",
		"group:databases group:go", "domain:ample.com",
		"domain:com.example", "is:text", "is:comment",
		"after:2024-06-02", "before:2024-06 redis", "-redis", "",
		"redis -is:link", "redis -@ann", "redis -group:databases" };
	struct search_post post = link_post();

	check(*state, typed, COUNT(typed), &post, false);
}

static void
a_comment_has_no_title(void **state)
{
	static const char *const has[] = { "is:comment", "redis" };
	static const char *const lacks[] = { "is:article", "is:link", "is:text",
		"title:redis", "@nobody", "domain:example.com" };
	struct search_post post = { .id = { 7, 3 }, .text = TEXT("redis") };

	check(*state, has, COUNT(has), &post, true);
	check(*state, lacks, COUNT(lacks), &post, false);
}

static struct text
marked(struct arena *arena, const char *typed, enum match_field field,
    struct text text, size_t room)
{
	struct match_mark marks[16];
	struct text shown = TEXT("");
	struct query query;
	size_t count, at = 0;

	query_parse(arena, text_of(typed), &query);
	count = match_marks(arena, &query, field, text, marks, room);
	for (size_t i = 0; i < count; i++) {
		struct text before = text_slice(text, at, marks[i].start - at),
			    inside = text_slice(text, marks[i].start,
				marks[i].end - marks[i].start);

		assert_true(marks[i].start >= at);
		shown = text_format(arena, "%.*s%.*s[%.*s]", TEXT_ARGS(shown),
		    TEXT_ARGS(before), TEXT_ARGS(inside));
		at = marks[i].end;
	}
	return text_join(arena, shown, text_slice(text, at, text.size));
}

static void
marks_are_where_the_words_are(void **state)
{
	static const struct {
		const char *typed, *text, *marked;
	} rows[] = {
		{ "redis", "Redis, redis!", "[Redis], [redis]!" },
		{ "vote", "Votes of a voter; vote",
		    "[Votes] of a voter; [vote]" },
		{ "\"redis cluster\" cluster",
		    "redis cluster; cluster of redis",
		    "[redis cluster]; [cluster] of redis" },
		{ "caf\u00e9 strasse", "CAFE Stra\u00dfe cafe\u0301s",
		    "[CAFE] [Stra\u00dfe] [cafe\u0301s]" },
		{ "comp*", "compile the computer; com",
		    "[compile] the [computer]; com" },
		{ "\u4e2d\u6587\u5b57",
		    "\u4e2d\u6587\u5b57\u5178 \u4e2d\u6587 \u6587\u5b57",
		    "[\u4e2d\u6587\u5b57]\u5178 \u4e2d\u6587 \u6587\u5b57" },
		{ "\u6587", "\u4e2d\u6587\u5b57", "\u4e2d[\u6587]\u5b57" },
		{ "c++", "C++ and c", "[C++] and c" },
		{ "a -b title:c @dan", "a b c dan", "[a] b c dan" },
		{ "\"a b\" \"b c\"", "a b c", "[a b c]" },
		{ "x", "", "" },
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		assert_text(marked(*state, rows[i].typed, MATCH_TEXT,
				text_of(rows[i].text), 16),
		    rows[i].marked);
	assert_text(marked(*state, "title:c d", MATCH_TITLE, TEXT("c d"), 16),
	    "[c] [d]");
	assert_text(
	    marked(*state, "a", MATCH_TEXT, TEXT("a a a"), 2), "[a] [a] a");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		fixture_arena_test(a_post_matches_what_it_has),
		fixture_arena_test(a_post_does_not_match_what_it_lacks),
		fixture_arena_test(a_comment_has_no_title),
		fixture_arena_test(marks_are_where_the_words_are),
	};

	return cmocka_run_group_tests_name("match", tests, NULL, NULL);
}
