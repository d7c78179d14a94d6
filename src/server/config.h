/*
 * The settings, read from the environment and from a file; the environment takes
 * precedence. All are validated at the start, and `tally --help` prints them with their
 * defaults.
 *
 * The file is the one that TALLY_CONFIG names or, for the service, /etc/tally/tally.conf.
 * Its lines are NAME=VALUE or "include PATH", which reads another file in that place; of
 * a setting that is there twice the last line counts.
 */
#pragma once

#include <stdio.h>

#include "base/tls.h"
#include "store/rules.h"

struct arena;
struct redis;

/* A user of Redis. With an empty password there is no login. */
struct config_login {
	struct text user, password;
};

enum config_source {
	CONFIG_NAMED, /* the environment, and the file that it names */
	CONFIG_SERVICE /* if it names none, the service's file, if there is one */
};

/* Every text and number is set by one row of the table in config.c. */
struct config {
	enum config_source source; /* from which they were read */
	struct text redis;	   /* redis/endpoint.h; empty: none is named */
	/* The certificates for encrypted connections to it. */
	struct tls_files tls;
	/* The logins of the workers, limited to the site's keys, and of the admin, who may
	 * load functions. */
	struct config_login web, admin;
	struct text socket;  /* of `tally serve`, for nginx */
	struct text metrics; /* os/local_socket.h; empty: beside the socket */
	struct text search;  /* the folder of `tally serve`'s index, or empty */
	struct text origin;  /* "https://example.org", or empty */
	struct text share; /* absolute; contains templates, static and nginx */
	struct text overrides; /* absolute, or empty: server/assets.h */
	struct text passwords; /* absolute, or empty: base/password.h */
	struct text fsync;     /* appendfsync of `tally up`'s Redis */
	struct text address;   /* of `tally up`'s nginx */
	int64_t redis_memory;  /* in MB, of `tally up`'s Redis; 0: a default */
	int64_t port, workers;
	int64_t visitors_share; /* percent (pages/visitors.h) */
	int64_t cache;		/* 1: `tally up`'s nginx caches pages for 1 s */
	int64_t replicas;	/* that must confirm a write; -1 when not set */
	/* The maximum age of versions by which lists are cached: in milliseconds, -1
	 * when not set; and in seconds while a master does not answer. */
	int64_t fresh, stale;
	int64_t move_share; /* percent of the time: store/move.h */
	struct rules rules; /* buckets and vote_score are 0 when not set */
};

/* The defaults. */
struct config config_defaults(void);

/*
 * Reads the settings, which point into the arena and the environment. Logs each invalid
 * one and each file that cannot be read, and then returns false; warns of unknown names.
 *
 * If the service's file is read and no setting names a Redis, it is that of
 * tally-redis.service, with the passwords that src/deploy/redis-users generated.
 */
bool config_read(
    struct arena *arena, struct config *config, enum config_source source);

/* Where metrics are served: as the settings say, or beside the workers' socket. */
struct text config_metrics_address(
    struct arena *arena, const struct config *config, struct text socket);

/* The socket of the search process, beside the workers' socket. */
struct text config_search_socket(struct arena *arena, struct text socket);

/*
 * A client of the named Redis with a login, not connected yet. Its replicated commands
 * wait for as many replicas as the settings say.
 */
struct redis *config_open_redis(
    const struct config *config, const struct config_login *login);

/* The longest wait for a reply while a site starts, in milliseconds: more than for a page,
 * since nobody waits for a page yet, and a busy disk delays a start. */
enum { CONFIG_START_TIMEOUT_MS = 10000 };

/* Overwrites the admin's password in a process that must not load functions. */
void config_wipe_admin(struct config *config);

/* Prints every setting, its meaning and its default. */
void config_print(FILE *out);
