/*
 * The command that shows how a running site is.
 */
#pragma once

#include "cli/command_line.h"

/* tally status [--metrics]. The exit status is 0 if the site is well, 1 if it is not. */
int status_print(const struct command_line *line);
