/*
 * Writes the lines of a dump, each after the lines of all that it names, so that every
 * dump can be loaded. Members and groups that appear meanwhile are written before the
 * first line that names them. A member is named by the name in the member's line, also
 * when an account is closed meanwhile and gets another.
 */
#pragma once

#include <stdio.h>

#include "archive/keyscan.h"
#include "archive/record.h"
#include "store/lease.h"

struct writer {
	struct store *store;
	FILE *out;
	struct arena memory;  /* lives as long as the dump */
	struct arena portion; /* lives as long as the records being written */
	struct arena line;    /* lives as long as one line */
	bool incomplete;      /* something could not be written */
	struct lease lease;   /* what it reads may be moved on meanwhile */

	/* The last member that was read; and the names in their lines, as
	 * texts by id from 1 on, empty where there is no line (archive/members.h). */
	uint64_t last_user;
	struct buffer users;
	/* Names of the groups that are written, as texts, in order. */
	struct buffer groups;
	/* Articles and comments; those that were left out; and comments that answer what
	 * appeared since the scan (archive/posts.h). */
	struct keyscan posts;
	struct buffer lost_posts, late_comments;
	/* Moderators' actions; and the ids of decisions that appeared since the scan
	 * (archive/log.c). */
	struct places acts;
	struct buffer late_decisions;
};

/* The writer must not be copied, since its buffers point into it; close it also after an error. */
void writer_open(struct writer *writer, struct store *store, FILE *out);
void writer_close(struct writer *writer);

/* Writes a record, which names nobody by id, or of whom all are written
 * (archive/members.h). STORE_ABSENT when it is not valid UTF-8, so it was left out, and
 * reported; STORE_DOWN when the output fails, or the lease of the layout is lost. */
STORE_CALL writer_record(struct writer *writer, const struct record *record);

/* Leaves one out that cannot be written, and reports it; why is the end of a sentence
 * that begins with "it". STORE_ABSENT. */
STORE_CALL writer_leave_out(
    struct writer *writer, const struct record *record, const char *why);

/* STORE_OK in place of STORE_ABSENT: what is left out is no reason to stop. */
STORE_CALL writer_go_on(enum store_result result);

enum { WRITER_BATCH_MAX = 100 };

/* Reads the records of places; of what does not exist the kind is RECORD_KINDS. */
typedef enum store_result writer_read(struct store *store, struct arena *arena,
    const struct place *places, size_t count, struct record *records);

/* Writes a record, which may be left out: STORE_ABSENT. */
typedef enum store_result writer_write(
    struct writer *writer, struct record *record);

/* Writes what is in places: reads up to batch_size records at once, at most
 * WRITER_BATCH_MAX, in the portion, which is reset after them. */
STORE_CALL writer_places(struct writer *writer, const struct places *places,
    size_t batch_size, writer_read *read, writer_write *write);
