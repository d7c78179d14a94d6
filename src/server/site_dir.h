/*
 * The folder of a private site: its Redis, its sockets and its logs.
 *
 *	redis.conf, nginx.conf	rewritten at each start
 *	redis.secret		passwords of Redis's users since this start: lines
 *				"web PASSWORD" and "admin PASSWORD"
 *	redis.sock, tally.sock	sockets of Redis and of the workers
 *	metrics.sock		where metrics are served
 *	search.sock		where the index for search is asked
 *	search/			that index (search/writer.h)
 *	errors/			error pages for nginx
 *	appendonlydir/		Redis's append-only file: all data of the site
 *	share/			the owner's files (server/assets.h)
 *	own, static, nginx	copies of files that nginx serves or includes
 *	redis.log, nginx-error.log	rotated at 16 MB to NAME.1
 *	lock			held by the process that runs the site
 */
#pragma once

#include "os/supervisor.h"
#include "server/config.h"

/* Whether a folder has a site in it, or may have one but cannot be read. */
bool site_dir_has_site(struct arena *arena, struct text path);

/*
 * Refuses a site of a layout that this program does not open, before anything changes. Then
 * creates the folder if necessary, makes it the working directory and closes it to
 * other users, with the files that this process creates from then on. Logs and ends
 * the process when the folder cannot be written to, belongs to another user, or is open
 * to others and has files that do not belong to a site. Root then acts as another
 * user (os/privileges.h), who is given all of the site's files.
 */
void site_dir_enter(struct arena *arena, struct text path);

/* Locks the folder until this process ends; false when another one holds the lock. */
bool site_dir_lock(void);

/* Replaces a file atomically. Logs when it returns false. */
bool site_dir_write(struct arena *arena, const char *name, struct text content,
    mode_t mode) __attribute__((warn_unused_result));

/* Sets the address of the folder's running Redis, and the logins in redis.secret. Logs
 * and ends the process when they cannot be read. */
void site_dir_read_logins(struct arena *arena, struct config *config);

/*
 * Starts the folder's Redis as a child process and waits until it answers, for at most
 * two minutes. Sets its address and the workers' login in config, not the admin's. On
 * failure stops everything, logs, and ends the process.
 */
void site_dir_start_redis(
    struct arena *arena, struct supervisor *supervisor, struct config *config);
