/*
 * The folder of a private site: its Redis, its sockets and its logs.
 *
 *	redis.conf, nginx.conf	written anew at each start
 *	redis.secret		passwords of Redis's users, of this start: lines
 *				"web PASSWORD" and "admin PASSWORD"
 *	redis.sock, tally.sock	who talks to whom
 *	appendonlydir/		everything that was posted
 *	lock			held by the one who runs the site
 */
#ifndef PROCESS_FOLDER_H
#define PROCESS_FOLDER_H

#include "process/config.h"
#include "process/supervisor.h"
#include "store/store.h"

/*
 * Makes the folder if it is not there and makes it the working directory. Ends
 * the process with one line when it cannot be written.
 */
void folder_enter(struct arena *arena, struct text path);

enum folder_lock { FOLDER_LOCKED, FOLDER_IN_USE };

/* Claims the folder until this process ends. */
enum folder_lock folder_lock(void);

/* Writes a file of the folder; ends the process when that fails. */
void folder_write(const char *name, struct text content);

/*
 * Where a program is: in PATH or, as servers are, in /usr/sbin. Ends the
 * process with one line when it is nowhere.
 */
char *folder_program(struct arena *arena, const char *name);

/* A link in the folder to something of the program's. */
void folder_link(struct arena *arena, const char *name, struct text target);

/* Sets how the Redis that runs in the folder is reached, also as its admin. */
void folder_use_redis(struct arena *arena, struct config *config);

/*
 * Starts the folder's Redis as a child and waits until it answers. Ends the
 * process, after stopping everything, when it does not. Sets how it is reached,
 * but not as its admin.
 */
void folder_start_redis(
    struct arena *arena, struct supervisor *supervisor, struct config *config);

#endif
