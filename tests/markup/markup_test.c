/* Markdown rendered as HTML and as one line of plain text, and the names that it
 * mentions. */
#include "markup/markup.h"

#include "../support/rendering.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

#define P	 "<p dir=\"auto\">"
#define END_P	 "</p>\n"
#define LI	 "<li dir=\"auto\">"
#define TO(href) "<a href=\"" href "\" rel=\"nofollow ugc\">"

static const struct markup_names nobody = { 0 };

struct example {
	const char *source, *html;
};

static void
assert_examples(
    struct arena *arena, const struct example *examples, size_t count)
{
	for (size_t i = 0; i < count; i++)
		assert_text(
		    html_of_text(arena, text_of(examples[i].source), &nobody),
		    examples[i].html);
}

static void
markup_becomes_elements(void **state)
{
	static const struct example examples[] = {
		{ "", "" },
		{ "a", P "a" END_P },
		{ "a\nb", P "a\nb" END_P },
		{ "a\n\nb", P "a" END_P P "b" END_P },
		{ "a  \nb\\\nc", P "a<br>\nb<br>\nc" END_P },
		{ "*a* **b** ***c***",
		    P "<em>a</em> <strong>b</strong> "
		      "<em><strong>c</strong></em>" END_P },
		{ "`a  *b*`", P "<code>a  *b*</code>" END_P },
		{ "\\*a\\*", P "*a*" END_P },
		{ "a\n\n***\n\nb", P "a" END_P "<hr>\n" P "b" END_P },
		{ "> a\n> > b\n",
		    "<blockquote>\n" P "a" END_P "<blockquote>\n" P "b" END_P
		    "</blockquote>\n</blockquote>\n" },
		{ "    a\n    *b*",
		    "<pre dir=\"auto\"><code>a\n*b*\n</code></pre>\n" },
		{ "```c\n a < b\n```",
		    "<pre dir=\"auto\"><code> a &lt; b\n</code></pre>\n" },
		{ "```\n```", "<pre dir=\"auto\"><code></code></pre>\n" },
	};

	assert_examples(*state, examples, COUNT(examples));
}

static void
headings_begin_with_the_third_level(void **state)
{
	static const struct example examples[] = {
		{ "# a", "<h3 dir=\"auto\">a</h3>\n" },
		{ "a\n=", "<h3 dir=\"auto\">a</h3>\n" },
		{ "a\n-", "<h4 dir=\"auto\">a</h4>\n" },
		{ "### a", "<h5 dir=\"auto\">a</h5>\n" },
		{ "#### a", "<h6 dir=\"auto\">a</h6>\n" },
		{ "##### a", "<h6 dir=\"auto\">a</h6>\n" },
		{ "###### *a*", "<h6 dir=\"auto\"><em>a</em></h6>\n" },
		{ "####### a", P "####### a" END_P },
	};

	assert_examples(*state, examples, COUNT(examples));
}

/* The marker of an item is at the start of its first paragraph, so both have the same
 * direction, and only one of them sets it. */
static void
lists_are_tight_or_loose(void **state)
{
	static const struct example examples[] = {
		{ "- a\n- b", "<ul>\n" LI "a</li>\n" LI "b</li>\n</ul>\n" },
		{ "- a\n  - b\n",
		    "<ul>\n" LI "a\n<ul>\n" LI "b</li>\n</ul>\n</li>\n"
		    "</ul>\n" },
		{ "- a\n  # b\n  c",
		    "<ul>\n" LI "a\n<h3 dir=\"auto\">b</h3>\nc</li>\n</ul>\n" },
		{ "1. a\n2. b", "<ol>\n" LI "a</li>\n" LI "b</li>\n</ol>\n" },
		{ "7) a", "<ol start=\"7\">\n" LI "a</li>\n</ol>\n" },
		{ "0. a", "<ol start=\"0\">\n" LI "a</li>\n</ol>\n" },
		{ "999999999. a",
		    "<ol start=\"999999999\">\n" LI "a</li>\n</ol>\n" },
		{ "- a\n\n  b",
		    "<ul>\n" LI "\n<p>a</p>\n" P "b" END_P "</li>\n</ul>\n" },
		{ "-\n", "<ul>\n" LI "</li>\n</ul>\n" },
		{ "- > a\n",
		    "<ul>\n" LI "\n<blockquote>\n" P "a" END_P
		    "</blockquote>\n</li>\n</ul>\n" },
	};

	assert_examples(*state, examples, COUNT(examples));
}

