/*
 * Reads whole regular files.
 *
 * Opening never blocks, and fails for FIFOs, devices and folders: another user who can
 * write to a folder cannot block a reader.
 */
#pragma once

#include "base/text.h"

/*
 * Opens a file for reading, relative to folder as in openat(2). -1 with errno, which is
 * EISDIR for a folder and ENOTSUP for anything else but a regular file.
 */
int file_open(int folder, const char *path);

/* Reads the rest of a file and closes it. False with errno. */
bool file_read(struct arena *arena, int file, struct text *content)
    __attribute__((warn_unused_result));
