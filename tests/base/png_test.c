/* PNG images: an example of the site's, and chunks that are made up here. */
#include "base/png.h"

#include "../support/fixture.h"
#include "base/buffer.h"

#define SIGNATURE "\x89PNG\r\n\x1a\n"

static uint32_t
checksum(struct text bytes)
{
	uint32_t sum = 0xffffffff;

	for (size_t i = 0; i < bytes.size; i++) {
		sum ^= (unsigned char)bytes.data[i];
		for (int bit = 0; bit < 8; bit++)
			sum = (sum >> 1) ^ ((sum & 1) * 0xedb88320u);
	}
	return ~sum;
}

static void
add_number(struct buffer *out, uint32_t number)
{
	for (int shift = 24; shift >= 0; shift -= 8)
		buffer_add_char(out, (char)(number >> shift & 0xff));
}

static void
add_chunk(struct buffer *out, const char *type, struct text data)
{
	size_t start = out->size + 4;

	add_number(out, (uint32_t)data.size);
	buffer_add(out, text_of(type));
	buffer_add(out, data);
	add_number(out,
	    checksum(text_slice(buffer_text(out), start, out->size - start)));
}

/* A file of chunks; each is a type and data, and the header is "IHDR". */
struct piece {
	const char *type;
	struct text data;
};

#define DATA(literal) TEXT_INIT(literal)
#define HEADER(color) DATA("\0\0\0\2\0\0\0\3\x08" color "\0\0\0")
#define RGB	      { "IHDR", HEADER("\2") }
#define GREY	      { "IHDR", HEADER("\0") }
#define PALETTE	      { "IHDR", HEADER("\3") }
#define PLTE	      { "PLTE", DATA("abcdef") }
#define IDAT	      { "IDAT", DATA("data") }
#define IEND	      { "IEND", DATA("") }

enum { PIECES_MAX = 6 };

static struct text
make_file(struct arena *arena, const struct piece *pieces)
{
	struct buffer file = buffer_in(arena, 256);

	buffer_add(&file, TEXT(SIGNATURE));
	for (size_t i = 0; i < PIECES_MAX && pieces[i].type != NULL; i++)
		add_chunk(&file, pieces[i].type, pieces[i].data);
	return buffer_text(&file);
}

static void
file_of_the_site_is_read(void **state)
{
	struct text file =
	    fixture_read_file(*state, "static/apple-touch-icon.png");
	struct png png;

	assert_true(png_read(*state, file, &png));
	assert_int_equal(png.width, 180);
	assert_int_equal(png.height, 180);
	assert_same(png.bytes, file);
}

static void
any_damage_is_found(void **state)
{
	struct text file =
	    fixture_read_file(*state, "static/apple-touch-icon.png");
	char *bytes = text_string(*state, file);
	struct png png;

	for (size_t i = 0; i < file.size; i += i < 64 ? 1 : 13) {
		struct arena arena = { 0 };

		assert_false(png_read(&arena, text_slice(file, 0, i), &png));
		bytes[i] ^= 0x20;
		assert_false(
		    png_read(&arena, (struct text){ bytes, file.size }, &png));
		bytes[i] ^= 0x20;
		arena_free(&arena);
	}
	assert_false(
	    png_read(*state, text_join(*state, file, TEXT("x")), &png));
	assert_false(png_read(*state, text_join(*state, file, file), &png));
}

