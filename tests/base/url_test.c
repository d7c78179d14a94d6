/* Links as people paste them, and the paths that a redirect may lead to. */
#include "base/url.h"

#include <string.h>

#include "../support/fixture.h"

static void
good_links_are_encoded(void **state)
{
	static const struct {
		const char *link, *encoded;
	} good[] = {
		{ "http://a.example", "http://a.example" },
		{ "https://a.example/x?y=z#end",
		    "https://a.example/x?y=z#end" },
		/* Only scheme and host ignore case. */
		{ "Http://A.Example/Path", "http://a.example/Path" },
		{ "HTTPS://WWW.A.EXAMPLE?Q", "https://www.a.example?Q" },
		{ "http://a.example:80/", "http://a.example:80/" },
		{ "http://a.example:65535", "http://a.example:65535" },
		{ "http://a.example:/", "http://a.example:/" },
		{ "http://127.0.0.1:8080/", "http://127.0.0.1:8080/" },
		{ "http://[::1]/x", "http://[::1]/x" },
		{ "http://[2001:DB8::1]:8080/", "http://[2001:db8::1]:8080/" },
		{ "http://localhost/", "http://localhost/" },
		{ "http://a_b.example/", "http://a_b.example/" },
		/* What browsers encode by themselves. */
		{ "http://a.example/a b", "http://a.example/a%20b" },
		{ "http://a.example/a|b", "http://a.example/a%7Cb" },
		{ "http://a.example/\"<>\\^`{}",
		    "http://a.example/%22%3C%3E%5C%5E%60%7B%7D" },
		{ "http://a.example/\xc3\xa4?\xc3\xb6#\xc3\xbc",
		    "http://a.example/%C3%A4?%C3%B6#%C3%BC" },
		/* International hosts, and what browsers treat as the same. */
		{ "http://M\u00dcNCHEN.example:80/",
		    "http://xn--mnchen-3ya.example:80/" },
		{ "http://m%C3%BCnchen.example",
		    "http://xn--mnchen-3ya.example" },
		{ "http://m%c3%9cn\u3002example/%c3%bc",
		    "http://xn--mn-xka.example/%c3%bc" },
		{ "http://XN--mnchen-3ya.example/",
		    "http://xn--mnchen-3ya.example/" },
		/* In ASCII, what breaks the rules but is in use nonetheless. */
		{ "http://_a.xn--4ca.example/", "http://_a.xn--4ca.example/" },
		{ "http://xn--n3h.example/", "http://xn--n3h.example/" },
		{ "http://a--.b-.example/", "http://a--.b-.example/" },
		{ "http://a..example/", "http://a..example/" },
		{ "http://a~b.example./", "http://a~b.example./" },
		{ "http://%E2%98%83.example/", "http://%e2%98%83.example/" },
		{ "http://%FF.example/", "http://%ff.example/" },
		{ "http://a%EF%BC%8Fb/", "http://a%ef%bc%8fb/" },
		{ "http://a.example/x[1]", "http://a.example/x%5B1%5D" },
		{ "http://a.example/#a#b", "http://a.example/#a%23b" },
		/* Escapes stay, and a '%' that begins none becomes one. */
		{ "http://a.example/%41%c3", "http://a.example/%41%c3" },
		{ "http://a.example/100%", "http://a.example/100%25" },
		{ "http://a.example/%zz%4", "http://a.example/%25zz%254" },
		/* Another link inside. */
		{ "http://a.example/http://b.example@c",
		    "http://a.example/http://b.example@c" },
		{ "http://a.example/?u=https://b.example/",
		    "http://a.example/?u=https://b.example/" },
	};
	struct arena *arena = *state;
	struct text encoded;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		if (url_check(arena, text_of(good[i].link), &encoded) !=
		    URL_VALID)
			fail_msg("%s is not good", good[i].link);
		assert_text(encoded, good[i].encoded);
	}
}

