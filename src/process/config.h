/*
 * The settings: from the environment, or from a file of lines NAME=VALUE that
 * TALLY_CONFIG names. The environment wins. All are checked at the start, and
 * `tally --help` prints them with what they are unless set.
 */
#ifndef PROCESS_CONFIG_H
#define PROCESS_CONFIG_H

#include <stdio.h>

#include "store/rules.h"

struct arena;

/* Whom to log in to Redis as; without a password nobody logs in. */
struct config_login {
	struct text user, password;
};

struct config {
	struct text redis;
	/* The workers' login, which reads and writes the site's keys alone, and
	 * that of who loads the functions. */
	struct config_login web, admin;
	struct text socket;  /* where serve listens for nginx */
	struct text origin;  /* "https://example.org", or empty */
	struct text share;   /* the folder with templates, static and nginx */
	struct text fsync;   /* appendfsync of up's Redis */
	struct text address; /* that up's nginx listens on */
	int64_t port, workers;
	int64_t cache;	    /* whether up's nginx keeps pages for a second */
	struct rules rules; /* buckets and vote_score are 0 when not set */
};

/*
 * Reads the settings. False, after a line for each that is wrong, when one is;
 * warns of a TALLY_* that is no setting.
 */
bool config_read(struct arena *arena, struct config *config);

/*
 * For a process that is not to load functions: the admin's password is taken out
 * of its memory.
 */
void config_forget_admin(struct config *config);

/* Every setting, its meaning and its default. */
void config_print(FILE *out);

#endif
