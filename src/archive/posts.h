/*
 * Posts in the archive: what articles and comments have in common, as lines and in
 * Redis.
 */
#pragma once

#include "archive/batch.h"
#include "archive/check_keys.h"
#include "archive/references.h"
#include "archive/validate.h"
#include "archive/writer.h"

/* Callbacks of both nouns. */
struct text posts_archive_describe(
    struct arena *arena, const struct record *record);
struct text posts_archive_key(struct arena *arena, const struct record *record);
void posts_archive_put(struct json_t *object, const struct record *record);
void posts_archive_read_json(struct json_reader *reader, struct record *record);

/* Members whom a post names: its author, its remover, voters, and those who flagged
 * it. */
void posts_archive_references(
    struct references *references, struct record *record);

/* A post in a dump: its line is written; it appeared since the dump began, so it is left
 * to the next one; or it is not in the dump. */
enum posts_found { POSTS_WRITTEN, POSTS_LATE, POSTS_LOST };

/* Finds that out of a post whose line comes before. */
STORE_CALL posts_archive_find(
    struct writer *writer, struct post_id id, enum posts_found *found);

/* Notes a post that was left out, or a comment that is left to the next dump; called in
 * order of articles, and then of comments. */
void posts_archive_note_lost(struct writer *writer, struct post_id id);
void posts_archive_note_late(struct writer *writer, struct post_id id);

/* Writes a record of a member's that names a post, or with article 0 none, if that is in the dump.
 * What names a late one is left to the next dump, too. */
STORE_CALL posts_archive_write_naming(
    struct writer *writer, struct record *record, struct post_id named);

/* Writes all posts of a kind that the scan has found. */
STORE_CALL posts_archive_write(
    struct writer *writer, enum keyscan_kind kind, writer_write *write);

/*
 * Reads articles or comments, each as it was at one moment, with the ids of its voters
 * and of those who flagged it, in order. The kind is RECORD_KINDS when there is no such
 * post. A post may have many voters, so ask for few at a time.
 */
STORE_CALL posts_archive_read(struct store *store, struct arena *arena,
    const struct place *places, size_t count, struct record *records);

void posts_archive_validate(
    struct validation *validation, struct record *record);

/* Finds authors, compares with what exists under the same ids, and finds voters, those
 * who flagged, and removers. */
STORE_CALL posts_archive_resolve(struct batch *batch);

/* Adds the call that loads a post. */
void posts_archive_add(struct pipeline *pipeline, const struct batch *batch,
    const struct record *record);

/* Checks all posts of a kind. */
STORE_CALL posts_archive_check(struct check *check, enum keyscan_kind kind);