static void
chunks_have_their_order_and_size(void **state)
{
	static const struct piece good[][PIECES_MAX] = {
		{ RGB, IDAT, IEND },
		{ RGB, IDAT, IDAT, IEND },
		{ RGB, PLTE, IDAT, IEND },
		{ RGB, { "tRNS", DATA("123456") }, IDAT, IEND },
		{ GREY, { "tRNS", DATA("12") }, IDAT, IEND },
		{ PALETTE, PLTE, { "tRNS", DATA("12") }, IDAT, IEND },
		{ { "IHDR", DATA("\0\0\0\1\0\0\0\1\1\0\0\0\1") }, IDAT, IEND },
	};
	static const struct piece bad[][PIECES_MAX] = {
		{ RGB, IEND },
		{ RGB, IDAT },
		{ IDAT, IEND },
		{ RGB, RGB, IDAT, IEND },
		{ PALETTE, IDAT, IEND },
		{ GREY, PLTE, IDAT, IEND },
		{ RGB, IDAT, PLTE, IEND },
		{ PALETTE, PLTE, PLTE, IDAT, IEND },
		{ RGB, { "PLTE", DATA("ab") }, IDAT, IEND },
		{ RGB, { "PLTE", DATA("") }, IDAT, IEND },
		{ PALETTE, { "tRNS", DATA("1") }, PLTE, IDAT, IEND },
		{ PALETTE, PLTE, { "tRNS", DATA("123") }, IDAT, IEND },
		{ RGB, { "tRNS", DATA("12") }, IDAT, IEND },
		{ RGB, IDAT, { "tRNS", DATA("123456") }, IEND },
		{ RGB, IDAT, { "tEXt", DATA("a") }, IDAT, IEND },
		{ RGB, IDAT, { "IEND", DATA("x") } },
		{ RGB, { "ABCD", DATA("x") }, IDAT, IEND },
		{ RGB, { "a\0cd", DATA("x") }, IDAT, IEND },
		{ RGB, { "a-cd", DATA("x") }, IDAT, IEND },
		{ { "IHDR", DATA("\0\0\0\0\0\0\0\1\x08\2\0\0\0") }, IDAT,
		    IEND },
		{ { "IHDR", DATA("\0\0\0\1\0\0\0\0\x08\2\0\0\0") }, IDAT,
		    IEND },
		{ { "IHDR", DATA("\xff\0\0\1\0\0\0\1\x08\2\0\0\0") }, IDAT,
		    IEND },
		{ { "IHDR", HEADER("\1") }, IDAT, IEND },
		{ { "IHDR", HEADER("\xff") }, IDAT, IEND },
		{ { "IHDR", DATA("\0\0\0\1\0\0\0\1\4\2\0\0\0") }, IDAT, IEND },
		{ { "IHDR", DATA("\0\0\0\1\0\0\0\1\xff\0\0\0\0") }, IDAT,
		    IEND },
		{ { "IHDR", DATA("\0\0\0\1\0\0\0\1\x08\2\1\0\0") }, IDAT,
		    IEND },
		{ { "IHDR", DATA("\0\0\0\1\0\0\0\1\x08\2\0\1\0") }, IDAT,
		    IEND },
		{ { "IHDR", DATA("\0\0\0\1\0\0\0\1\x08\2\0\0\2") }, IDAT,
		    IEND },
		{ { "IHDR", DATA("\0\0\0\1\0\0\0\1\x08\2\0\0") }, IDAT, IEND },
	};
	struct png png;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		if (!png_read(*state, make_file(*state, good[i]), &png))
			fail_msg("good file %zu", i);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (png_read(*state, make_file(*state, bad[i]), &png))
			fail_msg("bad file %zu", i);
}

/* Where a picture was taken, who made it, and what moves. */
static void
metadata_is_left_out(void **state)
{
	static const struct piece all[] = { RGB, { "eXIf", DATA("where") },
		{ "acTL", DATA("moves") }, IDAT, { "tEXt", DATA("who") },
		IEND };
	static const struct piece kept[PIECES_MAX] = { RGB, IDAT, IEND };
	struct png png;

	assert_true(png_read(*state, make_file(*state, all), &png));
	assert_int_equal(png.width, 2);
	assert_int_equal(png.height, 3);
	assert_same(png.bytes, make_file(*state, kept));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		fixture_arena_test(file_of_the_site_is_read),
		fixture_arena_test(any_damage_is_found),
		fixture_arena_test(chunks_have_their_order_and_size),
		fixture_arena_test(metadata_is_left_out),
	};

	return cmocka_run_group_tests_name("png", tests, NULL, NULL);
}
