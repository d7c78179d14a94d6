/*
 * Looking up the members and groups that the records of a dump name: the step
 * between reading and writing them.
 */
#ifndef ARCHIVE_RESOLVE_H
#define ARCHIVE_RESOLVE_H

#include "archive/import.h"

/*
 * Looks up the members and groups that records name, and refuses records that
 * name what does not exist or count a member's vote twice. Skips what is refused
 * already; the others are all of one kind, so that what they name was written
 * before, and have passed vet_record.
 */
STORE_CALL resolve_records(struct store *store, struct names *names,
    struct arena *arena, enum record_kind kind, struct import *imports,
    size_t count);

#endif
