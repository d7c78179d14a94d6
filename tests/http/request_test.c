/* Requests: parsing, and the origin of a POST. */
#include "http/request.h"

#include "../support/fixture.h"
#include "base/arena.h"

#define FORM_TYPE TEXT_INIT("application/x-www-form-urlencoded")

static void
methods_are_parsed(void **state)
{
	(void)state;
	assert_int_equal(http_method_of(TEXT("GET")), HTTP_GET);
	assert_int_equal(http_method_of(TEXT("HEAD")), HTTP_HEAD);
	assert_int_equal(http_method_of(TEXT("POST")), HTTP_POST);
	assert_int_equal(http_method_of(TEXT("get")), HTTP_OTHER_METHOD);
	assert_int_equal(http_method_of(TEXT("PUT")), HTTP_OTHER_METHOD);
	assert_int_equal(http_method_of(TEXT("")), HTTP_OTHER_METHOD);
}

static void
query_and_form_are_read(void **state)
{
	struct request request = { .method = HTTP_POST,
		.path = TEXT_INIT("/x"),
		.raw_query = TEXT_INIT("page=2"),
		.content_type = FORM_TYPE,
		.body = TEXT_INIT("title=a+b") };

	assert_int_equal(request_parse(*state, &request), HTTP_OK);
	assert_text(pairs_get(&request.query, TEXT("page")), "2");
	assert_text(pairs_get(&request.form, TEXT("title")), "a b");
}

static void
only_a_post_has_a_form(void **state)
{
	struct request request = { .method = HTTP_GET,
		.path = TEXT_INIT("/x"),
		.body = TEXT_INIT("%") };

	assert_int_equal(request_parse(*state, &request), HTTP_OK);
	assert_int_equal(request.form.count, 0);
}

static void
paths_with_control_characters_are_of_no_page(void **state)
{
	static const struct text paths[] = { TEXT_INIT("/u/ann\nX-Added: 1"),
		TEXT_INIT("/u/ann\x7f"), TEXT_INIT("/\r") };

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		struct request request = { .path = paths[i] };

		assert_int_equal(
		    request_parse(*state, &request), HTTP_NOT_FOUND);
	}
}

static void
malformed_requests_are_refused(void **state)
{
	static const struct request bad[] = {
		{ .path = TEXT_INIT("/\xff") },
		{ .path = TEXT_INIT("/"), .raw_query = TEXT_INIT("a=1&a=2") },
		{ .path = TEXT_INIT("/"), .raw_query = TEXT_INIT("a=%") },
		{ .path = TEXT_INIT("/"), .raw_query = TEXT_INIT("\xff") },
		{ .method = HTTP_POST,
		    .path = TEXT_INIT("/"),
		    .content_type = FORM_TYPE,
		    .body = TEXT_INIT("a=%ff") },
		{ .method = HTTP_POST,
		    .path = TEXT_INIT("/"),
		    .content_type = FORM_TYPE,
		    .body = TEXT_INIT("a&a") },
		{ .method = HTTP_POST,
		    .path = TEXT_INIT("/"),
		    .body = TEXT_INIT("a=1") },
		{ .method = HTTP_POST,
		    .path = TEXT_INIT("/"),
		    .content_type = TEXT_INIT("application/json"),
		    .body = TEXT_INIT("{}") },
		{ .method = HTTP_POST,
		    .path = TEXT_INIT("/"),
		    .content_type =
			TEXT_INIT("multipart/form-data; boundary=x"),
		    .body = TEXT_INIT("--x") },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct request request = bad[i];

		assert_int_equal(
		    request_parse(*state, &request), HTTP_BAD_REQUEST);
	}
}

static void
only_form_content_types_are_read(void **state)
{
	static const char *const types[] = {
		"application/x-www-form-urlencoded",
		"APPLICATION/X-WWW-Form-UrlEncoded",
		"application/x-www-form-urlencoded;charset=UTF-8",
		"application/x-www-form-urlencoded; charset=utf-8",
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		struct request request = { .method = HTTP_POST,
			.path = TEXT_INIT("/"),
			.content_type = text_of(types[i]),
			.body = TEXT_INIT("a=1") };

		assert_int_equal(request_parse(*state, &request), HTTP_OK);
	}
}

static void
too_large_body_is_refused(void **state)
{
	struct request request = { .method = HTTP_POST,
		.path = TEXT_INIT("/"),
		.body_too_large = true };

	assert_int_equal(
	    request_parse(*state, &request), HTTP_CONTENT_TOO_LARGE);
	assert_int_equal(request.form.count, 0);
}

static void
targets_are_normalized(void **state)
{
	static const struct {
		const char *path, *query, *target;
	} targets[] = {
		{ "/", "", "/" },
		{ "/", "order=new&page=2", "/?order=new&page=2" },
		{ "/g/a+b", "match=all", "/g/a+b?match=all" },
		{ "/g/a b\"?#", "", "/g/a%20b%22%3F%23" },
		{ "/u/\xc3\xa4", "", "/u/%C3%A4" },
		{ "/", "a=%c3%a4&b=\"c+d", "/?a=%C3%A4&b=%22c+d" },
	};

	for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
		struct request request = { .path = text_of(targets[i].path),
			.raw_query = text_of(targets[i].query) };

		assert_int_equal(request_parse(*state, &request), HTTP_OK);
		request_filter_query(*state, &request, TEXT("*"));
		assert_text(
		    request_target(*state, &request), targets[i].target);
	}
}

