#include "base/gzip.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#define ZLIB_CONST
#include <zlib.h>

#include "base/arena.h"
#include "base/buffer.h"

enum { BUFFER_BYTES = 64 * 1024 };

static bool
is_compressed(FILE *file)
{
	static const char magic[] = { '\x1f', '\x8b' };
	char start[sizeof(magic)];
	struct stat status;

	return fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode) &&
	    pread(fileno(file), start, sizeof(start), 0) == sizeof(start) &&
	    memcmp(start, magic, sizeof(magic)) == 0;
}

static ssize_t
read_some(void *cookie, char *bytes, size_t size)
{
	gzFile gzip = cookie;
	int got = gzread(
	    gzip, bytes, size < BUFFER_BYTES ? (unsigned)size : BUFFER_BYTES);
	int error = Z_OK;

	gzerror(gzip, &error);
	/* At the end of an incomplete file zlib returns 0 bytes. */
	if (got > 0 || (got == 0 && error == Z_OK))
		return got;
	if (error != Z_ERRNO)
		errno = EBADMSG;
	return -1;
}

static int
close_gzip(void *cookie)
{
	gzclose(cookie);
	return 0;
}

FILE *
gzip_read(FILE *file)
{
	cookie_io_functions_t functions = { .read = read_some,
		.close = close_gzip };
	int descriptor;
	gzFile gzip;

	if (!is_compressed(file))
		return file;
	descriptor = dup(fileno(file));
	gzip = descriptor < 0 ? NULL : gzdopen(descriptor, "rb");
	if (gzip == NULL && descriptor >= 0)
		close(descriptor);
	fclose(file);
	if (gzip == NULL)
		return NULL;
	gzbuffer(gzip, BUFFER_BYTES);
	return fopencookie(gzip, "r", functions);
}

/* FAST: pages are 4 % smaller than with Z_BEST_SPEED, in the same time. */
enum { FAST = 2 };
static const int levels[] = {
	[GZIP_FASTEST] = FAST, [GZIP_SMALLEST] = Z_BEST_COMPRESSION
};

