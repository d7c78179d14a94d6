/*
 * "tally dump": the whole site as JSON Lines, while it runs.
 *
 * Members in order of id, groups in order of name, articles in order of id, comments in
 * order of their article and number, acts of moderators in order of number.
 * Each post is as it was at one moment, and members and groups that appear
 * meanwhile are written before the first post that names them; a comment on what
 * appears meanwhile is left to the next dump. So every dump can be loaded. The same
 * site gives the same bytes.
 */
#pragma once

#include <stdio.h>

#include "store/store.h"

/*
 * Returns the exit status: 1 when Redis or out failed, or a post could not be written
 * because it names, or answers, what does not exist. The cause is logged. Memory grows
 * with the number of posts and acts (archive/inventory.h).
 */
int dump_command(struct store *store, FILE *out);