static void
html_is_escaped(void **state)
{
	static const struct example examples[] = {
		{ "a <b>c</b> & \"d\"",
		    P "a &lt;b&gt;c&lt;/b&gt; &amp; &quot;d&quot;" END_P },
		{ "<script>alert(1)</script>",
		    P "&lt;script&gt;alert(1)&lt;/script&gt;" END_P },
		{ "<div>\n*a*\n</div>\n\n*b*",
		    P "&lt;div&gt;\n*a*\n&lt;/div&gt;" END_P P
		      "<em>b</em>" END_P },
		{ "a <!-- b -->", P "a &lt;!-- b --&gt;" END_P },
		{ "<!-- *a* -->", P "&lt;!-- *a* --&gt;" END_P },
		{ "a <i title=\"&amp;\">",
		    P "a &lt;i title=&quot;&amp;amp;&quot;&gt;" END_P },
		{ "&lt;b&gt; &copy; &nosuch;",
		    P "&lt;b&gt; \u00a9 &amp;nosuch;" END_P },
		{ "<b", P "&lt;b" END_P },
		{ "```\"><script>\n</code></pre><b>\n```",
		    "<pre dir=\"auto\"><code>&lt;/code&gt;&lt;/pre&gt;&lt;b&gt;\n"
		    "</code></pre>\n" },
	};

	assert_examples(*state, examples, COUNT(examples));
}

/* Treated as utf8_clean treats them in typed text. */
static void
character_references_cannot_deceive(void **state)
{
	static const struct example examples[] = {
		{ "a&#x202e;b", P "ab" END_P },
		{ "a&#7;b&#27;c", P "abc" END_P },
		{ "&#x200b;", P END_P },
		{ "a&#0;b", P "a\ufffdb" END_P },
		{ "`a&#x202e;b`", P "<code>a&amp;#x202e;b</code>" END_P },
		{ "[&#x202e;a](https://b.example/)",
		    P TO("https://b.example/") "a</a>" END_P },
		{ "\u00e4&auml;\u05d0", P "\u00e4\u00e4\u05d0" END_P },
	};

	assert_examples(*state, examples, COUNT(examples));
}

/* Old data may have these. */
static void
odd_characters_do_no_harm(void **state)
{
	struct arena *arena = *state;

	assert_text(html_of_text(arena, TEXT("a\0b\r\nc\rd"), &nobody),
	    P "a\ufffdb\nc\nd" END_P);
	/* Backslashes that escape underscores of names, and each other. */
	assert_text(html_of_text(arena, TEXT("\ufdd0 @_b_"), &nobody),
	    P "\ufdd0 @<em>b</em>" END_P);
	assert_text(html_of_text(arena, TEXT("\ufdd1 @_b_"), &nobody),
	    P "\ufdd1 @<em>b</em>" END_P);
	assert_text(html_of_text(arena, (struct text){ NULL, 0 }, &nobody), "");
}

static struct text members[] = { TEXT_INIT("Ann"), TEXT_INIT("_b_"),
	TEXT_INIT("c-d_e"), TEXT_INIT("aaaaaaaaaaaaaaaaaaaa"), TEXT_INIT("x") };
static struct text groups[] = { TEXT_INIT("c"), TEXT_INIT("linux"),
	TEXT_INIT("a-1") };
