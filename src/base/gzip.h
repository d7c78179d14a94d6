/*
 * Reads files that gzip compressed; and the checksum that gzip has in common with PNG.
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

uint32_t gzip_crc32(struct text bytes);
