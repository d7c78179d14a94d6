/*
 * How much memory there is: the machine's, or less where control groups allow less, as in
 * a container or a systemd unit.
 */
#pragma once

#include <stdint.h>

/* In bytes. */
int64_t memory_size(void);

/* The lowest limit of the control groups of this process, with their file systems and
 * /proc below a folder ("" is the root); INT64_MAX when there is none. */
int64_t memory_limit(const char *root);
