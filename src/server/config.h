/*
 * The settings, from the environment or from the file of NAME=VALUE lines that
 * TALLY_CONFIG names. The environment wins. All are checked at the start, and
 * `tally --help` prints them with their defaults.
 */
#pragma once

#include <stdio.h>

#include "base/tls.h"
#include "store/rules.h"

struct arena;
struct redis;

/* A user of Redis; without a password there is no login. */
struct config_login {
	struct text user, password;
};

/* Every text and number is set by one row of the table in config.c. */
struct config {
	struct text redis; /* redis/endpoint.h; empty: none is named */
	/* The files for an encrypted one. */
	struct tls_files tls;
	/* The workers' login, limited to the site's keys, and the one that may
	 * load functions. */
	struct config_login web, admin;
	struct text socket;    /* on which serve listens for nginx */
	struct text origin;    /* "https://example.org", or empty */
	struct text share;     /* absolute: has templates, static and nginx */
	struct text overrides; /* absolute, or empty: server/assets.h */
	struct text passwords; /* absolute, or empty: base/password.h */
	struct text fsync;     /* appendfsync of up's Redis */
	struct text address;   /* on which up's nginx listens */
	int64_t redis_memory;  /* MB of up's Redis; 0: folder.c decides */
	int64_t port, workers;
	int64_t cache; /* whether up's nginx caches pages for a second */
	/* Replicas that confirm what is written, and how old the versions may be
	 * by which lists are kept, in milliseconds; -1 when not set. */
	int64_t replicas, fresh;
	int64_t stale; /* the same while a master does not answer, in seconds */
	struct rules rules; /* buckets and vote_score are 0 when not set */
};

/* The settings as they are when nothing is set. */
struct config config_defaults(void);

/*
 * Reads the settings, which refer to the arena and the environment. Logs each
 * one that is wrong, and then returns false; warns of a TALLY_* variable that is
 * no setting.
 */
bool config_read(struct arena *arena, struct config *config);

/* Relative paths start where the program was started: when settings are read
 * again, `tally up` works in the site's folder. */
struct text config_absolute_path(struct arena *arena, struct text path);

/*
 * A client of the Redis that is named, with the login; not connected yet. What is
 * protected waits for the replicas of the settings.
 */
struct redis *config_open_redis(
    const struct config *config, const struct config_login *login);

/* Erases the admin's password from the memory of a process that must not load
 * functions. */
void config_wipe_admin(struct config *config);

/* Prints every setting, its meaning and its default. */
void config_print(FILE *out);
