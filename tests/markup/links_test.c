/* Links in texts: the forms that are allowed. */
#include "markup/markup.h"

#include <string.h>
#include <strings.h>

#include "../support/rendering.h"
#include "base/buffer.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static struct text members[] = { TEXT_INIT("ann") };
static const struct markup_names known = { .members = members,
	.member_count = 1 };

/* Renders a text of one paragraph, without the tags of the paragraph. */
static struct text
shown(struct arena *arena, const char *source)
{
	static const char before[] = "<p dir=\"auto\">", after[] = "</p>\n";
	struct text html = html_of_text(arena, text_of(source), &known);

	assert_true(text_starts(html, TEXT("<p dir=\"auto\">")));
	return text_slice(html, sizeof(before) - 1,
	    html.size - (sizeof(before) - 1) - (sizeof(after) - 1));
}

struct link {
	const char *source, *before, *href, *text, *after;
};

/* Up to what differs between an address and its encoded form. */
static bool
is_bare(const struct link *link)
{
	return strncasecmp(link->text, link->href, strlen("https://b")) == 0;
}

static void
assert_links(struct arena *arena, const struct link *links, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct link *link = &links[i];

		assert_text(shown(arena, link->source),
		    fixture_string(arena,
			"%s<a href=\"%s\"%s rel=\"nofollow ugc\">%s</a>%s",
			link->before, link->href,
			is_bare(link) ? " class=\"url\"" : "", link->text,
			link->after));
	}
}

static void
assert_no_links(struct arena *arena, const char *const texts[][2], size_t count)
{
	for (size_t i = 0; i < count; i++)
		assert_text(shown(arena, texts[i][0]), texts[i][1]);
}

static void
every_form_of_link_is_read(void **state)
{
	static const struct link links[] = {
		{ "[a](http://b.example)", "", "http://b.example", "a", "" },
		{ "[*a* `b`](HTTPS://B.example/C 'd')", "",
		    "https://b.example/C", "<em>a</em> <code>b</code>", "" },
		{ "[a](<https://b.example/c d>)", "", "https://b.example/c%20d",
		    "a", "" },
		{ "[a][b]\n\n[b]: https://b.example/?c&d", "",
		    "https://b.example/?c&amp;d", "a", "" },
		{ "[a]\n\n[A]: https://b.example", "", "https://b.example", "a",
		    "" },
		{ "<https://b.example/?\"c\">", "",
		    "https://b.example/?%22c%22",
		    "https://b.example/?&quot;c&quot;", "" },
		{ "[a](https&#58;//b.example)", "", "https://b.example", "a",
		    "" },
		{ "[a](https://m\u00fcnchen.example/\u00e4)", "",
		    "https://xn--mnchen-3ya.example/%C3%A4", "a", "" },
		{ "[https://a.example](https://b.example)", "",
		    "https://b.example", "https://a.example", "" },
		{ "[a<b>](https://b.example)", "", "https://b.example",
		    "a&lt;b&gt;", "" },
		{ "[a](https://b.example/'\"<>)", "",
		    "https://b.example/&#39;%22%3C%3E", "a", "" },
	};

	assert_links(*state, links, COUNT(links));
}

static void
images_become_links(void **state)
{
	static const struct link links[] = {
		{ "![a *b*](https://c.example/d.png)", "",
		    "https://c.example/d.png", "a <em>b</em>", "" },
		{ "![](https://c.example/d.png)", "", "https://c.example/d.png",
		    "https://c.example/d.png", "" },
		{ "![a]\n\n[a]: https://c.example/d.png", "",
		    "https://c.example/d.png", "a", "" },
		{ "[![a](https://c.example/d.png)](https://e.example)", "",
		    "https://e.example", "a", "" },
		{ "[![](https://c.example/d.png)](https://e.example)", "",
		    "https://e.example", "https://c.example/d.png", "" },
		{ "![[a](https://c.example)](https://e.example)", "",
		    "https://e.example", "a", "" },
		{ "![[a](https://c.example)](b)", "", "https://c.example", "a",
		    "" },
	};

	assert_links(*state, links, COUNT(links));
}

