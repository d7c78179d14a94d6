/*
 * The folder of a private site: its Redis, its sockets and its logs.
 *
 *	redis.conf, nginx.conf	rewritten at each start
 *	redis.secret		passwords of Redis's users since this start: lines
 *				"web PASSWORD" and "admin PASSWORD"
 *	redis.sock, tally.sock	where Redis and the workers listen
 *	errors/			pages with which nginx answers by itself
 *	appendonlydir/		everything that was posted
 *	share/			files of the owner's (server/assets.h)
 *	own, static, nginx	copies of files that nginx serves or includes
 *	redis.log, nginx-error.log	and, once these had 16 MB, NAME.1
 *	lock			held by the process that runs the site
 */
#pragma once

#include "os/supervisor.h"
#include "server/config.h"

/* Whether there is a site in a folder, as far as its files tell. */
bool site_dir_has_site(struct arena *arena, struct text path);

/*
 * Creates the folder if necessary and makes it the working directory; it is closed
 * to others, and so is what this process writes from then on. Logs and ends the
 * process when it cannot be written to, belongs to somebody else, or is open to
 * others and has files that are no site's. Root then acts as another user
 * (os/privileges.h), to whom all of the site's files belong.
 */
void site_dir_enter(struct arena *arena, struct text path);

/* Locks the folder until this process ends; false when another one holds it. */
bool site_dir_lock(void);

/*
 * Replaces a file, which has the old content or the new one at any moment.
 * Logged when it returns false.
 */
bool site_dir_write(struct arena *arena, const char *name, struct text content,
    mode_t mode) __attribute__((warn_unused_result));

/* Sets how to reach the Redis that runs in the folder, also as its admin. */
void site_dir_read_logins(struct arena *arena, struct config *config);

/*
 * Starts the folder's Redis as a child and waits until it answers. Sets how to
 * reach it, but not as its admin. When it does not answer, stops everything,
 * logs, and ends the process.
 */
void site_dir_start_redis(
    struct arena *arena, struct supervisor *supervisor, struct config *config);
