/*
 * Votes in the archive: "voters" of the line of an article or a comment, and records of
 * voters in Redis.
 */
#pragma once

#include "archive/batch.h"
#include "archive/check_keys.h"
#include "archive/references.h"
#include "archive/validate.h"

/* The members of the line. */
void votes_archive_put(struct json_t *object, const struct record *record);
void votes_archive_read_json(struct json_reader *reader, struct record *record);

void votes_archive_references(
    struct references *references, struct record *record);

/* Reads the voters of a post, in order, from the members of its record. */
void votes_archive_read(
    struct arena *arena, const struct reply *set, struct record *record);

/* The counts of votes are those of the voters. */
void votes_archive_validate(
    struct validation *validation, struct record *record);

/* Finds the voters; none may be named twice. */
STORE_CALL votes_archive_resolve(struct batch *batch, struct batch_line *line);

/* The number of voters, -1 when they are not known; and adds them to a call, as they
 * are recorded. */
int64_t votes_archive_count(const struct record *record);
void votes_archive_add(struct call *call, const struct record *record);

/* Records of voters belong to posts that exist. */
STORE_CALL votes_archive_check(struct check *check);
