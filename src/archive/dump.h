/*
 * "tally dump": the whole site as JSON Lines, while it runs.
 *
 * Members in order of id, groups in order of name, articles in order of id, acts of
 * moderators in order of number.
 * Each article is as it was at one moment, and members and groups that appear
 * meanwhile are written before the first article that names them, so that every
 * dump can be loaded. The same site gives the same bytes.
 */
#pragma once

#include <stdio.h>

#include "store/store.h"

/*
 * Returns the exit status: 1 when Redis or out failed, or an article could not
 * be written because it names what does not exist. The cause is logged. Memory
 * grows with the number of articles by 16 bytes each.
 */
int dump_command(struct store *store, FILE *out);
