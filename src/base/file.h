/*
 * Regular files, read whole.
 *
 * Opening never waits: a FIFO, a device or a folder where a file is expected is an
 * error. So nobody who can write into a folder can stop who reads from it.
 */
#pragma once

#include "base/text.h"

/*
 * A descriptor for reading; folder is as in openat(2). -1 with errno, which is EISDIR
 * for a folder, and ENOTSUP for anything else that is no regular file.
 */
int file_open(int folder, const char *path);

/* Reads all of it from where it is, and closes it. False with errno. */
bool file_read(struct arena *arena, int file, struct text *content)
    __attribute__((warn_unused_result));
