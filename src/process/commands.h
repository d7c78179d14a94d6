/*
 * Commands on a site, whether it is running or not: check, dump, load and user.
 *
 * They act on the Redis that TALLY_REDIS names or, without it, on the site in a
 * folder. When that is not running, its Redis runs for the time of the command.
 */
#pragma once

#include "base/text.h"
#include "process/command_line.h"

struct arena;
struct config;
struct store;

/* What a command gets to work with. */
struct task {
	struct store *store;
	struct arena *arena;
	const struct command_line *line;
	const struct config *config;
};

/* Carries out a command; returns the exit status. */
typedef int commands_action(const struct task *task);

enum commands_site {
	COMMANDS_EXISTING, /* without a site it fails, and creates nothing */
	COMMANDS_NEW_OR_EXISTING
};

/* Reads the settings, opens the site, acts on it, and closes it again. */
int commands_run(const struct command_line *line, enum commands_site site,
    commands_action *action);

/* The folder of the site that a command acts on. */
struct text commands_folder(const struct command_line *line);

/* NAME ROLE */
int commands_role(const struct command_line *line);

/* NAME; reads the password from standard input. */
int commands_password(const struct command_line *line);