static const struct markup_names known = { members, groups, 5, 3 };

#define ANN(typed) "<a href=\"/u/Ann\">@" typed "</a>"
#define LINUX	   "<a href=\"/g/linux\">/g/linux</a>"

static void
known_names_are_links(void **state)
{
	static const struct example examples[] = {
		{ "@Ann", ANN("Ann") },
		{ "@ann, @ANN!", ANN("ann") ", " ANN("ANN") "!" },
		{ "(@ann) \"@ann\"",
		    "(" ANN("ann") ") &quot;" ANN("ann") "&quot;" },
		{ "*@ann* cc:@ann", "<em>" ANN("ann") "</em> cc:" ANN("ann") },
		{ "\u3053\u3093\u306b\u3061\u306f@ann\u3055\u3093",
		    "\u3053\u3093\u306b\u3061\u306f" ANN(
			"ann") "\u3055\u3093" },
		{ "@_b_ @c-d_e",
		    "<a href=\"/u/_b_\">@_b_</a> "
		    "<a href=\"/u/c-d_e\">@c-d_e</a>" },
		{ "@aaaaaaaaaaaaaaaaaaaa",
		    "<a href=\"/u/aaaaaaaaaaaaaaaaaaaa\">"
		    "@aaaaaaaaaaaaaaaaaaaa</a>" },
		{ "/g/linux", LINUX },
		{ "see /g/linux.", "see " LINUX "." },
		{ "_@ann_ @ann\n@ann",
		    "<em>" ANN("ann") "</em> " ANN("ann") "\n" ANN("ann") },
		{ "_to @ann_", "<em>to " ANN("ann") "</em>" },
		{ "<b>@ann</b>", "&lt;b&gt;" ANN("ann") "&lt;/b&gt;" },
		{ "[@ann](nowhere)", ANN("ann") },
	};
	struct arena *arena = *state;

	for (size_t i = 0; i < COUNT(examples); i++)
		assert_text(
		    html_of_text(arena, text_of(examples[i].source), &known),
		    fixture_string(arena, P "%s" END_P, examples[i].html));
}

static void
unknown_names_are_text(void **state)
{
	static const char *const texts[] = { "@bob", "@annn", "@x", "@",
		"a@ann", "a@ann.c", "@ann@b.example", "@ann.example",
		"@ann:b.example", "@ann/x", "@\u00e4nn", "@ann\u00e9",
		"\u00e9@ann", "@@ann", "b.example/@ann", "-@ann", "_@ann",
		"@aaaaaaaaaaaaaaaaaaaaa", "/g/c", "/g/other", "/g/Linux",
		"/g/linux/x", "/g/linux+c", "/g/linuxx", "x/g/linux",
		"b.example/g/linux", "//g/linux", "/u/Ann", "/g/", "/g/linux_",
		"g/linux" };
	struct arena *arena = *state;

	for (size_t i = 0; i < COUNT(texts); i++)
		assert_text(html_of_text(arena, text_of(texts[i]), &known),
		    fixture_string(arena, P "%s" END_P, texts[i]));
}

static void
names_in_code_and_links_are_text(void **state)
{
	static const struct example examples[] = {
		{ "`@ann`", P "<code>@ann</code>" END_P },
		{ "`a`@ann", P "<code>a</code>@ann" END_P },
		{ "    /g/linux",
		    "<pre dir=\"auto\"><code>/g/linux\n</code></pre>\n" },
		{ "[@ann *@ann*](https://b.example)",
		    P TO("https://b.example") "@ann <em>@ann</em></a>" END_P },
		{ "https://b.example/@ann/g/linux",
		    P
		    "<a href=\"https://b.example/@ann/g/linux\" class=\"url\""
		    " rel=\"nofollow ugc\">https://b.example/@ann/g/linux</a>" END_P },
	};

	for (size_t i = 0; i < COUNT(examples); i++)
		assert_text(
		    html_of_text(*state, text_of(examples[i].source), &known),
		    examples[i].html);
}