/* The one compressor, reset, of an effort; NULL without memory. */
static z_stream *
compressor_of(enum gzip_effort effort)
{
	enum { WINDOW_BITS = 15, MEMORY_LEVEL = 8 };
	static z_stream stream;
	static bool is_ready;

	if (!is_ready)
		is_ready = deflateInit2(&stream, FAST, Z_DEFLATED, -WINDOW_BITS,
			       MEMORY_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK;
	return is_ready && deflateReset(&stream) == Z_OK &&
		deflateParams(&stream, levels[effort], Z_DEFAULT_STRATEGY) ==
		    Z_OK
	    ? &stream
	    : NULL;
}

/* What deflate makes of all bytes; empty when it fails. */
static struct text
deflate_all(struct arena *arena, struct text bytes, enum gzip_effort effort)
{
	enum { FLUSHED = 16 }; /* more than deflateBound says, for a flush */
	z_stream *stream = compressor_of(effort);
	size_t room;
	char *place;

	if (stream == NULL)
		return (struct text){ NULL, 0 };
	room = deflateBound(stream, bytes.size) + FLUSHED;
	place = arena_bytes(arena, room);
	stream->next_in = (const Bytef *)bytes.data;
	stream->avail_in = (uInt)bytes.size;
	stream->next_out = (Bytef *)place;
	stream->avail_out = (uInt)room;
	if (deflate(stream, Z_SYNC_FLUSH) != Z_OK || stream->avail_in > 0 ||
	    stream->avail_out == 0)
		return (struct text){ NULL, 0 };
	return (struct text){ place, room - stream->avail_out };
}

static void
add_little_endian(struct buffer *bytes, uint32_t number)
{
	for (int shift = 0; shift < 32; shift += 8)
		buffer_add_char(bytes, (char)(number >> shift & 0xff));
}

/* Stored blocks: the length and its complement follow the byte that begins one (RFC 1951,
 * 3.2.4). */
static struct text
store(struct arena *arena, struct text bytes)
{
	enum { HEAD = 5, BLOCK_MAX = 65535 };
	size_t count = bytes.size / BLOCK_MAX + 1;
	struct buffer blocks = buffer_in(arena, bytes.size + HEAD * count);

	for (size_t i = 0; i < count; i++) {
		struct text block = text_slice(bytes, i * BLOCK_MAX, BLOCK_MAX);
		const uint32_t size = (uint32_t)block.size;

		buffer_add_char(&blocks, 0);
		add_little_endian(&blocks, size | (~size & 0xffff) << 16);
		buffer_add(&blocks, block);
	}
	return buffer_text(&blocks);
}

struct gzip_piece
gzip_compress_piece(
    struct arena *arena, struct text bytes, enum gzip_effort effort)
{
	return (struct gzip_piece){ .blocks = effort == GZIP_STORED
		    ? store(arena, bytes)
		    : deflate_all(arena, bytes, effort),
		.crc = gzip_crc32(bytes),
		.size = (uint32_t)bytes.size,
		.shift = (uint32_t)crc32_combine_gen((z_off_t)bytes.size) };
}

/* Of a packed piece: crc, size and shift, 4 bytes each. The blocks follow. */
enum { PACKED_HEAD = 12 };

struct text
gzip_pack(struct arena *arena, const struct gzip_piece *piece)
{
	struct buffer packed =
	    buffer_in(arena, PACKED_HEAD + piece->blocks.size);

	add_little_endian(&packed, piece->crc);
	add_little_endian(&packed, piece->size);
	add_little_endian(&packed, piece->shift);
	buffer_add(&packed, piece->blocks);
	return buffer_text(&packed);
}

static uint32_t
read_little_endian(struct text bytes, size_t at)
{
	uint32_t number = 0;

	for (size_t i = 4; i > 0; i--)
		number = number << 8 | (unsigned char)bytes.data[at + i - 1];
	return number;
}

struct gzip_piece
gzip_unpack(struct text packed)
{
	return (struct gzip_piece){ .crc = read_little_endian(packed, 0),
		.size = read_little_endian(packed, 4),
		.shift = read_little_endian(packed, 8),
		.blocks = text_slice(packed, PACKED_HEAD, packed.size) };
}

struct text
gzip_join(struct arena *arena, const struct gzip_piece *pieces, size_t count)
{
	/* Deflate, without a name, a time and a system (RFC 1952, 2.3.1). */
	const struct text head = { "\x1f\x8b\x08\0\0\0\0\0\0\xff", 10 };
	const struct text final = { "\x03\0", 2 }; /* an empty block */
	enum { AROUND = 32 };
	size_t size = 0, blocks = 0;
	uLong crc = 0;
	struct buffer bytes;

	for (size_t i = 0; i < count; i++)
		blocks += pieces[i].blocks.size;
	bytes = buffer_in(arena, blocks + AROUND);
	buffer_add(&bytes, head);
	for (size_t i = 0; i < count; i++) {
		buffer_add(&bytes, pieces[i].blocks);
		/* crc32_combine derives the operator from the size each time, which took a tenth of
		 * a page's instructions. */
		crc = crc32_combine_op(crc, pieces[i].crc, pieces[i].shift);
		size += pieces[i].size;
	}
	buffer_add(&bytes, final);
	add_little_endian(&bytes, (uint32_t)crc);
	add_little_endian(&bytes, (uint32_t)size);
	return buffer_text(&bytes);
}

struct text
gzip_compress(struct arena *arena, struct text bytes, enum gzip_effort effort)
{
	struct gzip_piece piece = gzip_compress_piece(arena, bytes, effort);

	return piece.blocks.size == 0 ? (struct text){ NULL, 0 }
				      : gzip_join(arena, &piece, 1);
}

uint32_t
gzip_crc32(struct text bytes)
{
	return (uint32_t)crc32_z(0, (const Bytef *)bytes.data, bytes.size);
}
