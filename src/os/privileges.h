/*
 * Who a site is that root starts: somebody else. The process takes that user's
 * effective ids, and what it starts gives up root for good. Root is kept aside in the
 * process alone, to read what the settings name and to try a port.
 *
 * For whoever is not root nothing here does anything.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* Somebody as whom a site is run. */
struct privileges_user {
	uid_t id;
	gid_t group;
	const char *name; /* NULL when the system knows none */
};

/* Whether the process is root of a system that has other users as well. */
bool privileges_is_root(void);

/*
 * Who runs the site in a folder of that owner's: the owner or, if that is root, the
 * system user "tally", which is made if it is missing. An owner whom the system does
 * not know is in the group of the same number. Logs and ends the process when there is
 * nobody. As root.
 */
struct privileges_user privileges_choose_user(uid_t owner);

/*
 * Makes the working directory and what is in it under names that are chosen the
 * user's, following no links. What has other names besides, outside of the folder,
 * stays as it is, which is logged. As root.
 */
void privileges_chown_files(
    const struct privileges_user *user, bool (*is_chosen)(const char *name));

/* From now on the process acts as the user. */
void privileges_assume(const struct privileges_user *user);

/* Has root's rights again if it is kept aside, until privileges_lower. */
void privileges_raise(void);
void privileges_lower(void);

/* Opens a file that whoever runs this named, for reading; NULL with errno. */
FILE *privileges_fopen(const char *path);

enum privileges_kept {
	PRIVILEGES_NONE,
	PRIVILEGES_LOW_PORTS /* listens on ports below 1024, also as another program */
};

/* Gives up root for good. Logs and ends the process when it cannot. */
void privileges_drop(enum privileges_kept kept);