static void
names_are_found_as_they_are_linked(void **state)
{
	static const char source[] =
	    "@cc @bb `@no` @CC /g/zz [@not](https://b.example) a@b.example\n\n"
	    "> /g/aa @dd /g/zz\n\n    @nor\n\n- @ee_";
	struct arena *arena = *state;
	struct markup_names names;

	markup_find_names(arena, text_of(source), &names);
	assert_int_equal(names.member_count, 4);
	assert_text(names.members[0], "cc");
	assert_text(names.members[1], "bb");
	assert_text(names.members[2], "dd");
	assert_text(names.members[3], "ee_");
	assert_int_equal(names.group_count, 2);
	assert_text(names.groups[0], "zz");
	assert_text(names.groups[1], "aa");
	markup_find_names(arena, TEXT(""), &names);
	assert_int_equal(names.member_count + names.group_count, 0);
}

static void
number_of_names_is_limited(void **state)
{
	struct arena *arena = *state;
	struct text source = TEXT(""), last;
	struct markup_names names;

	for (int i = 0; i < MARKUP_NAMES_MAX + 5; i++)
		source = text_format(arena, "%.*s @m%d /g/g%d",
		    TEXT_ARGS(source), i + 10, i + 10);
	last = text_format(arena, "m%d", MARKUP_NAMES_MAX + 9);
	markup_find_names(arena, source, &names);
	assert_int_equal(names.member_count, MARKUP_NAMES_MAX);
	assert_int_equal(names.group_count, MARKUP_NAMES_MAX);
	assert_same(names.members[MARKUP_NAMES_MAX - 1], last);
}

static void
plain_text_has_no_markup(void **state)
{
	static const struct example examples[] = {
		{ "", "" },
		{ "# a\n\n*b*  `c`\n\n> d\n\n- e\n- f\n  - g\n\n***\n\n    h",
		    "a b c d e f g h" },
		{ "[a](https://b.example) ![c](d) ![](e) <b> &amp;",
		    "a c e <b> &" },
		{ "<div>\na\n</div>", "<div> a </div>" },
		{ "https://b.example/_c_d", "https://b.example/_c_d" },
	};

	for (size_t i = 0; i < COUNT(examples); i++)
		assert_text(
		    markup_plain(*state, text_of(examples[i].source), 100),
		    examples[i].html);
}

static void
plain_text_is_cut_at_a_word(void **state)
{
	struct arena *arena = *state;

	assert_text(markup_plain(arena, TEXT("*one* two"), 7), "one two");
	assert_text(markup_plain(arena, TEXT("*one* two"), 6), "one\u2026");
	assert_text(markup_plain(arena, TEXT("one twothreefour"), 10),
	    "one twothr\u2026");
	/* Each has three bytes. */
	assert_text(markup_plain(arena, TEXT("\u3042\u3044\u3046"), 8),
	    "\u3042\u3044\u2026");
	assert_text(markup_plain(arena, TEXT("ab"), 0), "\u2026");
	/* Unparsed text is shown with its markup. */
	assert_text(markup_plain(arena, TEXT(">>>>>>>>>>>>> *a*\nb"), 100),
	    ">>>>>>>>>>>>> *a* b");
}

/* Cut after a block, with all open elements closed; inside a block only if it is the
 * first, and too long. */
