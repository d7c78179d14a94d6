/* Style sheets without comments and needless spaces. The project's own is parsed before and
 * after by a browser in site/browser_test.mjs. */
#include "server/style.h"

#include "../support/fixture.h"

static void
assert_compact(const char *sheet, const char *wanted)
{
	struct arena arena = { 0 };

	assert_text(style_compact(&arena, text_of(sheet)), wanted);
	arena_free(&arena);
}

static void
spaces_and_comments_are_left_out(void **state)
{
	(void)state;
	assert_compact("", "");
	assert_compact("/* All. */", "");
	assert_compact(
	    "a {\n\tcolor: red;\n\tmargin: 0 1px;\n}\n\nb , i {\n}\n",
	    "a{color:red;margin:0 1px;}b,i{}");
	assert_compact("a/* between */b > c { }", "a b > c{}");
	assert_compact("@media (min-width: 2rem) and (x) { a :hover {} }",
	    "@media (min-width:2rem) and (x){a :hover{}}");
	assert_compact("a { width: calc(1px + 2px) !important }",
	    "a{width:calc(1px + 2px) !important}");
}

static void
strings_stay(void **state)
{
	(void)state;
	assert_compact(
	    "a { content: \" :  /* no */ \" }", "a{content:\" :  /* no */ \"}");
	assert_compact("a { x: 'it\\'s ; '  'b' }", "a{x:'it\\'s ; ' 'b'}");
	assert_compact(
	    "a { grid: \"x  y\"\n\t\"z  z\" }", "a{grid:\"x  y\" \"z  z\"}");
}

static void
unfinished_sheets_end(void **state)
{
	(void)state;
	assert_compact("a {} /* no end", "a{}");
	assert_compact("a {} /*/", "a{}");
	assert_compact("a { content: 'no  end", "a{content:'no  end");
	assert_compact("a { content: 'no\\", "a{content:'no\\");
	assert_compact("a /", "a /");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spaces_and_comments_are_left_out),
		cmocka_unit_test(strings_stay),
		cmocka_unit_test(unfinished_sheets_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
