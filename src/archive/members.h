/*
 * Members in the archive: what the lines of other nouns need of them.
 */
#pragma once

#include "archive/writer.h"

/*
 * Writes the members up to this one unless that has been done, and fills in the name in
 * the member's line. STORE_ABSENT when there is none; STORE_OK for nobody.
 */
STORE_CALL members_archive_need(struct writer *writer, struct member *member);

/* Writes a record, after the members that it names; they have their ids, and get their
 * names. STORE_ABSENT also when one of them does not exist. */
STORE_CALL members_archive_write_naming(
    struct writer *writer, struct record *record);

/* Writes what members have, who are in the dump, in order of id, some of them at a time. */
enum { MEMBERS_ARCHIVE_BATCH = 200 };
typedef enum store_result members_archive_writer(
    struct writer *writer, uint64_t first, size_t count);
STORE_CALL members_archive_write_of(
    struct writer *writer, members_archive_writer *write);

/*
 * Reads the members first to first + count - 1, as records. The name is empty when there
 * is no such member, or not yet: the id was given out, but the name has not been
 * claimed for it.
 */
STORE_CALL members_archive_read(struct store *store, struct arena *arena,
    uint64_t first, size_t count, struct record *records);