/* An invisible link would be clicked by accident. */
static void
links_without_text_show_their_address(void **state)
{
	static const struct link links[] = {
		{ "[](https://b.example)", "", "https://b.example",
		    "https://b.example", "" },
		{ "[&nbsp;&#x200b;](https://b.example/&amp;)", "",
		    "https://b.example/&amp;", "\u00a0https://b.example/&amp;",
		    "" },
		{ "a[ ](https://b.example)c", "a", "https://b.example",
		    " https://b.example", "c" },
	};
	static const char *const texts[][2] = {
		{ "[](javascript:a)", "javascript:a" },
		{ "![](data:a)", "data:a" },
		{ "![](a&#x202e;b)", "ab" },
		{ "[]()", "" },
	};

	assert_links(*state, links, COUNT(links));
	assert_no_links(*state, texts, COUNT(texts));
}

static void
only_http_addresses_are_links(void **state)
{
	static const char *const texts[][2] = {
		{ "[a](javascript:alert(1))", "a" },
		{ "[a](JaVaScRiPt:alert)", "a" },
		{ "[a](&#106;avascript:alert)", "a" },
		{ "[a](&#x6A;avascript&colon;alert)", "a" },
		{ "[a](javascript&#58;alert)", "a" },
		{ "[a](java\\script:alert)", "a" },
		{ "[a](<java script:alert>)", "a" },
		{ "[a](< javascript:alert>)", "a" },
		{ "[a](<\x01javascript:alert>)", "a" },
		{ "[a](java&#10;script:alert)", "a" },
		{ "[a](java&Tab;script:alert)", "a" },
		{ "[a](&#1;javascript:alert)", "a" },
		{ "[a](%6Aavascript:alert)", "a" },
		{ "[a](javascript%3Aalert)", "a" },
		{ "[a](javascript://b.example/%0aalert)", "a" },
		{ "[a](vbscript:b)", "a" },
		{ "[a](data:text/html;base64,PHNjcmlwdD4=)", "a" },
		{ "[a](file:///etc/passwd)", "a" },
		{ "[a](ftp://b.example)", "a" },
		{ "[a](mailto:b@c.example)", "a" },
		{ "![a](javascript:b)", "a" },
		{ "[a][b]\n\n[b]: javascript:c", "a" },
		{ "[a]\n\n[a]: <data:c> 'd'", "a" },
		{ "<javascript:alert>", "javascript:alert" },
		{ "<data:a>", "data:a" },
		{ "<a@b.example>", "a@b.example" },
		{ "javascript:a data:b ftp://c.example",
		    "javascript:a data:b ftp://c.example" },
	};

	assert_no_links(*state, texts, COUNT(texts));
}

static void
relative_addresses_are_no_links(void **state)
{
	static const char *const texts[][2] = {
		{ "[a](//b.example)", "a" },
		{ "[a](/\\b.example)", "a" },
		{ "[a](\\\\\\\\b.example)", "a" },
		{ "[a](b.html)", "a" },
		{ "[a](www.b.example)", "a" },
		{ "[a](/u/ann)", "a" },
		{ "[a](/g/b)", "a" },
		{ "[a](#b)", "a" },
		{ "[a](?b)", "a" },
		{ "[a](.)", "a" },
		{ "[a](https:b.example)", "a" },
		{ "[a](https:/b.example)", "a" },
		{ "[a](https:\\\\\\\\b.example)", "a" },
		{ "[a](https://)", "a" },
		{ "[a](https:///b)", "a" },
		{ "[a](&#32;https://b.example)", "a" },
		{ "[a](x&#10;https://b.example)", "a" },
		{ "[a](https://b.example:99999999)", "a" },
		{ "[a](https://name@b.example)", "a" },
		{ "[a](https://b.example\\\\@c.example)", "a" },
		{ "[a](https://b&#10;.example)", "a" },
		{ "[a](https://b&Tab;.example)", "a" },
		{ "[a](https://b&#34;.example)", "a" },
		{ "www.b.example b.example", "www.b.example b.example" },
	};

	assert_no_links(*state, texts, COUNT(texts));
}

