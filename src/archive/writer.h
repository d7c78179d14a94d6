/*
 * Writing a dump: each line after the lines of all that it names, so that every dump
 * can be loaded. Members and groups that appear meanwhile are written before what
 * names them first. A member is named by the name in the member's line, also when an
 * account is closed meanwhile and gets another.
 */
#pragma once

#include <stdio.h>

#include "archive/record.h"

struct writer {
	struct store *store;
	FILE *out;
	struct arena memory;  /* lives as long as the dump */
	struct arena portion; /* lives as long as the records being written */
	struct arena line;    /* lives as long as one line */
	uint64_t last_user;   /* members up to this id have been looked at */
	struct buffer users;  /* the names in their lines, as texts by id from 1
				 on; empty where there is no line */
	struct buffer groups; /* names of those written, as texts, in order */
	bool incomplete;      /* something could not be written */
};

/* To be closed where it is, whatever comes of it. */
void writer_open(struct writer *writer, struct store *store, FILE *out);
void writer_close(struct writer *writer);

/* All members who are not written yet, and the groups of a list of their names,
 * KEY_GROUPS or KEY_FORMER. STORE_DOWN, also when the output fails. */
STORE_CALL writer_users(struct writer *writer);
STORE_CALL writer_groups(struct writer *writer, struct text list);

/*
 * A line, after whom and which groups it names; members have their ids, and get their
 * names. STORE_ABSENT when it was left out, and
 * reported: it names a member who does not exist, or is not valid UTF-8. Groups that
 * are gone are taken out of an article. STORE_DOWN as above.
 */
STORE_CALL writer_settings(struct writer *writer, const struct record *record);
STORE_CALL writer_post(struct writer *writer, struct record *record);
STORE_CALL writer_act(struct writer *writer, struct record *record);
STORE_CALL writer_notice(struct writer *writer, struct record *record);
STORE_CALL writer_mute(struct writer *writer, struct record *record);

/* Leaves one out that cannot be written, and reports it; why is the end of a sentence
 * that begins with "it". STORE_ABSENT. */
STORE_CALL writer_leave_out(
    struct writer *writer, const struct record *record, const char *why);