static void
long_texts_are_cut(void **state)
{
	static const struct {
		const char *source;
		size_t max;
		const char *html;
		bool is_cut;
	} cases[] = {
		{ "one\n\ntwo", 44,
		    "<p dir=\"auto\">one</p>\n<p dir=\"auto\">two</p>\n",
		    false },
		{ "one\n\ntwo", 43, "<p dir=\"auto\">one</p>\n", true },
		{ "one\n\ntwo", 22, "<p dir=\"auto\">one</p>\n", true },
		{ "one two three four", 36, "<p dir=\"auto\">one two</p>\n",
		    true },
		{ "one", 10, "", true },
		{ "", 0, "", false },
		{ "> one\n>\n> two\n\nthree", 60,
		    "<blockquote>\n<p dir=\"auto\">one</p>\n</blockquote>\n",
		    true },
		{ "- one\n- two\n- three", 60,
		    "<ul>\n<li dir=\"auto\">one</li>\n<li "
		    "dir=\"auto\">two</li>\n</ul>\n",
		    true },
		{ "*one **two** three four five*\n\nsix", 60,
		    "<p dir=\"auto\">*one <strong>two</strong></p>\n", true },
		{ "```\none\ntwo\nthree\nfour\n```", 50,
		    "<pre dir=\"auto\"><code>one\ntwo\nt\n</code></pre>\n",
		    true },
	};
	const struct markup_names names = { .member_count = 0 };

	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct markup_rendering rendering = { .known = &names,
			.max = cases[i].max };
		bool is_cut;
		struct text html = markup_html(
		    *state, text_of(cases[i].source), &rendering, &is_cut);

		assert_text(html, cases[i].html);
		assert_int_equal(is_cut, cases[i].is_cut);
	}
}

/* True if all elements are closed and properly nested; br and hr have no end tag. */
static bool
is_balanced(struct text html)
{
	struct text open[32], part, tag, name;
	size_t depth = 0;

	while (text_cut(&html, '<', &part) && html.data != NULL) {
		assert_true(text_cut(&html, '>', &tag));
		text_cut(&tag, ' ', &name);
		if (text_equal(name, TEXT("br")) ||
		    text_equal(name, TEXT("hr")))
			continue;
		if (!text_starts(name, TEXT("/"))) {
			open[depth++] = name;
			continue;
		}
		if (depth == 0 ||
		    !text_equal(text_slice(name, 1, name.size), open[--depth]))
			return false;
	}
	return depth == 0;
}

static void
elements_end_wherever_a_text_is_cut(void **state)
{
	static const char source[] =
	    "> - a\n>\n>   - *b*\n>\n>     > c\n>\n"
	    "> 1. d\n>\n>    # e\n>\n> f\n\n- g\n  - h\n\n"
	    "```\ni\n```\n\n***\n\n> j\n\nk\n";
	const struct markup_names names = { .member_count = 0 };
	struct text whole = html_of_text(*state, text_of(source), &names);

	for (size_t max = 0; max <= whole.size; max++) {
		const struct markup_rendering rendering = { .known = &names,
			.max = max };
		bool is_cut;
		struct text html =
		    markup_html(*state, text_of(source), &rendering, &is_cut);

		assert_true(html.size <= max);
		assert_int_equal(is_cut, max < whole.size);
		if (!is_balanced(html))
			fail_msg("%zu bytes: %.*s", max, TEXT_ARGS(html));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		fixture_arena_test(markup_becomes_elements),
		fixture_arena_test(headings_begin_with_the_third_level),
		fixture_arena_test(lists_are_tight_or_loose),
		fixture_arena_test(html_is_escaped),
		fixture_arena_test(character_references_cannot_deceive),
		fixture_arena_test(odd_characters_do_no_harm),
		fixture_arena_test(known_names_are_links),
		fixture_arena_test(unknown_names_are_text),
		fixture_arena_test(names_in_code_and_links_are_text),
		fixture_arena_test(names_are_found_as_they_are_linked),
		fixture_arena_test(number_of_names_is_limited),
		fixture_arena_test(plain_text_has_no_markup),
		fixture_arena_test(plain_text_is_cut_at_a_word),
		fixture_arena_test(long_texts_are_cut),
		fixture_arena_test(elements_end_wherever_a_text_is_cut),
	};

	return cmocka_run_group_tests_name("markup", tests, NULL, NULL);
}
