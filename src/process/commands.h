/*
 * Commands on a site that may be running or not: check, dump, load and user.
 *
 * They act on the site in a folder, whose Redis they start for as long as they
 * take if it is not running, or on the one that TALLY_REDIS names.
 */
#ifndef PROCESS_COMMANDS_H
#define PROCESS_COMMANDS_H

#include "process/config.h"

struct arena;
struct store;

/* What is done with the site; returns the status to end with. */
typedef int commands_action(
    struct store *store, struct arena *arena, char **arguments, int count);

/* Opens the site, acts on it, and closes it again. */
int commands_run(struct arena *arena, struct config *config, struct text folder,
    commands_action *action, char **arguments, int count);

/* "role NAME ROLE" and "password NAME", which reads it from standard input. */
int commands_user(
    struct store *store, struct arena *arena, char **arguments, int count);

#endif