static void
known_parameters_of_a_query_are_kept(void **state)
{
	static const struct {
		const char *known, *sent, *kept;
	} queries[] = {
		{ "order page", "order=new&page=2", "order=new&page=2" },
		{ "order page", "page=2&order=new", "page=2&order=new" },
		{ "order page", "x=1&order=new&Page=2&pages=1", "order=new" },
		{ "order page", "%6frder=%6eew", "order=new" },
		{ "order page", "&order=new&&", "order=new" },
		{ "order page", "order", "order=" },
		{ "order page", "order=a%20b/c%2a~", "order=a+b%2Fc%2A~" },
		{ "order page", "order=\xc3\xa4", "order=%C3%A4" },
		{ "", "order=new", "" },
		{ "match g-*", "g-b=on&g-a=on&g=1", "g-b=on&g-a=on" },
	};

	for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++) {
		struct request request = { .path = TEXT_INIT("/"),
			.raw_query = text_of(queries[i].sent) };
		struct text known = text_of(queries[i].known);

		assert_int_equal(request_parse(*state, &request), HTTP_OK);
		assert_int_equal(request_filter_query(*state, &request, known),
		    text_equal(request.raw_query, text_of(queries[i].kept)));
		assert_text(request.canonical_query, queries[i].kept);
		/* The canonical query is its own canonical form. */
		request.raw_query = request.canonical_query;
		assert_int_equal(request_parse(*state, &request), HTTP_OK);
		assert_true(request_filter_query(*state, &request, known));
	}
}

static struct text
cookie(const char *header, const char *name)
{
	struct request request = { .cookie = text_of(header) };

	return request_cookie(&request, text_of(name));
}

static void
cookies_are_found_by_name(void **state)
{
	(void)state;
	assert_text(cookie("tally=1.ab; other=x", "tally"), "1.ab");
	assert_text(cookie("other=x;tally=1.ab", "tally"), "1.ab");
	assert_text(cookie("a=b=c", "a"), "b=c");
	/* Of two with one name the first counts, as browsers send the one with
	 * the longest path first. */
	assert_text(cookie("a=1; a=2", "a"), "1");
	assert_text(cookie("tally-form=x; tally=y", "tally"), "y");
	assert_text(cookie("xtally=x", "tally"), "");
	assert_text(cookie("tally", "tally"), "");
	assert_text(cookie("tally=", "tally"), "");
	assert_text(cookie(";;=;a", "tally"), "");
	assert_text(cookie("", "tally"), "");
	assert_text(cookie(NULL, "tally"), "");
}

static void
origin_of_a_post_is_checked(void **state)
{
	static const struct {
		const char *fetch_site, *origin, *host, *site;
		enum request_origin expected;
	} rules[] = {
		/* Sec-Fetch-Site decides if it is sent. */
		{ "same-origin", "", "a.example", "", ORIGIN_SAME },
		{ "same-origin", "http://b.example", "a.example", "",
		    ORIGIN_SAME },
		{ "cross-site", "http://a.example", "a.example", "",
		    ORIGIN_OTHER },
		{ "same-site", "", "a.example", "", ORIGIN_OTHER },
		{ "none", "", "a.example", "", ORIGIN_OTHER },
		{ "SAME-ORIGIN", "", "a.example", "", ORIGIN_OTHER },
		/* Otherwise Origin, compared with Host. */
		{ "", "http://a.example", "a.example", "", ORIGIN_SAME },
		{ "", "https://a.example", "a.example", "", ORIGIN_SAME },
		{ "", "http://a.example:8080", "a.example:8080", "",
		    ORIGIN_SAME },
		{ "", "http://a.example:8080", "a.example", "", ORIGIN_OTHER },
		{ "", "http://b.example", "a.example", "", ORIGIN_OTHER },
		{ "", "null", "a.example", "", ORIGIN_OTHER },
		{ "", "http://a.example.b.example", "a.example", "",
		    ORIGIN_OTHER },
		/* Or compared with the site's origin if that is set. */
		{ "", "https://a.example", "inner:9000", "https://a.example",
		    ORIGIN_SAME },
		{ "", "http://a.example", "a.example", "https://a.example",
		    ORIGIN_OTHER },
		{ "", "https://b.example", "b.example", "https://a.example",
		    ORIGIN_OTHER },
		{ "", "", "a.example", "", ORIGIN_UNKNOWN },
		{ "", "", "", "https://a.example", ORIGIN_UNKNOWN },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		struct request request = {
			.fetch_site = text_of(rules[i].fetch_site),
			.origin = text_of(rules[i].origin),
			.host = text_of(rules[i].host),
		};

		if (request_origin_of(&request, text_of(rules[i].site)) !=
		    rules[i].expected)
			fail_msg("row %zu", i);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		fixture_arena_test(methods_are_parsed),
		fixture_arena_test(query_and_form_are_read),
		fixture_arena_test(only_a_post_has_a_form),
		fixture_arena_test(malformed_requests_are_refused),
		fixture_arena_test(
		    paths_with_control_characters_are_of_no_page),
		fixture_arena_test(only_form_content_types_are_read),
		fixture_arena_test(too_large_body_is_refused),
		fixture_arena_test(targets_are_normalized),
		fixture_arena_test(known_parameters_of_a_query_are_kept),
		fixture_arena_test(cookies_are_found_by_name),
		fixture_arena_test(origin_of_a_post_is_checked),
	};

	return cmocka_run_group_tests_name("request", tests, NULL, NULL);
}