/* As people write addresses, and as browsers take them. */
static void
links_without_a_scheme_are_https(void **state)
{
	static const struct {
		const char *link, *encoded;
	} good[] = {
		{ "www.example.com", "https://www.example.com" },
		{ "www.Example.com/page", "https://www.example.com/page" },
		{ "example.com/page", "https://example.com/page" },
		{ "example.com?a=b", "https://example.com?a=b" },
		{ "example.com#end", "https://example.com#end" },
		{ "a-b_c.example:8080/x", "https://a-b_c.example:8080/x" },
		{ "1.2.3.example", "https://1.2.3.example" },
		{ "m\u00fcnchen.example/\u00e4",
		    "https://xn--mnchen-3ya.example/%C3%A4" },
		{ "xn--mnchen-3ya.xn--p1ai",
		    "https://xn--mnchen-3ya.xn--p1ai" },
		{ "example.com/http://b.example",
		    "https://example.com/http://b.example" },
		{ "example.com/?u=javascript:alert(1)",
		    "https://example.com/?u=javascript:alert(1)" },
		{ "example.com/ann@b.example",
		    "https://example.com/ann@b.example" },
	};
	static const struct {
		const char *link;
		enum url_result verdict;
	} bad[] = {
		{ "foo", URL_MALFORMED },
		{ "foo/bar.html", URL_MALFORMED },
		{ "localhost/x", URL_MALFORMED },
		{ "localhost:8080/x", URL_OTHER_SCHEME },
		{ "127.0.0.1/x", URL_MALFORMED },
		{ "version 1.2", URL_MALFORMED },
		{ "1.2", URL_MALFORMED },
		{ "e.g.", URL_MALFORMED },
		{ "i.e", URL_MALFORMED },
		{ ".example.com", URL_MALFORMED },
		{ "a..example", URL_MALFORMED },
		{ "//example.com/x", URL_MALFORMED },
		{ "/example.com", URL_MALFORMED },
		{ "ann@example.com", URL_MALFORMED },
		{ "ann:x@example.com", URL_OTHER_SCHEME },
		{ "example.com is a host", URL_MALFORMED },
		{ "example.com/a b", URL_MALFORMED },
		{ "look at example.com", URL_MALFORMED },
		{ "\u2603.example/", URL_MALFORMED },
		{ "mailto:x", URL_OTHER_SCHEME },
		{ "mailto:ann@example.com", URL_OTHER_SCHEME },
		{ "javascript:x", URL_OTHER_SCHEME },
		{ "javascript:x.example", URL_OTHER_SCHEME },
		{ "java.script:alert(1)", URL_OTHER_SCHEME },
		{ "data:text.html,x", URL_OTHER_SCHEME },
		{ "https:example.com", URL_OTHER_SCHEME },
		{ "example.com:x/", URL_OTHER_SCHEME },
		{ "example.com:65536/", URL_OTHER_SCHEME },
	};
	struct arena *arena = *state;
	struct text encoded;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		if (url_check(arena, text_of(good[i].link), &encoded) !=
		    URL_VALID)
			fail_msg("%s is not good", good[i].link);
		assert_text(encoded, good[i].encoded);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (url_check(arena, text_of(bad[i].link), &encoded) !=
		    bad[i].verdict)
			fail_msg("%s", bad[i].link);
}

/* As it is claimed when the link is posted. */
static struct text
equal_form(struct arena *arena, const char *link)
{
	struct text encoded;

	if (url_check(arena, text_of(link), &encoded) != URL_VALID)
		fail_msg("%s is not good", link);
	return url_canonical(arena, encoded);
}

