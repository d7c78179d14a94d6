#include "process/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/log.h"
#include "store/redis.h"
#include "store/site.h"

enum { REDIS_STARTS_MS = 120000, POLL_MS = 20 };

void
folder_enter(struct arena *arena, struct text path)
{
	const char *name = text_string(arena, path);

	if (mkdir(name, 0700) != 0 && errno != EEXIST)
		log_fatal("%s cannot be made: %s", name, strerror(errno));
	if (chdir(name) != 0)
		log_fatal("%s cannot be entered: %s", name, strerror(errno));
	if (access(".", W_OK | X_OK) != 0)
		log_fatal("%s cannot be written: %s", name, strerror(errno));
}

enum folder_lock
folder_lock(void)
{
	int lock = open("lock", O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (lock < 0)
		log_fatal("lock cannot be made: %s", strerror(errno));
	if (flock(lock, LOCK_EX | LOCK_NB) == 0)
		return FOLDER_LOCKED;
	close(lock);
	return FOLDER_IN_USE;
}

void
folder_write(struct arena *arena, const char *name, struct text content)
{
	int file = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	(void)arena;
	if (file < 0 ||
	    write(file, content.data, content.size) != (ssize_t)content.size ||
	    close(file) != 0)
		log_fatal("%s cannot be written: %s", name, strerror(errno));
}

void
folder_link(struct arena *arena, const char *name, struct text target)
{
	if ((unlink(name) != 0 && errno != ENOENT) ||
	    symlink(text_string(arena, target), name) != 0)
		log_fatal("%s cannot be linked: %s", name, strerror(errno));
}

/*
 * Sets of voters stay sets of integers, and articles with links stay compact:
 * with Redis's own limits a vote takes 56 bytes instead of 5.
 */
static struct text
redis_config(struct arena *arena, const struct config *config)
{
	return text_format(arena,
	    "port 0\n"
	    "unixsocket redis.sock\n"
	    "unixsocketperm 700\n"
	    "dir .\n"
	    "daemonize no\n"
	    "logfile redis.log\n"
	    "save \"\"\n"
	    "appendonly yes\n"
	    "appendfsync %.*s\n"
	    "maxmemory-policy noeviction\n"
	    "set-max-intset-entries 2048\n"
	    "hash-max-listpack-value 2048\n",
	    TEXT_ARGS(config->fsync));
}

char *
folder_program(struct arena *arena, const char *name)
{
	const char *set = getenv("PATH");
	struct text folders = text_format(
	    arena, "%s:/usr/sbin", set == NULL ? "/usr/bin:/bin" : set);
	struct text folder;

	while (text_cut(&folders, ':', &folder)) {
		char *path = text_string(arena,
		    text_format(arena, "%.*s/%s", TEXT_ARGS(folder), name));

		if (access(path, X_OK) == 0)
			return path;
	}
	log_fatal("%s is not installed: it is in no folder of PATH", name);
}

static void
run_redis(void *data)
{
	execl(data, "redis-server", "redis.conf", (char *)NULL);
	log_line("redis-server cannot be started: %s", strerror(errno));
	_exit(127);
}

void
folder_start_redis(struct arena *arena, struct supervisor *supervisor,
    const struct config *config)
{
	struct store store = { .redis = redis_open(
				   FOLDER_REDIS, TEXT(""), TEXT("")) };
	char *program = folder_program(arena, "redis-server");
	int64_t now;

	redis_hush(store.redis);
	folder_write(arena, "redis.conf", redis_config(arena, config));
	unlink("redis.sock");
	supervisor_add(supervisor, "Redis", SIGTERM, run_redis, program);
	for (int waited = 0; waited < REDIS_STARTS_MS; waited += POLL_MS) {
		if (supervisor_has_trouble(supervisor, POLL_MS))
			break;
		if (access("redis.sock", F_OK) == 0 &&
		    site_time(&store, arena, &now) == STORE_OK) {
			redis_close(store.redis);
			return;
		}
	}
	supervisor_stop(supervisor);
	log_fatal("Redis did not start; redis.log says why");
}
