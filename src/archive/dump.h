/*
 * "tally dump": the whole site as JSON Lines, while it runs.
 *
 * Members in order of id, groups in order of name, articles in order of id, comments in
 * order of their article and number, acts of moderators in order of number; then what
 * members were told, in order of member and number, and what they mute.
 * Each post is as it was at one moment, and members and groups that appear
 * meanwhile are written before the first post that names them; a comment on what
 * appears meanwhile is left to the next dump, with whatever else is of it. So every dump
 * can be loaded. The same site gives the same bytes.
 *
 * How much a member was told and has read stands in the member's line, and inboxes are
 * read later: what a member reads during a dump may come out unread. Not in a dump are
 * sessions, invitations, what members have seen of threads, and outboxes: of a comment
 * that still stands in one, as it does for a moment, nobody is told where the dump is
 * loaded.
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
