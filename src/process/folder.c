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
#include "base/crypto.h"
#include "base/log.h"
#include "redis/redis.h"
#include "store/site.h"

enum { REDIS_STARTS_MS = 120000, POLL_MS = 20, PASSWORD_BYTES = 32 };

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
folder_write(const char *name, struct text content)
{
	int file = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

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

/* Of Redis's users: the workers', and that of who has to do with all of it. */
static const struct text web_user = TEXT_INIT("tally");
static const struct text admin_user = TEXT_INIT("admin");

static void
set_logins(struct config *config, struct text web, struct text admin)
{
	config->redis = TEXT("unix:redis.sock");
	config->web = (struct config_login){ web_user, web };
	config->admin = (struct config_login){ admin_user, admin };
}

/* The admin's password stays in this file alone: workers are forked from
 * here. */
static void
forget_admin(struct config *config, struct text secret)
{
	text_forget(secret);
	text_forget(config->admin.password);
	config->admin.password = (struct text){ NULL, 0 };
}

void
folder_use_redis(struct arena *arena, struct config *config)
{
	char web[2 * PASSWORD_BYTES + 1], admin[2 * PASSWORD_BYTES + 1];
	FILE *file = fopen("redis.secret", "re");

	if (file == NULL ||
	    fscanf(file, "web %64[0-9a-f] admin %64[0-9a-f]", web, admin) != 2)
		log_fatal("redis.secret cannot be read");
	fclose(file);
	set_logins(config, text_copy(arena, text_of(web)),
	    text_copy(arena, text_of(admin)));
}

/*
 * Sets of voters stay sets of integers, and articles with links stay compact:
 * with Redis's own limits a vote takes 56 bytes instead of 5. The file of
 * writes is made short again early: until it is read nobody is answered after a
 * crash. Who has come into a worker can call the site's functions, read and write
 * its keys, and no more. The default user cannot log in, but has to have all
 * rights: it is the one that the append-only file is read as, and without them
 * Redis drops what functions wrote, with a line in its log.
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
	    "auto-aof-rewrite-min-size 16mb\n"
	    "maxmemory-policy noeviction\n"
	    "set-max-intset-entries 2048\n"
	    "hash-max-listpack-value 2048\n"
	    "user default off resetpass ~* &* +@all\n"
	    "user %.*s on #%.*s ~* &* +@all\n"
	    "user %.*s on #%.*s %.*s\n",
	    TEXT_ARGS(config->fsync), TEXT_ARGS(config->admin.user),
	    TEXT_ARGS(crypto_sha256_hex(arena, config->admin.password)),
	    TEXT_ARGS(config->web.user),
	    TEXT_ARGS(crypto_sha256_hex(arena, config->web.password)),
	    TEXT_ARGS(site_rights(arena)));
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
folder_start_redis(
    struct arena *arena, struct supervisor *supervisor, struct config *config)
{
	struct store store = { .redis = NULL };
	struct text secret;
	char *program = folder_program(arena, "redis-server");
	int64_t now;

	set_logins(config, crypto_random_hex(arena, PASSWORD_BYTES),
	    crypto_random_hex(arena, PASSWORD_BYTES));
	secret = text_format(arena, "web %.*s\nadmin %.*s\n",
	    TEXT_ARGS(config->web.password), TEXT_ARGS(config->admin.password));
	folder_write("redis.secret", secret);
	folder_write("redis.conf", redis_config(arena, config));
	forget_admin(config, secret);
	store.redis =
	    redis_open(config->redis, config->web.user, config->web.password);
	redis_be_quiet(store.redis);
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
