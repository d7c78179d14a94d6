/*
 * Groups in the archive: what the lines of articles need of them.
 */
#pragma once

#include "archive/writer.h"

/* Writes a group unless that has been done. STORE_ABSENT when there is none. */
STORE_CALL groups_archive_need(struct writer *writer, struct text name);

/* Reads up to count names after a name, in order, of a list of groups, KEY_GROUPS or
 * KEY_FORMER; the first after "". */
STORE_CALL groups_archive_read_names(struct store *store, struct arena *arena,
    struct text list, struct text after, size_t count, struct text *found,
    size_t *got);
