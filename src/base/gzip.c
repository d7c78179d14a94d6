#include "base/gzip.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#define ZLIB_CONST
#include <zlib.h>

#include "base/arena.h"

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

/* The compressor, reset; NULL without memory. */
static z_stream *
compressor_of(enum gzip_effort effort)
{
	enum { WINDOW_BITS = 15, GZIP_FORMAT = 16, MEMORY_LEVEL = 8 };
	static const int levels[] = { [GZIP_FASTEST] = Z_BEST_SPEED,
		[GZIP_SMALLEST] = Z_BEST_COMPRESSION };
	static z_stream streams[2];
	static bool is_ready[2];
	z_stream *stream = &streams[effort];

	if (is_ready[effort])
		return deflateReset(stream) == Z_OK ? stream : NULL;
	is_ready[effort] = deflateInit2(stream, levels[effort], Z_DEFLATED,
			       WINDOW_BITS | GZIP_FORMAT, MEMORY_LEVEL,
			       Z_DEFAULT_STRATEGY) == Z_OK;
	return is_ready[effort] ? stream : NULL;
}

struct text
gzip_compress(struct arena *arena, struct text bytes, enum gzip_effort effort)
{
	z_stream *stream = compressor_of(effort);
	size_t room;
	char *place;

	if (stream == NULL)
		return (struct text){ NULL, 0 };
	room = deflateBound(stream, bytes.size);
	place = arena_bytes(arena, room);
	stream->next_in = (const Bytef *)bytes.data;
	stream->avail_in = (uInt)bytes.size;
	stream->next_out = (Bytef *)place;
	stream->avail_out = (uInt)room;
	if (deflate(stream, Z_FINISH) != Z_STREAM_END)
		return (struct text){ NULL, 0 };
	return (struct text){ place, room - stream->avail_out };
}

uint32_t
gzip_crc32(struct text bytes)
{
	return (uint32_t)crc32_z(0, (const Bytef *)bytes.data, bytes.size);
}