static void
equivalent_links_are_equal(void **state)
{
	static const struct {
		const char *link, *form;
	} forms[] = {
		{ "http://a.example/x", "a.example/x" },
		{ "HTTPS://A.EXAMPLE/x", "a.example/x" },
		{ "a.example/x", "a.example/x" },
		{ "https://www.a.example/x", "a.example/x" },
		{ "www.a.example/x/", "a.example/x" },
		{ "http://a.example:80/x", "a.example/x" },
		{ "https://a.example:443/x", "a.example/x" },
		{ "https://a.example:/x", "a.example/x" },
		{ "https://a.example./x", "a.example/x" },
		{ "https://a.example/x//", "a.example/x" },
		{ "https://a.example/x#end", "a.example/x" },
		{ "https://a.example/x#:~:text=some", "a.example/x" },
		{ "https://a.example/x#", "a.example/x" },
		{ "https://a.example/x?", "a.example/x" },
		{ "https://a.example/x/?#end", "a.example/x" },
		{ "https://a.example/x?utm_source=b&utm_medium=c",
		    "a.example/x" },
		{ "https://a.example/x?UTM_Source=b", "a.example/x" },
		{ "https://a.example/x?utm%5Fsource=b", "a.example/x" },
		{ "https://a.example/x?fbclid=1&gclid=2&mc_cid=3&mc_eid=4&"
		  "igshid=5&_gl",
		    "a.example/x" },
		{ "https://a.example/%78", "a.example/x" },
		/* The root. */
		{ "https://www.a.example", "a.example" },
		{ "https://a.example/", "a.example" },
		{ "https://a.example/?utm_source=b#end", "a.example" },
		/* Escapes: letters without, others in capitals. */
		{ "https://a.example/%7Eann/%c3%a4%2f",
		    "a.example/~ann/%C3%A4%2F" },
		{ "https://a.example/~ann/\u00e4%2F",
		    "a.example/~ann/%C3%A4%2F" },
		{ "https://a.example/100%2541", "a.example/100%2541" },
		/* What remains of the query keeps its order. */
		{ "https://a.example/x?b=1&a=2", "a.example/x?b=1&a=2" },
		{ "https://a.example/x/?b=1&a=2", "a.example/x?b=1&a=2" },
		{ "https://a.example/x?utm_id=0&b=1&gclid=3&a=2",
		    "a.example/x?b=1&a=2" },
		{ "https://a.example/x?b=1&&a=2&", "a.example/x?b=1&a=2" },
		{ "https://a.example/?q=a/", "a.example?q=a/" },
		{ "https://m\u00fcnchen.example/", "xn--mnchen-3ya.example" },
		{ "http://[::1]:80/", "[::1]" },
	};
	struct arena *arena = *state;

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		assert_text(equal_form(arena, forms[i].link), forms[i].form);
}

static void
different_links_are_not_equal(void **state)
{
	static const char *const links[] = { "https://a.example/x",
		"https://a.example", "https://b.example/x",
		"https://wwwa.example/x", "https://www.example/x",
		"https://example/x", "https://m.a.example/x",
		"https://a.example:8080/x", "https://a.example:80/x",
		"http://a.example:443/x", "https://a.example/X",
		"https://a.example/x/y", "https://a.example/xy",
		"https://a.example/x%2Fy", "https://a.example/x.html",
		"https://a.example/x?a=1", "https://a.example/x?A=1",
		"https://a.example/x?a=2", "https://a.example/x?a",
		"https://a.example/x?a=1&b=2", "https://a.example/x?b=2&a=1",
		"https://a.example/x?utm=1", "https://a.example/x?ref=1",
		"https://a.example/x?xfbclid=1", "https://a.example/x?gcli=1",
		"https://a.example/utm_source=1",
		/* Pages of one that a script writes. */
		"https://a.example/x#/ann", "https://a.example/x#/ben",
		"https://a.example/x#!ann", "https://a.example/x#!/ann" };
	enum { LINKS = sizeof(links) / sizeof(links[0]) };
	struct arena *arena = *state;

	for (size_t i = 0; i < LINKS; i++)
		for (size_t j = i + 1; j < LINKS; j++)
			if (text_equal(equal_form(arena, links[i]),
				equal_form(arena, links[j])))
				fail_msg("%s and %s", links[i], links[j]);
}

