/*
 * Inboxes and what members mute: writing them to a dump, and what of a dump is refused.
 */
#pragma once

#include "archive/batch.h"
#include "archive/writer.h"

/* How it is with a post that a line names: it is written, it is left to the next dump,
 * as it appeared too late, or it is not in the dump. */
enum finding { FOUND_WRITTEN, FOUND_LATE, FOUND_LOST };

/* Finds that out of a post that would be written already; data is the caller's. */
typedef enum store_result inboxes_find(
    void *data, struct post_id id, enum finding *finding);

/*
 * Writes what all members were told whom the writer has written, in order of id and then
 * number, and after that what they mute: articles first, and then by id. What is left out
 * is reported.
 */
STORE_CALL inboxes_write(struct writer *writer, inboxes_find *find, void *data);

/*
 * Of records whose members are known, refuses a notice whose number the inbox has for
 * another one, or will have; a mute of oneself; and one for which there is no room.
 */
STORE_CALL inboxes_refuse_notices(struct batch *batch);
STORE_CALL inboxes_refuse_mutes(struct batch *batch);
