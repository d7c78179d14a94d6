/*
 * Moderation commands: deleting groups, and the log.
 */
#pragma once

#include "cli/task.h"

int moderation_delete_group(
    const struct command_line *line); /* NAME [REASON] */

/* Prints the whole log, newest first, one line per entry. */
int moderation_log(const struct command_line *line);