/* What was encoded once is not encoded again. */
static void
encoding_twice_changes_nothing(void **state)
{
	struct arena *arena = *state;
	struct text once, twice;

	assert_int_equal(
	    url_check(arena,
		TEXT("HTTP://\xc3\xa4.Example/ %|[\xc3\xa4]?%2 #a#b"), &once),
	    URL_VALID);
	assert_int_equal(url_check(arena, once, &twice), URL_VALID);
	assert_true(text_equal(once, twice));
}

static void
bad_links_are_refused(void **state)
{
	static const struct {
		const char *link;
		enum url_result verdict;
	} bad[] = {
		{ "", URL_MALFORMED },
		{ "/path", URL_MALFORMED },
		{ "//a.example/", URL_MALFORMED },
		{ "http://", URL_MALFORMED },
		{ "http:///path", URL_MALFORMED },
		{ "http://?q", URL_MALFORMED },
		{ "http://#x", URL_MALFORMED },
		{ "http://:80/", URL_MALFORMED },
		{ "http://.example/", URL_MALFORMED },
		{ "http://-a.example/", URL_MALFORMED },
		{ "http://a b.example/", URL_MALFORMED },
		{ "http://a.example\\.b.example/", URL_MALFORMED },
		{ "http://a%2eexample/", URL_MALFORMED },
		{ "http://\u2603.example/", URL_MALFORMED },
		{ "http://%E2%98%83.\u00e4/", URL_MALFORMED },
		{ "http://\u00e4..example/", URL_MALFORMED },
		{ "http://.\u00e4.example/", URL_MALFORMED },
		{ "http://-\u00e4.example/", URL_MALFORMED },
		{ "http://\u00e4-.example/", URL_MALFORMED },
		{ "http://\uff0da.example/", URL_MALFORMED },
		{ "http://\u00e4%2eexample/", URL_MALFORMED },
		{ "http://a\uff0fb/", URL_MALFORMED },
		{ "http://a\uff20b/", URL_MALFORMED },
		{ "http://a.example\uff1a80/", URL_MALFORMED },
		{ "http://[\u00e4]/", URL_MALFORMED },
		{ "http://\xff.example/", URL_MALFORMED },
		{ "http://a.example:port/", URL_MALFORMED },
		{ "http://a.example:65536/", URL_MALFORMED },
		{ "http://a.example:-1/", URL_MALFORMED },
		{ "http://a.example:80:80/", URL_MALFORMED },
		{ "http://[::1/", URL_MALFORMED },
		{ "http://[::1]x/", URL_MALFORMED },
		{ "http://[::1]:65536/", URL_MALFORMED },
		{ "http://[::1]:x/", URL_MALFORMED },
		{ "http://[a.example]/", URL_MALFORMED },
		{ "http://[]/", URL_MALFORMED },
		{ "javascript:alert(1)", URL_OTHER_SCHEME },
		{ "JavaScript:alert(1)//http://a.example/", URL_OTHER_SCHEME },
		{ "javascript://a.example/%0aalert(1)", URL_OTHER_SCHEME },
		{ "data:text/html,<b>", URL_OTHER_SCHEME },
		{ "mailto:ann@a.example", URL_OTHER_SCHEME },
		{ "ftp://a.example/", URL_OTHER_SCHEME },
		{ "file:///etc/passwd", URL_OTHER_SCHEME },
		{ "http:a.example", URL_OTHER_SCHEME },
		{ "http:\\\\a.example", URL_OTHER_SCHEME },
		{ " http://a.example/", URL_OTHER_SCHEME },
		{ "http ://a.example/", URL_OTHER_SCHEME },
		{ "http://ann@a.example/", URL_WITH_USER_INFO },
		{ "http://ann:secret@a.example/", URL_WITH_USER_INFO },
		{ "http://@a.example/", URL_WITH_USER_INFO },
		{ "http://a.example\\@b.example/", URL_WITH_USER_INFO },
		{ "http://a.example:80@b.example/", URL_WITH_USER_INFO },
	};
	struct arena *arena = *state;
	struct text encoded;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (url_check(arena, text_of(bad[i].link), &encoded) !=
		    bad[i].verdict)
			fail_msg("%s: the verdict is not %d", bad[i].link,
			    (int)bad[i].verdict);
	/* A zero byte does not end a host. */
	assert_int_equal(
	    url_check(arena, TEXT("http://a.example\0.b.example/"), &encoded),
	    URL_MALFORMED);
	assert_int_equal(
	    url_check(arena, TEXT("http://\u00e4\0.b.example/"), &encoded),
	    URL_MALFORMED);
}

