#include "fixture.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#include "base/buffer.h"
#include "http/response.h"

int
fixture_open_arena(void **state)
{
	static struct arena arena;

	*state = &arena;
	return 0;
}

int
fixture_close_arena(void **state)
{
	arena_free(*state);
	return 0;
}

void
fixture_make_folder(char folder[FIXTURE_FOLDER])
{
	const char *parent = getenv("TMPDIR");

	snprintf(folder, FIXTURE_FOLDER, "%s/tally-test-XXXXXX",
	    parent != NULL ? parent : "/tmp");
	if (mkdtemp(folder) == NULL)
		fail_msg("%s: %s", folder, strerror(errno));
}

static int
remove_entry(
    const char *path, const struct stat *status, int kind, struct FTW *where)
{
	(void)status;
	(void)kind;
	(void)where;
	return remove(path);
}

void
fixture_remove_folder(const char *folder)
{
	nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

const char *
fixture_string(struct arena *arena, const char *format, ...)
{
	va_list arguments;
	char *string;
	int size;

	va_start(arguments, format);
	size = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	string = arena_bytes(arena, (size_t)size + 1);
	va_start(arguments, format);
	vsnprintf(string, (size_t)size + 1, format, arguments);
	va_end(arguments);
	return string;
}

const char *
fixture_path(struct arena *arena, const char *folder, const char *name)
{
	return fixture_string(arena, "%s/%s", folder, name);
}

static FILE *
open_file(const char *path, const char *mode)
{
	FILE *file = fopen(path, mode);

	if (file == NULL)
		fail_msg("%s: %s", path, strerror(errno));
	return file;
}

struct text
fixture_read_file(struct arena *arena, const char *path)
{
	FILE *file = open_file(path, "re");
	struct buffer content = buffer_in(arena, 4096);
	size_t got = 1;

	while (got > 0) {
		got = fread(buffer_reserve(&content, 4096), 1, 4096, file);
		content.size += got;
	}
	assert_false(ferror(file));
	fclose(file);
	return buffer_text(&content);
}

void
fixture_write_file(const char *path, struct text content)
{
	FILE *file = open_file(path, "we");

	assert_int_equal(
	    fwrite(content.data, 1, content.size, file), content.size);
	assert_int_equal(fclose(file), 0);
}

int64_t
fixture_processor_us(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return used.tv_sec * INT64_C(1000000) + used.tv_nsec / 1000;
}

void
fixture_assert_same(
    struct text text, struct text expected, const char *file, int line)
{
	if (text_equal(text, expected))
		return;
	/* cmocka's own printing would cut a long message off. */
	fprintf(stderr, "\"%.*s\"\nis not\n\"%.*s\"\n", TEXT_ARGS(text),
	    TEXT_ARGS(expected));
	_fail(file, line);
}

void
fixture_assert_has(
    struct text text, const char *part, const char *file, int line)
{
	if (text.size > 0 &&
	    memmem(text.data, text.size, part, strlen(part)) != NULL)
		return;
	fprintf(stderr, "\"%s\" is not in:\n%.*s\n", part, TEXT_ARGS(text));
	_fail(file, line);
}

void
fixture_join(struct arena *arena, struct response *response)
{
	struct response_body body = response_body(response, arena);
	struct buffer joined = buffer_in(arena, body.size);

	for (size_t i = 0; i < body.count; i++)
		buffer_add(&joined, body.parts[i]);
	response->body = buffer_text(&joined);
	response->piece_count = 0;
}

struct text
fixture_gunzip(struct arena *arena, struct text bytes)
{
	enum { WINDOW_BITS = 15, GZIP_FORMAT = 16, TRAILER = 4 };
	z_stream stream = { .next_in = (Bytef *)bytes.data,
		.avail_in = (uInt)bytes.size };
	struct text text = { NULL, 0 };

	assert_true(bytes.size > TRAILER);
	/* It ends with the size, little-endian (RFC 1952, 2.3.1). */
	for (size_t i = 0; i < TRAILER; i++)
		text.size |=
		    (size_t)(unsigned char)bytes.data[bytes.size - TRAILER + i]
		    << 8 * i;
	stream.next_out = arena_bytes(arena, text.size + 1);
	stream.avail_out = (uInt)text.size + 1;
	text.data = (char *)stream.next_out;
	assert_int_equal(
	    inflateInit2(&stream, WINDOW_BITS + GZIP_FORMAT), Z_OK);
	assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
	assert_int_equal(stream.total_out, text.size);
	assert_int_equal(stream.avail_in, 0);
	inflateEnd(&stream);
	return text;
}
