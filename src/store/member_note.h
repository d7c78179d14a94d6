/*
 * Notes on a member, which moderators write for each other: the member is never shown them, and
 * they are deleted with the account. A note has its author's id and not the name, which may
 * change. An author writes the same text once.
 *
 * All keys are in the member's slot, and a call costs one round trip.
 */
#pragma once

#include "redis/pipeline.h"
#include "redis/reply.h"
#include "store/store.h"

enum { MEMBER_NOTES_MAX = 100 };

struct member_note {
	uint64_t by;
	/* Unix seconds; not stored in the entry, but as its score. */
	int64_t at;
	struct text text;
};

/* Encodes a note as a member of the sorted set, "17 Text"; and decodes it, with the moment from
 * the score. False when it is damaged. */
struct text member_note_encode(
    struct arena *arena, const struct member_note *note);
bool member_note_decode(
    struct text entry, const struct reply *at, struct member_note *note);

/* Adds a note, at this moment. STORE_OK also when it is there; STORE_FULL when there are
 * MEMBER_NOTES_MAX; STORE_ABSENT when there is no such member, or the account is closed. */
STORE_CALL member_note_add(struct store *store, struct arena *arena,
    uint64_t user, const struct member_note *note);

/* Deletes a note. STORE_OK also when it is not there. */
STORE_CALL member_note_delete(struct store *store, struct arena *arena,
    uint64_t user, const struct member_note *note);

/* Reads all notes, the newest first; damaged ones are left out. */
STORE_CALL member_notes_get(struct store *store, struct arena *arena,
    uint64_t user, struct member_note **notes, size_t *count);
void member_notes_ask(struct pipeline *pipeline, uint64_t user);
void member_notes_read(struct arena *arena, const struct reply *reply,
    struct member_note **notes, size_t *count);

/* Adds a note from a dump, with its moment. The reply is for call_outcome: STORE_TAKEN when it is
 * there already, or the account is closed; STORE_FULL as above. */
void member_note_load(
    struct pipeline *pipeline, uint64_t user, const struct member_note *note);

/* Adds a command that checks the notes for `tally check` within the member's slot. The reply is
 * the entries and their moments in turn, as a list, and then sentences that say what is wrong. */
void member_notes_check(struct pipeline *pipeline, uint64_t user);