static void
addresses_in_text_are_links(void **state)
{
	static const struct link links[] = {
#define AT(address) address, address
		{ "https://b.example", "", AT("https://b.example"), "" },
		{ "HTTP://B.example/C", "", "http://b.example/C",
		    "HTTP://B.example/C", "" },
		{ "see https://b.example/a_(b).", "see ",
		    AT("https://b.example/a_(b)"), "." },
		{ "(https://b.example/a_(b)).", "(",
		    AT("https://b.example/a_(b)"), ")." },
		{ "(https://b.example)c", "(", AT("https://b.example"), ")c" },
		{ "https://b.example/a((b)c)?!...", "",
		    AT("https://b.example/a((b)c)"), "?!..." },
		{ "https://b.example/(", "", AT("https://b.example/"), "(" },
		{ "https://b.example/a,b;c:d!e.f", "",
		    AT("https://b.example/a,b;c:d!e.f"), "" },
		{ "\"https://b.example\"", "&quot;", AT("https://b.example"),
		    "&quot;" },
		{ "'https://b.example'", "&#39;", AT("https://b.example"),
		    "&#39;" },
		{ "x:https://b.example/\n", "x:", AT("https://b.example/"),
		    "" },
		{ "*https://b.example/*", "<em>", AT("https://b.example/"),
		    "</em>" },
		{ "_https://b.example/c_d_", "<em>",
		    AT("https://b.example/c_d"), "</em>" },
		{ "https://b.example/__c__/__d__.py", "",
		    AT("https://b.example/__c__/__d__.py"), "" },
		{ "https://b.example/*c*d", "", AT("https://b.example/*c*d"),
		    "" },
		{ "https://b.example/c\\_d\\_e_", "",
		    AT("https://b.example/c_d_e"), "_" },
		{ "https://b.example/?c=d&copy=e", "",
		    "https://b.example/?c=d&amp;copy=e",
		    "https://b.example/?c=d&amp;copy=e", "" },
		{ "https://b.example<br>", "", AT("https://b.example"),
		    "&lt;br&gt;" },
		{ "<a href=\"https://b.example\">", "&lt;a href=&quot;",
		    AT("https://b.example"), "&quot;&gt;" },
		{ "\u898b\u3066https://b.example/\u4f8b\u3002\u306f",
		    "\u898b\u3066", "https://b.example/%E4%BE%8B",
		    "https://b.example/\u4f8b", "\u3002\u306f" },
		{ "https://b.example/\u2026", "", AT("https://b.example/"),
		    "\u2026" },
		{ "https://b.example/\u00a0c", "", AT("https://b.example/"),
		    "\u00a0c" },
		{ "[https://b.example/c](d)", "", AT("https://b.example/c"),
		    "" },
		{ "[c](https://b.example/)*d*", "", "https://b.example/", "c",
		    "<em>d</em>" },
	};

	assert_links(*state, links, COUNT(links));
}

static void
other_addresses_in_text_are_no_links(void **state)
{
	static const char *const texts[][2] = {
		{ "xhttps://b.example", "xhttps://b.example" },
		{ "https://", "https://" },
		{ "https://?", "https://?" },
		{ "https:// b.example", "https:// b.example" },
		{ "http:/b.example", "http:/b.example" },
		{ "`https://b.example`", "<code>https://b.example</code>" },
		{ "https://a@b.example/@ann", "https://a@b.example/@ann" },
		{ "https://:80/", "https://:80/" },
		{ "https&#58;//b.example/&#x202e;",
		    "<a href=\"https://b.example/\" class=\"url\" rel=\"nofollow ugc\">"
		    "https://b.example/</a>" },
	};

	assert_no_links(*state, texts, COUNT(texts));
}

