/*
 * Commands on a site, whether it is running or not: all but up and serve.
 *
 * They act on the Redis that TALLY_REDIS names or, without it, on the site in a
 * folder. When that is not running, its Redis runs for the time of the command.
 */
#pragma once

#include "cli/command_line.h"
#include "store/rules.h"
#include "store/store.h"

struct config;

/* What a command gets to work with. */
struct task {
	struct store *store;
	struct arena *arena;
	const struct command_line *line;
	const struct config *config;
};

/* Carries out a command; returns the exit status. */
typedef int task_action(const struct task *task);

enum task_site {
	TASK_EXISTING, /* without a site it fails, and creates nothing */
	TASK_NEW_OR_EXISTING
};

/* Reads the settings, opens the site, acts on it, and closes it again. */
int task_run(
    const struct command_line *line, enum task_site site, task_action *action);

/* The folder of the site that a command acts on. */
struct text task_folder(const struct command_line *line);

/* Whether a call was successful; the first that was not is logged. */
bool task_succeeded(enum store_result result);

/* A word of the command's, empty without it. */
struct text task_argument(const struct task *task, int index);

/* Whether a value keeps its rule, by which it is cleaned; false is logged. */
bool task_check_value(
    const struct task *task, rule *judge, struct text *value, const char *name);
