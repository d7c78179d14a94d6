/*
 * Runs a command on a site that may be running or not: all commands but up, serve, status, setup,
 * error-pages, help and version.
 *
 * That is the site in the folder of --dir; or on the Redis that TALLY_REDIS names, in the
 * environment or in the file of TALLY_CONFIG; or in the folder "var", if there is one
 * there; or that of the service. When a folder's site is not running, its Redis is started
 * for the duration of the command.
 */
#pragma once

#include "cli/command_line.h"
#include "store/rules.h"
#include "store/store.h"

struct config;

/* The context of a command. */
struct task {
	struct store *store;
	struct arena *arena;
	const struct command_line *line;
	/* Of a site in a folder, which the command has entered, also its socket and its folder
	 * of search. */
	const struct config *config;
};

/* The body of a command; returns the exit status. */
typedef int task_action(const struct task *task);

enum task_site {
	TASK_EXISTING, /* fails without a site, and creates nothing */
	TASK_NEW_OR_EXISTING
};

/*
 * Finds the site that a command is for, and reads its settings. *folder is empty when they
 * name its Redis, as those of a service do. False, and logged, when they are wrong.
 */
bool task_find_site(const struct command_line *line, struct arena *arena,
    struct config *config, struct text *folder);

/* Reads the settings, opens the site, runs the action, and closes the site. */
int task_run(
    const struct command_line *line, enum task_site site, task_action *action);

/* The folder of the site: that of --dir, or "var". */
struct text task_folder(const struct command_line *line);

/* Whether a result is STORE_OK; logs any other. */
bool task_succeeded(enum store_result result);

/* An argument of the command; empty if it is missing. */
struct text task_argument(const struct task *task, int index);

/* Cleans and validates a value by its rule; false, and logged, if it is invalid. */
bool task_check_value(
    const struct task *task, rule *judge, struct text *value, const char *name);
