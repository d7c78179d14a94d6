/*
 * PNG images (W3C, Portable Network Graphics, third edition), as far as a site has to
 * know them: that a file is one, its size, and nothing besides the picture.
 */
#pragma once

#include "base/text.h"

struct png {
	struct text bytes; /* the file, without its metadata */
	uint32_t width, height;
};

/*
 * Reads a file: its signature, its header, the order, length and checksum of each chunk. The
 * picture is not decompressed. Chunks that no picture needs are left out of bytes: text,
 * time, EXIF, animations. False when anything is wrong, or follows the end.
 */
bool png_read(struct arena *arena, struct text file, struct png *png);
