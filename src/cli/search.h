/*
 * The command "search", and what "check" says of the index for search.
 */
#pragma once

#include "cli/task.h"

int search_show(const struct command_line *line);

/* Compares a sample of the index with the posts as they are. Prints what differs, and returns 1
 * if something does; 0 also without an index, or when it is behind. */
int search_check(const struct task *task);
