/*
 * Commands on a site, whether it is running or not: check, dump, load and user.
 *
 * They act on the Redis that TALLY_REDIS names or, without it, on the site in a
 * folder. When that is not running, its Redis runs for the time of the command.
 */
#pragma once

#include "base/text.h"

struct arena;
struct store;

/* What a command gets to work with. */
struct task {
	struct store *store;
	struct arena *arena;
	char **arguments;
	int count;
};

/* Carries out a command; returns the exit status. */
typedef int commands_action(const struct task *task);

/* Reads the settings, opens the site, acts on it, and closes it again. */
int commands_run(
    struct text folder, commands_action *action, char **arguments, int count);

/* "role NAME ROLE"; "password NAME", which reads it from standard input. */
int commands_user(const struct task *task);