/* Counts a part. */
static size_t
count(struct text text, struct text part)
{
	size_t found = 0, at = 0;

	while ((at = text_find(text, at, part)) != SIZE_MAX) {
		at += part.size;
		found++;
	}
	return found;
}

/* A text with a start and a repeated part. */
static struct text
repeated(struct arena *arena, const char *start, const char *part, size_t times)
{
	size_t size = strlen(part);
	char *bytes = arena_bytes(arena, size * times);

	for (size_t i = 0; i < times; i++)
		memcpy(bytes + i * size, part, size);
	return text_join(
	    arena, text_of(start), (struct text){ bytes, size * times });
}

static void
links_have_a_maximum_length(void **state)
{
	struct arena *arena = *state;
	struct text link = repeated(arena, "https://b.example/", "c", 1982);

	assert_int_equal(
	    count(html_of_text(arena, link, &known), TEXT("<a")), 1);
	link = text_join(arena, link, TEXT("c"));
	assert_int_equal(
	    count(html_of_text(arena, link, &known), TEXT("<a")), 0);
}

/* Bounds of the time for many links, and of the HTML that they produce. */
static void
links_are_limited_in_number(void **state)
{
	struct arena *arena = *state;
	struct text html =
	    html_of_text(arena, repeated(arena, "", "http://a ", 2000), &known);

	assert_int_equal(count(html, TEXT("<a ")), 1000);
	assert_int_equal(count(html, TEXT("http://a")), 3000);
	html = html_of_text(
	    arena, repeated(arena, "", "http://\u00e4.example ", 500), &known);
	assert_int_equal(count(html, TEXT("<a ")), 4000 / 17);
	html = html_of_text(arena,
	    repeated(arena, "[a]: http://b.example/cccccccccccccccc\n\n", "[a]",
		100),
	    &known);
	assert_int_equal(count(html, TEXT("<a ")), 2 * 340 / 33);
}

/* A thousand links on a site that blocks a thousand hosts. */
static int64_t
time_with(struct arena *arena, struct text source, const struct hosts *blocked)
{
	const struct markup_rendering rendering = {
		.known = &known, .blocked = blocked, .max = SIZE_MAX
	};
	int64_t best = INT64_MAX;

	for (int i = 0; i < 5; i++) {
		int64_t start = fixture_processor_us(), taken;
		bool is_cut;
		struct text html =
		    markup_html(arena, source, &rendering, &is_cut);

		taken = fixture_processor_us() - start;
		best = taken < best ? taken : best;
		assert_int_equal(count(html, TEXT("<a ")), 1000);
	}
	return best;
}

static void
refused_hosts_are_looked_up_quickly(void **state)
{
	struct arena *arena = *state;
	struct text source = repeated(arena, "", "http://a.b.c.d/ ", 1000),
		    words;
	struct buffer hosts = buffer_in(arena, 32768);

	for (int i = 0; i < 1000; i++)
		buffer_add(&hosts, text_format(arena, "host-number-%d.d ", i));
	words = buffer_text(&hosts);
	assert_true(time_with(arena, source, hosts_new(arena, words)) <
	    3 * time_with(arena, source, NULL));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		fixture_arena_test(every_form_of_link_is_read),
		fixture_arena_test(images_become_links),
		fixture_arena_test(links_without_text_show_their_address),
		fixture_arena_test(only_http_addresses_are_links),
		fixture_arena_test(relative_addresses_are_no_links),
		fixture_arena_test(addresses_in_text_are_links),
		fixture_arena_test(other_addresses_in_text_are_no_links),
		fixture_arena_test(links_have_a_maximum_length),
		fixture_arena_test(links_are_limited_in_number),
		fixture_arena_test(refused_hosts_are_looked_up_quickly),
	};

	return cmocka_run_group_tests_name("markup links", tests, NULL, NULL);
}
