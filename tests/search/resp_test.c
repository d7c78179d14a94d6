/* Requests in Redis's protocol, whole, in parts and malformed; and replies. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/fixture.h"
#include "search/resp.h"

static enum resp_result
read_text(const char *bytes, size_t size, struct resp_request *request)
{
	/* At the end of a block, so that a sanitizer sees each byte behind it. */
	char *block = malloc(size + 1);
	enum resp_result result;

	memcpy(block, bytes, size);
	result = resp_read((struct text){ block, size }, request);
	free(block);
	return result;
}

static void
requests_are_read(void **state)
{
	const char *bytes =
	    "*3\r\n$6\r\nSEARCH\r\n$0\r\n\r\n$4\r\na\r\nb\r\nrest";
	struct resp_request request;

	(void)state;
	assert_int_equal(resp_read(text_of(bytes), &request), RESP_WHOLE);
	assert_int_equal(request.count, 3);
	assert_text(request.words[0], "SEARCH");
	assert_text(request.words[1], "");
	assert_text(request.words[2], "a\r\nb");
	assert_int_equal(request.size, strlen(bytes) - strlen("rest"));
}

/* A part of a request that is good is never malformed, and never whole. */
static void
parts_of_requests_wait(void **state)
{
	const char bytes[] =
	    "*12\r\n$1\r\na\r\n$10\r\n0123456789\r\n$1\r\nc\r\n";
	struct resp_request request;

	(void)state;
	for (size_t size = 0; size < sizeof(bytes); size++)
		assert_int_equal(
		    read_text(bytes, size, &request), RESP_PARTIAL);
}

static void
malformed_requests_are_refused(void **state)
{
	static const char *const malformed[] = { "PING\r\n", "*0\r\n",
		"*-1\r\n", "*x\r\n", "*\r\n", "*129\r\n", "*1x\r\n", "*1\rx",
		"*1\r\n:1\r\n", "*1\r\n$x\r\n", "*1\r\n$\r\n", "*1\r\n$-1\r\n",
		"*1\r\n$1\r\nab\r\n", "*1\r\n$1\r\na\rb", "*1\r\n$16385\r\n",
		"*123456789", "*1\r\n$123456789" };
	struct resp_request request;

	(void)state;
	for (size_t i = 0; i < sizeof(malformed) / sizeof(malformed[0]); i++)
		if (read_text(malformed[i], strlen(malformed[i]), &request) !=
		    RESP_MALFORMED)
			fail_msg("not refused: %s", malformed[i]);
}

/* However it is cut into words, a request that is too large is refused before it is whole. */
static void
large_requests_are_refused(void **state)
{
	static char bytes[2 * RESP_BYTES_MAX];
	struct resp_request request;
	size_t size = (size_t)snprintf(bytes, sizeof(bytes), "*128\r\n");

	(void)state;
	while (size < RESP_BYTES_MAX)
		size += (size_t)snprintf(bytes + size, sizeof(bytes) - size,
		    "$1000\r\n%01000d\r\n", 0);
	assert_int_equal(read_text(bytes, size, &request), RESP_MALFORMED);
}

static void
replies_are_written(void **state)
{
	struct arena arena = { 0 };
	struct buffer reply = buffer_in(&arena, 1);

	(void)state;
	resp_add_list(&reply, 2);
	resp_add_text(&reply, TEXT("a\nb"));
	resp_add_number(&reply, -1);
	resp_add_error(&reply, "BUSY", "too many");
	assert_text(buffer_text(&reply),
	    "*2\r\n$3\r\na\nb\r\n:-1\r\n-BUSY too many\r\n");
	arena_free(&arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_are_read),
		cmocka_unit_test(parts_of_requests_wait),
		cmocka_unit_test(malformed_requests_are_refused),
		cmocka_unit_test(large_requests_are_refused),
		cmocka_unit_test(replies_are_written),
	};

	return cmocka_run_group_tests_name(
	    "Redis's protocol", tests, NULL, NULL);
}
