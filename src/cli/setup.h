/*
 * What is left for a person to do on a machine that has the service: `tally setup`.
 */
#pragma once

#include "cli/command_line.h"

/* Prints each step, done or not, and the commands of those that are not. The exit status
 * is 1 if there is one, or if the settings are invalid. Changes nothing. */
int setup(const struct command_line *line);
