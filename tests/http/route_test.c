/* Finding a request's row in the table of routes. */
#include "http/route.h"

#include "../support/world.h"
#include "base/arena.h"

static const struct route routes[] = {
	{ .path = TEXT_INIT("/"), .gets = true },
	{ .path = TEXT_INIT("/form"), .gets = true, .posts = true },
	{ .path = TEXT_INIT("/a/:id"), .gets = true },
	{ .path = TEXT_INIT("/a/:id/b/:other"), .posts = true },
	{ .path = TEXT_INIT("/parted"), .gets = true },
	{ .path = TEXT_INIT("/parted"), .posts = true },
};

enum { ROUTES = sizeof(routes) / sizeof(routes[0]) };

static struct arena arena;

static struct route_match
find(enum http_method method, const char *path, struct request *request)
{
	*request = (struct request){ .method = method, .path = text_of(path) };
	return route_find(&arena, routes, ROUTES, request);
}

static void
routes_are_found(void **state)
{
	static const struct {
		enum http_method method;
		const char *path;
		size_t row;
	} cases[] = { { HTTP_GET, "/", 0 }, { HTTP_HEAD, "/", 0 },
		{ HTTP_GET, "/form", 1 }, { HTTP_POST, "/form", 1 },
		{ HTTP_GET, "/a/x", 2 }, { HTTP_POST, "/a/x/b/y", 3 },
		{ HTTP_GET, "/parted", 4 }, { HTTP_POST, "/parted", 5 } };
	struct request request;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct route_match match =
		    find(cases[i].method, cases[i].path, &request);

		assert_int_equal(match.status, HTTP_OK);
		assert_int_equal(match.row, cases[i].row);
	}
}

static void
variable_parts_become_values(void **state)
{
	struct request request;

	(void)state;
	assert_int_equal(
	    find(HTTP_POST, "/a/x+y/b/:z", &request).status, HTTP_OK);
	assert_int_equal(request.path_values.count, 2);
	assert_text(pairs_get(&request.path_values, TEXT("id")), "x+y");
	assert_text(pairs_get(&request.path_values, TEXT("other")), ":z");
}

static void
unknown_paths_have_no_route(void **state)
{
	static const char *const paths[] = { "", "//", "/a", "/a/", "/a/x/",
		"/a/x/b", "/a/x/b/", "/a/x/b/y/z", "/Form", "/form/" };
	struct request request;

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		assert_int_equal(
		    find(HTTP_GET, paths[i], &request).status, HTTP_NOT_FOUND);
}

static void
wrong_methods_are_refused(void **state)
{
	static const struct {
		enum http_method method;
		const char *path, *allow;
	} cases[] = { { HTTP_POST, "/", "GET, HEAD" },
		{ HTTP_OTHER_METHOD, "/form", "GET, HEAD, POST" },
		{ HTTP_OTHER_METHOD, "/parted", "GET, HEAD, POST" },
		{ HTTP_GET, "/a/x/b/y", "POST" } };
	struct request request;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct route_match match =
		    find(cases[i].method, cases[i].path, &request);

		assert_int_equal(match.status, HTTP_METHOD_NOT_ALLOWED);
		assert_string_equal(match.allow, cases[i].allow);
	}
}

static void
canonical_path_is_suggested(void **state)
{
	static const struct {
		const char *path, *meant;
	} cases[] = { { "/", "/" }, { "//", "/" }, { "/Form/", "/form" },
		{ "/FORM", "/form" }, { "/A/Xy", "/a/Xy" },
		{ "/a/x///", "/a/x" }, { "/a//", "" }, { "/a/x/B/y", "" },
		{ "/nothing", "" }, { "", "" } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_text(route_correct_path(
				&arena, routes, ROUTES, text_of(cases[i].path)),
		    cases[i].meant);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(routes_are_found),
		cmocka_unit_test(canonical_path_is_suggested),
		cmocka_unit_test(variable_parts_become_values),
		cmocka_unit_test(unknown_paths_have_no_route),
		cmocka_unit_test(wrong_methods_are_refused),
	};

	return cmocka_run_group_tests_name("routes", tests, NULL, NULL);
}
