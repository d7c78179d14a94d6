/*
 * Drops privileges when started as root.
 *
 * The main process takes the effective ids of an unprivileged user and keeps root as
 * its saved id, only to read files that the settings name and to test a port. Its
 * child processes give up root permanently. Without root every call is a no-op.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* The user that a site runs as. */
struct privileges_user {
	uid_t id;
	gid_t group;
	const char *name; /* NULL when the system knows none */
};

/* Whether the process is root, on a system that has other users as well. */
bool privileges_is_root(void);

/*
 * The user for a site whose folder belongs to owner: the owner or, if that is root, the
 * system user "tally", which is created if missing. An owner unknown to the system
 * gets the group of the same number. Logs and ends the process when there is no such
 * user. Call as root.
 */
struct privileges_user privileges_choose_user(uid_t owner);

/*
 * Gives the user the working directory and its entries for which is_chosen is true,
 * with all that is below them; symbolic links are not followed. Skips and logs files
 * with other hard links, which may be outside of the folder. Call as root.
 */
void privileges_chown_files(
    const struct privileges_user *user, bool (*is_chosen)(const char *name));

/* Switches to the user's effective ids; root stays the saved user id. */
void privileges_assume(const struct privileges_user *user);

/* Raise makes a saved root effective again until lower. */
void privileges_raise(void);
void privileges_lower(void);

/* Opens a file for reading, with root's rights if they are saved; NULL with errno. For
 * paths from the command line and the settings only. */
FILE *privileges_fopen(const char *path);

enum privileges {
	PRIVILEGES_NONE,
	PRIVILEGES_LOW_PORTS /* binds to ports below 1024, also after execve */
};

/* Gives up root permanently. Logs and ends the process when it cannot. */
void privileges_drop(enum privileges retained);
