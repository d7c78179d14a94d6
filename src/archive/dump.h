/*
 * "tally dump": the whole site as JSON Lines, while it runs.
 *
 * Settings; members in order of id, groups in order of name, articles in order of id,
 * comments in order of their article and number, acts of moderators in order of number;
 * then notices, in order of member and number, mutes, what members hide, and the groups that
 * they follow.
 *
 * Each post is written with its values of one moment, and members and groups that appear
 * meanwhile are written before the first post that names them; a comment on a post that
 * appears meanwhile is left to the next dump, with everything that names it. So every
 * dump can be loaded. The same site gives the same bytes.
 *
 * The counts of a member's notices are in the member's line, and inboxes are read later:
 * notices that are read during a dump may come out unread. Not in a dump are sessions,
 * invitations, the marks of read threads, and outboxes: a comment that is in one, as it
 * is for a moment, notifies nobody where the dump is loaded. Nor is what moderators can take
 * back for a day (store/containment.h): what they did is, with its numbers in the log.
 */
#pragma once

#include <stdio.h>

#include "store/store.h"

/*
 * Returns the exit status: 1 when Redis or out failed, or a post could not be written
 * because it names, or answers, what does not exist. The cause is logged. Memory grows
 * with the number of members, posts and acts (archive/keyscan.h); of inboxes there are at once
 * as many notices as one may have.
 */
int dump_command(struct store *store, FILE *out);
