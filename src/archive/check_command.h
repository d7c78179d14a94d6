/*
 * "tally check": whether what must always be true of the site is true.
 */
#ifndef ARCHIVE_CHECK_COMMAND_H
#define ARCHIVE_CHECK_COMMAND_H

#include <stdio.h>

#include "store/store.h"

/*
 * Prints each break on a line, what was counted, and last "N breaks". Returns
 * the exit status: 0 when there are none; 1 otherwise, and when Redis or out
 * failed.
 */
int check_command(struct store *store, FILE *out);

#endif
