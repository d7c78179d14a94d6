/* The head of a response. */
#include "http/response.h"

#include "../support/fixture.h"
#include "base/arena.h"

/* By default a response must not be cached. */
static void
default_headers_are_safe(void **state)
{
	struct response response = { .status = HTTP_OK,
		.body = TEXT_INIT("<p>Hello") };

	assert_text(response_head(*state, &response),
	    "Status: 200 OK\r\n"
	    "Content-Type: text/html; charset=utf-8\r\n"
	    "Cache-Control: private, no-store\r\n"
	    "Vary: Accept-Encoding, Cookie\r\n"
	    "Content-Length: 8\r\n"
	    "\r\n");
}

static void
all_headers_are_written(void **state)
{
	struct response response = { .status = HTTP_UNAVAILABLE,
		.cache = CACHE_ONE_SECOND,
		.type = TYPE_PLAIN,
		.location = TEXT_INIT("/x"),
		.allow = "GET, HEAD",
		.retry_after = 2 };

	response_set_cookie(&response, *state, TEXT("a"), TEXT("1"), 60, false);
	response_set_cookie(&response, *state, TEXT("b"), TEXT("2"), 0, false);
	assert_text(response_head(*state, &response),
	    "Status: 503 Service Unavailable\r\n"
	    "Content-Type: text/plain; charset=utf-8\r\n"
	    "Cache-Control: public, max-age=1\r\n"
	    "Vary: Accept-Encoding, Cookie\r\n"
	    "Location: /x\r\n"
	    "Allow: GET, HEAD\r\n"
	    "Retry-After: 2\r\n"
	    "Set-Cookie: a=1; Path=/; HttpOnly; SameSite=Lax; Max-Age=60\r\n"
	    "Set-Cookie: b=2; Path=/; HttpOnly; SameSite=Lax\r\n"
	    "Content-Length: 0\r\n"
	    "\r\n");
}

/* A large response is never cached. */
static void
large_bodies_are_not_public(void **state)
{
	struct response response = { .cache = CACHE_ONE_SECOND };

	response.body =
	    (struct text){ arena_bytes(*state, RESPONSE_MAX_PUBLIC + 1),
		    RESPONSE_MAX_PUBLIC };
	assert_true(text_find(response_head(*state, &response), 0,
			TEXT("public")) != SIZE_MAX);
	response.body.size++;
	assert_true(text_find(response_head(*state, &response), 0,
			TEXT("private, no-store")) != SIZE_MAX);
}

static void
cookies_have_safe_attributes(void **state)
{
	struct response response = { .status = HTTP_OK };

	response_set_cookie(
	    &response, *state, TEXT("__Host-a"), TEXT("1"), COOKIE_ENDED, true);
	assert_int_equal(response.cookie_count, 1);
	assert_text(response.cookies[0],
	    "__Host-a=1; Path=/; HttpOnly; SameSite=Lax; Max-Age=0; Secure");
}

static void
every_status_has_a_reason_phrase(void **state)
{
	static const enum http_status all[] = { HTTP_OK, HTTP_SEE_OTHER,
		HTTP_BAD_REQUEST, HTTP_UNAUTHORIZED, HTTP_FORBIDDEN,
		HTTP_NOT_FOUND, HTTP_METHOD_NOT_ALLOWED, HTTP_CONFLICT,
		HTTP_GONE, HTTP_CONTENT_TOO_LARGE, HTTP_URI_TOO_LONG,
		HTTP_MISDIRECTED, HTTP_UNPROCESSABLE, HTTP_TOO_MANY_REQUESTS,
		HTTP_INTERNAL_ERROR, HTTP_UNAVAILABLE };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		struct response response = { .status = all[i] };
		struct text head = response_head(*state, &response);

		assert_int_equal(text_find(head, 0, TEXT("Unknown")), SIZE_MAX);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		fixture_arena_test(default_headers_are_safe),
		fixture_arena_test(all_headers_are_written),
		fixture_arena_test(large_bodies_are_not_public),
		fixture_arena_test(cookies_have_safe_attributes),
		fixture_arena_test(every_status_has_a_reason_phrase),
	};

	return cmocka_run_group_tests_name("response", tests, NULL, NULL);
}
