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
 * Compresses bytes into the arena; empty when there is no memory. The compressor, of 270 KB, stays
 * until the process ends, and belongs to one thread.
 */
enum gzip_effort { GZIP_STORED, GZIP_FASTEST, GZIP_SMALLEST };
struct text gzip_compress(
    struct arena *arena, struct text bytes, enum gzip_effort effort);

/*
 * A part of a text, compressed by itself, so that it can be joined with others: blocks of deflate
 * (RFC 1951) that refer to nothing before them, are not final, and end at a byte.
 */
struct gzip_piece {
	struct text blocks; /* empty: there was no memory */
	uint32_t crc, size; /* of the text: its checksum, its bytes */
	uint32_t shift;	    /* for crc32_combine_op: size in its form */
};

struct gzip_piece gzip_compress_piece(
    struct arena *arena, struct text bytes, enum gzip_effort effort);

/* A piece as bytes, for a cache; the blocks of one that is unpacked stay there. */
struct text gzip_pack(struct arena *arena, const struct gzip_piece *piece);
struct gzip_piece gzip_unpack(struct text packed);

/* The text that consists of these pieces. */
struct text gzip_join(
    struct arena *arena, const struct gzip_piece *pieces, size_t count);

uint32_t gzip_crc32(struct text bytes);
