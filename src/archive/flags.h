/*
 * Flags in the archive: "flags" of the line of an article or a comment, and hashes of
 * flags in Redis.
 */
#pragma once

#include "archive/batch.h"
#include "archive/check_keys.h"
#include "archive/references.h"

/* The member of the line. */
void flags_archive_put(struct json_t *object, const struct record *record);
void flags_archive_read_json(struct json_reader *reader, struct record *record);

void flags_archive_references(
    struct references *references, struct record *record);

/* Reads the flags of a post, in order of members, from its hash of them. */
void flags_archive_read(
    struct arena *arena, const struct reply *hash, struct record *record);

/* Finds those who flagged. */
STORE_CALL flags_archive_resolve(struct batch *batch, struct batch_line *line);

/* Adds the flags to a call: members and values in turn. */
void flags_archive_add(struct call *call, const struct record *record);

/* Flags belong to posts that exist. */
STORE_CALL flags_archive_check(struct check *check);
