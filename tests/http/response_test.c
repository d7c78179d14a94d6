/* The head of a response. */
#include "http/response.h"

#include <string.h>

#include "../support/fixture.h"
#include "base/arena.h"
#include "base/cache.h"

static struct text
head_of(struct arena *arena, const struct response *response)
{
	return response_head(arena, response, response->body.size);
}

/* By default a response must not be cached. */
static void
default_headers_are_safe(void **state)
{
	struct response response = { .status = HTTP_OK,
		.body = TEXT_INIT("<p>Hello") };

	assert_text(head_of(*state, &response),
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
	assert_text(head_of(*state, &response),
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
	assert_true(text_find(head_of(*state, &response), 0, TEXT("public")) !=
	    SIZE_MAX);
	response.body.size++;
	assert_true(text_find(head_of(*state, &response), 0,
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
		struct text head = head_of(*state, &response);

		assert_int_equal(text_find(head, 0, TEXT("Unknown")), SIZE_MAX);
	}
}

static struct text
page_of(struct arena *arena, size_t size)
{
	char *bytes = arena_bytes(arena, size);

	for (size_t i = 0; i < size; i++)
		bytes[i] = "A list of articles\n"[i * i % 19];
	return (struct text){ bytes, size };
}

static void
bodies_are_compressed(void **state)
{
	for (enum response_cache cache = CACHE_NEVER; cache <= CACHE_ONE_YEAR;
	    cache++)
		for (size_t size = 1000; size <= RESPONSE_MAX_PUBLIC;
		    size *= 3) {
			struct text page = page_of(*state, size);
			struct response response = {
				.status = HTTP_OK, .cache = cache, .body = page
			};

			response_compress(&response, *state, NULL);
			assert_true(response.body.size < size);
			assert_same(
			    fixture_gunzip(*state, response.body), page);
			assert_true(
			    text_find(head_of(*state, &response), 0,
				TEXT("\r\nContent-Encoding: gzip\r\n")) !=
			    SIZE_MAX);
		}
}

/* Where "1" and "2" are on a page there is no such piece in its body, but its place. */
static struct text
place_pieces(struct arena *arena, const char *page, struct response *response,
    struct text *joined)
{
	struct buffer body = buffer_in(arena, 4096);
	struct buffer whole = buffer_in(arena, 65536);

	for (size_t i = 0; i < response->piece_count; i++)
		response->pieces[i].place = RESPONSE_NOWHERE;
	for (; *page != '\0'; page++) {
		struct response_piece *piece =
		    *page == '1' ? &response->pieces[0] : &response->pieces[1];

		if (*page == '-') {
			buffer_add(&body, TEXT("<p>-</p>"));
			buffer_add(&whole, TEXT("<p>-</p>"));
			continue;
		}
		piece->place = body.size;
		buffer_add(&whole, piece->html);
	}
	*joined = buffer_text(&whole);
	return buffer_text(&body);
}

/* Each is sent where it belongs, and what belongs nowhere is not. */
static void
pieces_are_joined(void **state)
{
	static const char *const pages[] = { "1", "-1", "1-", "-1-2-", "12",
		"-2", "----1-----2", "" };
	const struct text one = page_of(*state, 20000),
			  two = text_join(
			      *state, TEXT("Two."), page_of(*state, 500));
	struct response_piece pieces[2];
	struct text joined;

	for (size_t i = 0; i < 2 * sizeof(pages) / sizeof(pages[0]); i++) {
		struct response response = {
			.status = HTTP_OK, .pieces = pieces, .piece_count = 2
		};

		pieces[0] = (struct response_piece){ .html = one,
			.compressed =
			    gzip_compress_piece(*state, one, GZIP_FASTEST) };
		pieces[1] = (struct response_piece){ .html = two,
			.compressed =
			    gzip_compress_piece(*state, two, GZIP_SMALLEST) };
		response.body =
		    place_pieces(*state, pages[i / 2], &response, &joined);
		if (i % 2 == 0) {
			fixture_join(*state, &response);
			assert_false(response.is_compressed);
		} else {
			response_compress(&response, *state, NULL);
			assert_int_equal(
			    response.is_compressed, joined.size > 0);
		}
		assert_same(response.is_compressed
			? fixture_gunzip(*state, response.body)
			: response.body,
		    joined);
	}
}

/* A page of a piece, with this beginning and this token in it twice. */
static struct response
page_around(struct arena *arena, struct text beginning,
    struct response_piece *piece, struct text token)
{
	struct buffer page = buffer_in(arena, 65536);

	buffer_add(&page, beginning);
	buffer_add(&page, TEXT("</head><body>one form with "));
	buffer_add(&page, token);
	piece->place = page.size;
	buffer_add(&page, TEXT("and another one with "));
	buffer_add(&page, token);
	buffer_add(&page, TEXT("</body>"));
	return (struct response){ .status = HTTP_OK,
		.body = buffer_text(&page),
		.pieces = piece,
		.piece_count = 1,
		.token = token };
}

/* With the token as it is, both times. */
static void
assert_compressed(
    struct arena *arena, struct response response, struct cache *parts)
{
	const struct text token = response.token;
	struct response plain = response;
	size_t at;

	fixture_join(arena, &plain);
	response_compress(&response, arena, parts);
	assert_true(response.is_compressed);
	assert_same(fixture_gunzip(arena, response.body), plain.body);
	at = text_find(response.body, 0, token);
	assert_true(at != SIZE_MAX);
	assert_true(text_find(response.body, at + 1, token) != SIZE_MAX);
}

/* As response_compress finds it. */
static bool
is_part_cached(struct cache *parts, struct text part)
{
	const uint32_t key[] = { gzip_crc32(part), (uint32_t)part.size };
	struct text value;

	return cache_peek(parts,
		   (struct text){ (const char *)key, sizeof(key) }, &value) &&
	    value.size > part.size && text_starts(value, part);
}

/* Beside a piece, what is on a page for the second time is cached, whatever token the page has. */
static void
parts_are_cached(void **state)
{
	static const char *const tokens[] = { "7281728172817281",
		"9530953095309530", "7281728172817281", "4666466646664666" };
	const struct text head = page_of(*state, 2000);
	const struct text rows =
	    text_join(*state, TEXT("Rows: "), page_of(*state, 20000));
	struct response_piece piece = { .html = rows,
		.compressed = gzip_compress_piece(*state, rows, GZIP_FASTEST) };
	struct cache *parts = cache_new(64, 65536);

	for (size_t i = 0; i < sizeof(tokens) / sizeof(tokens[0]); i++) {
		assert_int_equal(is_part_cached(parts, head), i >= 2);
		assert_compressed(*state,
		    page_around(*state, head, &piece, text_of(tokens[i])),
		    parts);
	}
	cache_free(parts);
}

/* The same with the bits of the generator of the checksum flipped in the middle, so that the
 * checksum is the same (RFC 1952, 8). */
static struct text
with_same_checksum(struct arena *arena, struct text text)
{
	const uint64_t generator = UINT64_C(0xedb88320) << 1 | 1;
	char *bytes = arena_bytes(arena, text.size);

	memcpy(bytes, text.data, text.size);
	for (size_t i = 0; i < 5; i++)
		bytes[text.size / 2 + i] ^= (char)(generator >> 8 * i & 0xff);
	return (struct text){ bytes, text.size };
}

static void
parts_of_one_checksum_are_told_apart(void **state)
{
	const struct text head = page_of(*state, 2000);
	const struct text other = with_same_checksum(*state, head);
	const struct text rows =
	    text_join(*state, TEXT("Rows: "), page_of(*state, 20000));
	struct response_piece piece = { .html = rows,
		.compressed = gzip_compress_piece(*state, rows, GZIP_FASTEST) };
	struct cache *parts = cache_new(64, 65536);

	assert_false(text_equal(head, other));
	assert_int_equal(gzip_crc32(head), gzip_crc32(other));
	for (int i = 0; i < 6; i++)
		assert_compressed(*state,
		    page_around(*state, i < 3 ? head : other, &piece,
			TEXT("7281728172817281")),
		    parts);
	assert_true(is_part_cached(parts, other));
	cache_free(parts);
}

/* A page without pieces, and with a token: whole, until most of it was sent before. */
static void
pages_that_are_sent_again_are_cut(void **state)
{
	const struct text token = TEXT("7281728172817281");
	const struct text head = page_of(*state, 2000);
	const struct text text = page_of(*state, 3000);
	struct cache *parts = cache_new(64, 65536);
	struct buffer page = buffer_in(*state, 8192);

	buffer_add(&page, head);
	buffer_add(&page, TEXT("</head>"));
	buffer_add(&page, token);
	buffer_add(&page, text);
	for (int i = 0; i < 4; i++) {
		struct response response = { .status = HTTP_OK,
			.body = buffer_text(&page),
			.token = token };

		response_compress(&response, *state, parts);
		assert_same(
		    fixture_gunzip(*state, response.body), buffer_text(&page));
		assert_int_equal(
		    text_find(response.body, 0, token) != SIZE_MAX, i > 0);
		assert_int_equal(is_part_cached(parts, text), i > 0);
	}
	cache_free(parts);
}

/* Large parts are compressed quickly each time. */
static void
large_parts_are_not_cached(void **state)
{
	const struct text head = page_of(*state, 7000);
	struct response_piece piece = { .html = TEXT("Row."),
		.compressed =
		    gzip_compress_piece(*state, TEXT("Row."), GZIP_FASTEST) };
	struct cache *parts = cache_new(64, 65536);

	for (int i = 0; i < 3; i++)
		assert_compressed(*state,
		    page_around(*state, head, &piece, TEXT("7281728172817281")),
		    parts);
	assert_false(is_part_cached(parts, head));
	cache_free(parts);
}

/* What repeats itself takes as much as anything else, and nginx leaves it as it is. A stored
 * block has 65,535 bytes at most. */
static void
secrets_are_not_compressed(void **state)
{
	static const size_t sizes[] = { 20000, 65535, 65536, 200000 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct text page = page_of(*state, sizes[i]);
		struct response response = {
			.status = HTTP_OK, .has_secret = true, .body = page
		};

		response_compress(&response, *state, NULL);
		assert_true(response.is_compressed);
		assert_true(response.body.size > page.size);
		assert_same(fixture_gunzip(*state, response.body), page);
	}
}

/* What is too short, too long or an image. */
static void
other_bodies_are_not_compressed(void **state)
{
	struct text page = page_of(*state, RESPONSE_MAX_PUBLIC + 1);
	struct response rows[] = {
		{ .cache = CACHE_NEVER, .body = text_slice(page, 0, 999) },
		{ .cache = CACHE_ONE_SECOND, .body = text_slice(page, 0, 999) },
		{ .cache = CACHE_NEVER, .body = page },
		{ .cache = CACHE_ONE_SECOND, .body = page },
		{ .cache = CACHE_ONE_YEAR,
		    .type = TYPE_PNG,
		    .body = text_slice(page, 0, 20000) },
		{ .cache = CACHE_ONE_SECOND, .is_unrendered = true },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct text body = rows[i].body;

		rows[i].status = HTTP_OK;
		response_compress(&rows[i], *state, NULL);
		assert_same(rows[i].body, body);
		assert_true(text_find(head_of(*state, &rows[i]), 0,
				TEXT("Content-Encoding")) == SIZE_MAX);
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
		fixture_arena_test(bodies_are_compressed),
		fixture_arena_test(pieces_are_joined),
		fixture_arena_test(parts_are_cached),
		fixture_arena_test(parts_of_one_checksum_are_told_apart),
		fixture_arena_test(large_parts_are_not_cached),
		fixture_arena_test(pages_that_are_sent_again_are_cut),
		fixture_arena_test(secrets_are_not_compressed),
		fixture_arena_test(other_bodies_are_not_compressed),
	};

	return cmocka_run_group_tests_name("response", tests, NULL, NULL);
}
