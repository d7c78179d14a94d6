/* The search language: what each query is read as. */
#include "search/query.h"

#include "../support/fixture.h"
#include "search/expression.h"
#include "store/rules.h"

static const char *const kinds[] = {
	[QUERY_WORDS] = "words",
	[QUERY_PREFIX] = "prefix",
	[QUERY_TITLE] = "title",
	[QUERY_AUTHOR] = "author",
	[QUERY_GROUP] = "group",
	[QUERY_DOMAIN] = "domain",
	[QUERY_LINK] = "link",
	[QUERY_IS] = "is",
};

static const char *const notes[] = {
	[QUERY_NO_DATE] = "no date",
	[QUERY_NO_KIND] = "no kind",
	[QUERY_NO_ORDER] = "no order",
	[QUERY_NO_NAME] = "no name",
	[QUERY_SHORT_PREFIX] = "short prefix",
	[QUERY_TOO_LONG] = "too long",
	[QUERY_NO_WORDS] = "no words",
	[QUERY_ONLY_EXCLUDES] = "only excludes",
};

static struct text
append(struct arena *arena, struct text joined, struct text part)
{
	return text_format(arena, "%.*s%s%.*s", TEXT_ARGS(joined),
	    joined.size > 0 ? " " : "", TEXT_ARGS(part));
}

/* "0 words[redis]", "- author[ann]" */
static struct text
show_item(struct arena *arena, const struct query_item *item)
{
	struct text value = item->value;

	if (item->word_count > 0)
		value = TEXT("");
	for (size_t i = 0; i < item->word_count; i++)
		value = append(arena, value, item->words[i]);
	return item->excluded ? text_format(arena, "-%s[%.*s]",
				    kinds[item->kind], TEXT_ARGS(value))
			      : text_format(arena, "%zu:%s[%.*s]", item->clause,
				    kinds[item->kind], TEXT_ARGS(value));
}

static struct text
show(struct arena *arena, const struct query *query)
{
	struct text shown = TEXT("");

	for (size_t i = 0; i < query->count; i++)
		shown =
		    append(arena, shown, show_item(arena, &query->items[i]));
	if (query->after != 0)
		shown = append(arena, shown,
		    text_format(arena, "after %lld", (long long)query->after));
	if (query->before != 0)
		shown = append(arena, shown,
		    text_format(
			arena, "before %lld", (long long)query->before));
	if (query->has_order)
		shown = append(arena, shown,
		    text_join(arena, TEXT("by "), query_orders[query->order]));
	for (size_t i = 0; i < query->note_count; i++)
		shown = append(arena, shown,
		    text_format(arena, "%s(%.*s)", notes[query->notes[i].kind],
			TEXT_ARGS(query->notes[i].value)));
	return shown;
}

static void
check(struct arena *arena, const char *typed, const char *expected)
{
	struct query query;

	query_parse(arena, text_of(typed), &query);
	assert_text(show(arena, &query), expected);
}

