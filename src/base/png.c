#include "base/png.h"

#include <string.h>

#include "base/buffer.h"
#include "base/gzip.h"

#define SIGNATURE TEXT("\x89PNG\r\n\x1a\n")

enum {
	CHUNK_FRAME = 12, /* length, type and checksum */
	CHUNK_MAX = 0x7fffffff,
	SIDE_MAX = 0x7fffffff,
	PALETTE_MAX = 256 * 3 /* bytes */
};

enum color { GREY = 0, RGB = 2, PALETTE = 3, GREY_ALPHA = 4, RGB_ALPHA = 6 };

static uint32_t
number_at(const char *bytes)
{
	const unsigned char *digits = (const unsigned char *)bytes;

	return (uint32_t)digits[0] << 24 | (uint32_t)digits[1] << 16 |
	    (uint32_t)digits[2] << 8 | digits[3];
}

struct chunk {
	struct text whole, type, data;
};

/* Takes the next chunk; false when it is cut off or its checksum is wrong. */
static bool
take_chunk(struct text *rest, struct chunk *chunk)
{
	uint32_t length;

	if (rest->size < CHUNK_FRAME)
		return false;
	length = number_at(rest->data);
	if (length > CHUNK_MAX || rest->size - CHUNK_FRAME < length)
		return false;
	chunk->whole = text_slice(*rest, 0, CHUNK_FRAME + length);
	chunk->type = text_slice(*rest, 4, 4);
	chunk->data = text_slice(*rest, 8, length);
	*rest = text_slice(*rest, chunk->whole.size, rest->size);
	return gzip_crc32(text_slice(chunk->whole, 4, 4 + length)) ==
	    number_at(chunk->data.data + length);
}

/* What has been read of a file. */
struct reader {
	struct png *png;
	struct buffer kept;
	enum color color;
	size_t colors; /* in the palette; 0: none was read */
	bool has_transparency, has_data, data_is_over, has_ended;
};

/* The depths of table 11.1, a bit each. */
static bool
color_has_depth(enum color color, unsigned depth)
{
	static const uint32_t depths[] = { [GREY] = 1u << 1 | 1u << 2 |
		    1u << 4 | 1u << 8 | 1u << 16,
		[RGB] = 1u << 8 | 1u << 16,
		[PALETTE] = 1u << 1 | 1u << 2 | 1u << 4 | 1u << 8,
		[GREY_ALPHA] = 1u << 8 | 1u << 16,
		[RGB_ALPHA] = 1u << 8 | 1u << 16 };

	return color <= RGB_ALPHA && depth <= 16 &&
	    (depths[color] >> depth & 1) != 0;
}

/* Width, height, depth, color, and the methods of compression, filter and interlace. */
static bool
read_header(struct reader *reader, const struct chunk *chunk)
{
	const unsigned char *bytes = (const unsigned char *)chunk->data.data;

	if (!text_equal(chunk->type, TEXT("IHDR")) || chunk->data.size != 13)
		return false;
	reader->png->width = number_at(chunk->data.data);
	reader->png->height = number_at(chunk->data.data + 4);
	reader->color = (enum color)bytes[9];
	return reader->png->width - 1 < SIDE_MAX &&
	    reader->png->height - 1 < SIDE_MAX &&
	    color_has_depth(reader->color, bytes[8]) && bytes[10] == 0 &&
	    bytes[11] == 0 && bytes[12] <= 1;
}

static bool
read_palette(struct reader *reader, const struct chunk *chunk)
{
	size_t size = chunk->data.size;

	if (reader->colors > 0 || reader->has_data ||
	    reader->has_transparency || size == 0 || size % 3 != 0 ||
	    size > PALETTE_MAX)
		return false;
	reader->colors = size / 3;
	return reader->color != GREY && reader->color != GREY_ALPHA;
}

static bool
read_transparency(struct reader *reader, const struct chunk *chunk)
{
	size_t size = chunk->data.size;

	if (reader->has_transparency || reader->has_data)
		return false;
	reader->has_transparency = true;
	if (reader->color == PALETTE)
		return size > 0 && size <= reader->colors;
	return (reader->color == GREY && size == 2) ||
	    (reader->color == RGB && size == 6);
}

/* The data may be in several chunks, one after the other. */
static bool
read_data(struct reader *reader, const struct chunk *chunk)
{
	(void)chunk;
	reader->has_data = true;
	return !reader->data_is_over &&
	    (reader->color != PALETTE || reader->colors > 0);
}

static bool
read_end(struct reader *reader, const struct chunk *chunk)
{
	reader->has_ended = true;
	return chunk->data.size == 0 && reader->has_data;
}

/* A chunk that decoders may skip has a lower-case letter first. */
static bool
is_ancillary(const struct chunk *chunk)
{
	for (size_t i = 0; i < 4; i++)
		if ((chunk->type.data[i] | 0x20) < 'a' ||
		    (chunk->type.data[i] | 0x20) > 'z')
			return false;
	return (chunk->type.data[0] & 0x20) != 0;
}

/* Reads a chunk after the header, and keeps it if the picture needs it. */
static bool
read_chunk(struct reader *reader, const struct chunk *chunk)
{
	static const struct {
		struct text type;
		bool (*read)(struct reader *reader, const struct chunk *chunk);
	} kinds[] = { { TEXT_INIT("PLTE"), read_palette },
		{ TEXT_INIT("tRNS"), read_transparency },
		{ TEXT_INIT("IDAT"), read_data },
		{ TEXT_INIT("IEND"), read_end } };

	if (!text_equal(chunk->type, TEXT("IDAT")))
		reader->data_is_over = reader->has_data;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!text_equal(chunk->type, kinds[i].type))
			continue;
		buffer_add(&reader->kept, chunk->whole);
		return kinds[i].read(reader, chunk);
	}
	return is_ancillary(chunk);
}

bool
png_read(struct arena *arena, struct text file, struct png *png)
{
	struct reader reader = { .png = png,
		.kept = buffer_in(arena, file.size) };
	struct chunk chunk;

	if (!text_starts(file, SIGNATURE))
		return false;
	file = text_slice(file, SIGNATURE.size, file.size);
	if (!take_chunk(&file, &chunk) || !read_header(&reader, &chunk))
		return false;
	buffer_add(&reader.kept, SIGNATURE);
	buffer_add(&reader.kept, chunk.whole);
	while (!reader.has_ended)
		if (!take_chunk(&file, &chunk) || !read_chunk(&reader, &chunk))
			return false;
	png->bytes = buffer_text(&reader.kept);
	return file.size == 0;
}
