/*
 * The memory available to this process: the machine's, or less where control groups
 * limit it, as in a container or a systemd unit.
 */
#pragma once

#include <stdint.h>

/* In bytes. */
int64_t memory_size(void);

/* The lowest limit of this process's control groups in bytes; INT64_MAX without one.
 * Reads /sys and /proc below the directory root, "" for the real ones. */
int64_t memory_limit(const char *root);