static void
twenty_examples_are_understood(void **state)
{
	static const char *const rows[][2] = {
		{ "redis cluster", "0:words[redis] 1:words[cluster]" },
		{ "\"redis cluster\" failover",
		    "0:words[redis cluster] 1:words[failover]" },
		{ "redis -cluster -\"memory leak\"",
		    "0:words[redis] -words[cluster] -words[memory leak]" },
		{ "author:ann group:databases redis",
		    "0:author[ann] 1:group[databases] 2:words[redis]" },
		{ "by:ann by:bob redis",
		    "0:author[ann] 0:author[bob] 1:words[redis]" },
		{ "@Ann is:comment after:2024-01-01 before:2024-06",
		    "0:author[ann] 1:is[comment] after 1704067200"
		    " before 1717200000" },
		{ "title:rust title:\"borrow checker\"",
		    "0:title[rust] 1:title[borrow checker]" },
		{ "domain:example.com order:points",
		    "0:domain[example.com] by points" },
		{ "postgres OR mysql index order:newest",
		    "0:words[postgres] 0:words[mysql] 1:words[index]"
		    " by newest" },
		{ "compil*", "0:prefix[compil]" },
		{ "re*", "0:words[re] short prefix(re*)" },
		{ "\u4e2d\u6587\u5b57\u5178 -\u6570\u636e",
		    "0:words[\u4e2d\u6587 \u6587\u5b57 \u5b57\u5178]"
		    " -words[\u6570\u636e]" },
		{ "\"unclosed phrase at the end",
		    "0:words[unclosed phrase at the end]" },
		{ "author: redis", "0:words[author] 1:words[redis]" },
		{ "-spam", "-words[spam] only excludes()" },
		{ "title:\"\" foo:bar https://example.com/a?b=1",
		    "0:words[title] 1:words[foo bar]"
		    " 2:words[https example com a b 1]" },
		{ "C++ & AND NOT NEAR(a b) * ^ { }",
		    "0:words[c++] 1:words[and] 2:words[not] 3:words[near a]"
		    " 4:words[b]" },
		{ "before:2024-13-01 before:soon is:nothing",
		    "0:words[before 2024 13 01] 1:words[before soon]"
		    " 2:words[is nothing] no date(2024-13-01) no date(soon)"
		    " no kind(nothing)" },
		{ "\"\" - -- \"-\" *", "no words()" },
		{ "a OR OR b OR", "0:words[a] 0:words[b] 1:words[or]" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check(*state, rows[i][0], rows[i][1]);
}

static void
words_are_folded(void **state)
{
	check(*state, "\u0627\u0644\u0643\u062a\u0627\u0628 Größe don't",
	    "0:words[\u0627\u0644\u0643\u062a\u0627\u0628] 1:words[grosse]"
	    " 2:words[don t]");
	/* One character; pairs and a last one that a word follows. */
	check(*state, "\u4e2d", "0:words[\u4e2d]");
	check(*state, "\u4e2d\u6587x \"\u4e2d\u6587 y\"",
	    "0:words[\u4e2d\u6587 \u6587 x] 1:words[\u4e2d\u6587 \u6587 y]");
	check(*state, "\u4e2d\u6587.", "0:words[\u4e2d\u6587]");
}

static void
a_word_has_a_plural_or_singular(void **state)
{
	static const char *const rows[][2] = {
		{ "vote", "votes" },
		{ "Votes", "vote" },
		{ "title:linker", "linkers" },
		{ "-linker", "linkers" },
		{ "\"vote\"", "" },
		{ "title:\"vote\"", "" },
		{ "vote*", "" },
		{ "down-vote", "" },
		{ "redis", "" },
		{ "status", "" },
		{ "class", "" },
		{ "gas", "" },
		{ "go", "" },
		{ "x86", "" },
		{ "\u00e9t\u00e9", "etes" },
		{ "\u0436\u0443\u043a", "" },
	};
	struct arena *arena = *state;
	struct query query;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		query_parse(arena, text_of(rows[i][0]), &query);
		assert_int_equal(query.count, 1);
		assert_text(query.items[0].variant, rows[i][1]);
	}
}

static void
keyboards_characters_are_the_plain_ones(void **state)
{
	check(*state, "\u201credis cluster\u201d\u3000\u4e2d\u6587",
	    "0:words[redis cluster] 1:words[\u4e2d\u6587]");
	check(*state,
	    "a\tb\nc\x01"
	    "d",
	    "0:words[a] 1:words[b] 2:words[c] 3:words[d]");
}

static void
or_joins_to_the_item_before(void **state)
{
	check(*state, "OR a", "0:words[a]");
	check(*state, "OR", "0:words[or]");
	check(*state, "a OR ", "0:words[a] 1:words[or]");
	check(*state, "a OR b OR c d",
	    "0:words[a] 0:words[b] 0:words[c] 1:words[d]");
	check(*state, "a OR @ann group:xy",
	    "0:words[a] 0:author[ann] 1:group[xy]");
	/* Not to what is excluded, and not what is excluded. */
	check(*state, "a -b OR c OR -d",
	    "0:words[a] -words[b] 1:words[c] -words[d]");
	check(*state, "or ORACLE OR\u00a0x",
	    "0:words[or] 1:words[oracle] 1:words[x]");
}

static void
operators_take_values(void **state)
{
	check(*state, "AUTHOR:\"ann\" Tag:C Site:https://www.Example.com/a",
	    "0:author[ann] 1:words[tag c] 2:domain[example.com] no name(C)");
	check(*state, "group:a-b+redis x",
	    "0:group[a-b] 0:group[redis] 1:words[x]");
	check(*state, "-group:linux+redis -is:link x",
	    "-group[linux] -group[redis] -is[link] 0:words[x]");
	check(*state, "is:article is:comment -@ann",
	    "0:is[article] 0:is[comment] -author[ann]");
	check(*state, "by:a! domain:x@y",
	    "0:words[by a] 1:words[domain x y] no name(a!) no name(x@y)");
}

static void
dates_are_of_the_calendar(void **state)
{
	check(*state, "after:2024 x", "0:words[x] after 1704067200");
	check(*state, "before:2024-02-29", "before 1709164800");
	check(*state, "before:2023-02-29",
	    "0:words[before 2023 02 29] no date(2023-02-29)");
	check(*state, "after:1969 after:2024-1 after:20245",
	    "0:words[after 1969] 1:words[after 2024 1] 2:words[after 20245]"
	    " no date(1969) no date(2024-1) no date(20245)");
	check(*state, "-after:2024 order:best",
	    "-words[after 2024] 0:words[order best] no date(2024)"
	    " no order(best)");
	check(*state, "-spam after:2024", "-words[spam] after 1704067200");
}

static void
prefixes_are_long_enough(void **state)
{
	check(*state, "abc*", "0:prefix[abc]");
	check(*state, "foo:comp*", "0:prefix[foo comp]");
	check(*state, "\"abc*\" -abc*", "0:words[abc] -prefix[abc]");
	check(*state, "\ud55c\uad6d*", "0:prefix[\ud55c\uad6d]");
	check(*state, "\u4e2d\u6587* \u4e2d*",
	    "0:words[\u4e2d\u6587] 1:words[\u4e2d]");
	check(*state, "\ud55c* \u0436\u0443*",
	    "0:words[\ud55c] 1:words[\u0436\u0443] short prefix(\ud55c*)"
	    " short prefix(\u0436\u0443*)");
}

static void
too_much_is_left_out(void **state)
{
	struct arena *arena = *state;
	struct text text = TEXT("");
	struct query query;

	for (int i = 0; i < 40; i++)
		text = text_format(arena, "%.*sx%d ", TEXT_ARGS(text), i);
	query_parse(arena, text, &query);
	assert_int_equal(query.count, QUERY_ITEMS_MAX);
	assert_int_equal(query.note_count, 1);
	assert_int_equal(query.notes[0].kind, QUERY_TOO_LONG);

	/* Characters are whole. */
	text = text_format(arena, "%*s", QUERY_BYTES_MAX - 1, "x");
	query_parse(arena, text_join(arena, text, TEXT("\u00e9y")), &query);
	assert_text(show(arena, &query), "0:words[x] too long()");
}

static void
names_are_listed_once(void **state)
{
	struct arena *arena = *state;
	struct query_names names;
	struct query query;

	query_parse(
	    arena, TEXT("@ann by:Ann -@bob group:redis+go redis"), &query);
	names = query_names_in(arena, &query);
	assert_int_equal(names.count, 4);
	assert_text(names.items[0].key, "u:ann");
	assert_text(names.items[1].key, "u:bob");
	assert_text(names.items[2].key, "g:redis");
	assert_text(names.items[3].key, "g:go");
}

static void
expressions_are_quoted(void **state)
{
	struct arena *arena = *state;
	struct query_name items[] = {
		{ TEXT("u:ann"), TEXT("17") },
		{ TEXT("g:databases"), TEXT("databases,dbs") },
	};
	struct query_names names = { items, 2 };
	struct query query;

	query_parse(arena,
	    TEXT("redis \"a b\" OR compil* title:x @ann @bob group:databases"
		 " group:other is:article domain:example.com -c -d"),
	    &query);
	assert_text(expression_of(arena, &query, &names, EXPRESSION_ANYWHERE),
	    "(((\"redis\")) AND ((\"a\" + \"b\") OR (\"compil\" *))"
	    " AND ((title : \"x\")) AND ((\"a:17\") OR (\"a:0\"))"
	    " AND ((\"g:databases\" OR \"g:dbs\")) AND ((\"g:other\"))"
	    " AND ((\"k:link\" OR \"k:text\")) AND ((\"d:example.com\")))"
	    " NOT (\"c\") NOT (\"d\")");
	query_parse(arena, TEXT("redis -c after:2024"), &query);
	assert_text(expression_of(arena, &query, &names, EXPRESSION_IN_TITLES),
	    "(((title : \"redis\"))) NOT (\"c\")");
	query_parse(arena, TEXT("vote -title:linker"), &query);
	assert_text(expression_of(arena, &query, &names, EXPRESSION_IN_TITLES),
	    "(((title : (\"vote\" OR \"votes\"))))"
	    " NOT (title : (\"linker\" OR \"linkers\"))");
	query_parse(arena, TEXT("-c after:2024"), &query);
	assert_text(expression_of(arena, &query, &names, EXPRESSION_ANYWHERE),
	    "(\"k:link\" OR \"k:text\" OR \"k:comment\") NOT (\"c\")");
	assert_text(expression_of_levels(arena, TEXT("\"x\""), 9, 10),
	    "(\"p:9\" OR \"p:10\") AND (\"x\")");
}

/* The same link in another spelling is the same query, and its words are looked for, too. */
static void
a_link_alone_is_the_articles_that_have_it(void **state)
{
	struct arena *arena = *state;
	static const char *const others[] = { "a/b", "and/or",
		"https://example.org/ two", "\"https://example.org/\"",
		"-https://example.org/", "domain:example.org/x", "example.org",
		"ftp://example.org/", "/", "//" };
	struct text claim = rule_claim(
	    arena, 0, TEXT(""), TEXT("https://example.org/a?b=1"), TEXT(""));
	struct text expected = text_format(arena,
	    "0:link[%.*s] 0:words[http www example org a b 1 x]",
	    TEXT_ARGS(claim));
	struct query query;

	check(arena, " http://www.Example.ORG/a/?b=1#x ",
	    text_string(arena, expected));
	query_parse(arena, TEXT("example.org/a?b=1"), &query);
	assert_true(query_is_link(&query));
	assert_text(query.items[0].value, text_string(arena, claim));
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		query_parse(arena, text_of(others[i]), &query);
		assert_false(query_is_link(&query));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		fixture_arena_test(twenty_examples_are_understood),
		fixture_arena_test(a_link_alone_is_the_articles_that_have_it),
		fixture_arena_test(words_are_folded),
		fixture_arena_test(a_word_has_a_plural_or_singular),
		fixture_arena_test(keyboards_characters_are_the_plain_ones),
		fixture_arena_test(or_joins_to_the_item_before),
		fixture_arena_test(operators_take_values),
		fixture_arena_test(dates_are_of_the_calendar),
		fixture_arena_test(prefixes_are_long_enough),
		fixture_arena_test(too_much_is_left_out),
		fixture_arena_test(names_are_listed_once),
		fixture_arena_test(expressions_are_quoted),
	};

	return cmocka_run_group_tests_name("query", tests, NULL, NULL);
}
