/*
 * gzip (RFC 1952): reads files, compresses texts; and the checksum that it has in common with PNG.
 * The only file that includes zlib.
 */
#pragma once

#include <stdio.h>

#include "base/text.h"

/*
 * A stream of what a file contains, uncompressed if it is a regular file that gzip
 * compressed, otherwise the file itself. Takes over the file; NULL with errno. Reading
 * what is damaged or incomplete fails with EBADMSG. The stream of a compressed file has no
 * descriptor and cannot be positioned.
 */
FILE *gzip_read(FILE *file);

/*
 * Compresses bytes into the arena; empty when there is no memory. The compressors, of 270 KB, one for
 * each effort that is asked for, stay until the process ends, and belong to one thread.
 */
enum gzip_effort { GZIP_FASTEST, GZIP_SMALLEST };
struct text gzip_compress(
    struct arena *arena, struct text bytes, enum gzip_effort effort);

uint32_t gzip_crc32(struct text bytes);