static void
hosts_are_shown_readably(void **state)
{
	struct arena *arena = *state;

	assert_text(
	    url_host(arena, TEXT("https://www.a.example/x")), "a.example");
	assert_text(
	    url_host(arena, TEXT("http://WWW.A.example?x")), "a.example");
	assert_text(
	    url_host(arena, TEXT("http://wwwa.example")), "wwwa.example");
	assert_text(url_host(arena, TEXT("no link")), "");
	assert_text(
	    url_host(arena, TEXT("http://www.xn--mnchen-3ya.example:80/")),
	    "m\u00fcnchen.example:80");
	assert_text(url_host(arena, TEXT("http://XN--80AK6AA92E.example/")),
	    "xn--80ak6aa92e.example");
	assert_text(url_host(arena, TEXT("http://[::1]:80/")), "[::1]:80");
	/* As earlier versions stored it. */
	assert_text(
	    url_host(arena, TEXT("http://%c3%a4.example/")), "%c3%a4.example");
}

static void
only_paths_within_the_site_are_local(void **state)
{
	static const char *const local[] = { "/", "/g/a+b",
		"/?page=2&order=new", "/articles/7#article-7", "/x//y",
		"/a:b@c" };
	static const char *const foreign[] = { "", "x", "//", "//b.example/",
		"/\\b.example", "\\/b.example", "http://b.example/",
		"javascript:alert(1)", " /", "/ ", "/a b", "/a\nSet-Cookie: b",
		"/\r", "/\t/b.example", "/a\x7f", "/\xc3\xa4", "?x", "#x" };
	char longest[URL_LOCAL_MAX + 1];

	(void)state;
	for (size_t i = 0; i < sizeof(local) / sizeof(local[0]); i++)
		if (!url_is_local_path(text_of(local[i])))
			fail_msg("%s is local", local[i]);
	for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++)
		if (url_is_local_path(text_of(foreign[i])))
			fail_msg("%s is not local", foreign[i]);
	assert_false(url_is_local_path(TEXT("/a\0b")));
	assert_false(url_is_local_path((struct text){ NULL, 0 }));
	memset(longest, 'a', sizeof(longest));
	longest[0] = '/';
	assert_true(url_is_local_path((struct text){ longest, URL_LOCAL_MAX }));
	assert_false(
	    url_is_local_path((struct text){ longest, URL_LOCAL_MAX + 1 }));
}

static void
all_but_unreserved_characters_are_encoded(void **state)
{
	struct arena *arena = *state;

	assert_text(url_encode(arena, TEXT("aZ09-._~")), "aZ09-._~");
	assert_text(url_encode(arena, TEXT("/?a=b&c+d %#\"\xc3\xa4")),
	    "%2F%3Fa%3Db%26c%2Bd%20%25%23%22%C3%A4");
	assert_text(url_encode(arena, TEXT("\0")), "%00");
	assert_text(url_encode(arena, (struct text){ NULL, 0 }), "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		fixture_arena_test(good_links_are_encoded),
		fixture_arena_test(links_without_a_scheme_are_https),
		fixture_arena_test(equivalent_links_are_equal),
		fixture_arena_test(different_links_are_not_equal),
		fixture_arena_test(encoding_twice_changes_nothing),
		fixture_arena_test(bad_links_are_refused),
		fixture_arena_test(hosts_are_shown_readably),
		cmocka_unit_test(only_paths_within_the_site_are_local),
		fixture_arena_test(all_but_unreserved_characters_are_encoded),
	};

	return cmocka_run_group_tests_name("url", tests, NULL, NULL);
}
