#include "server/site_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/crypto.h"
#include "base/log.h"
#include "os/memory.h"
#include "os/privileges.h"
#include "os/process.h"
#include "redis/redis.h"
#include "server/aof_repair.h"
#include "store/grant.h"
#include "store/site.h"

enum { REDIS_STARTS_MS = 120000, POLL_MS = 20, PASSWORD_BYTES = 32 };

bool
site_dir_has_site(struct arena *arena, struct text path)
{
	const char *files =
	    text_string(arena, text_join(arena, path, TEXT("/appendonlydir")));

	/* What may not be looked at is told when it is entered. */
	return access(files, F_OK) == 0 ||
	    (errno != ENOENT && errno != ENOTDIR);
}

/* The names of what is written into a site's folder, by Redis and nginx as well. */
static const char *const names[] = { "appendonlydir", "errors*", "lock",
	"nginx*", "own*", "redis.*", "share", "static*", "tally.sock",
	"temp-*" };

static bool
is_site_file(const char *name)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (fnmatch(names[i], name, 0) == 0)
			return true;
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* What is in the working directory and is no site's; NULL when all of it is. */
static const char *
foreign_file(struct arena *arena)
{
	DIR *folder = opendir(".");
	const struct dirent *entry;
	const char *name = NULL;

	if (folder == NULL)
		log_fatal("cannot look into the folder of the site: %s",
		    strerror(errno));
	while (name == NULL && (entry = readdir(folder)) != NULL)
		if (!is_site_file(entry->d_name))
			name = text_string(arena, text_of(entry->d_name));
	closedir(folder);
	return name;
}

/* What is no site's may be meant for others, or be theirs: root gives away what is in
 * a folder of its own. */
static void
refuse_foreign(struct arena *arena, const char *name, const struct stat *status)
{
	bool is_roots = privileges_is_root() && status->st_uid == 0;
	const char *foreign = NULL;

	if (is_roots || (status->st_mode & 077) != 0)
		foreign = foreign_file(arena);
	if (foreign != NULL && is_roots)
		log_fatal("%s is root's, who runs no site, and has what is no "
			  "site's, as %s: name another folder, or give it to "
			  "whoever is to run the site: chown USER %s",
		    name, foreign, name);
	if (foreign != NULL)
		log_fatal("%s is open to others and has what is no site's, as "
			  "%s: name another folder, or close it: chmod 700 %s",
		    name, foreign, name);
}

/*
 * Whoever else could look into the folder could read hashes, digests and the site's
 * secret in Redis's file.
 */
static void
take_folder(struct arena *arena, const char *name)
{
	struct stat status;

	if (stat(".", &status) != 0)
		log_fatal("cannot look at %s: %s", name, strerror(errno));
	if (!privileges_is_root() && status.st_uid != geteuid())
		log_fatal("%s belongs to somebody else: name a folder of your "
			  "own, or one that is not there yet",
		    name);
	refuse_foreign(arena, name, &status);
	if (privileges_is_root()) {
		struct privileges_user user =
		    privileges_choose_user(status.st_uid);

		privileges_chown_files(&user, is_site_file);
		privileges_assume(&user);
	}
	umask(077);
	if ((status.st_mode & 077) != 0 && chmod(".", 0700) != 0)
		log_fatal(
		    "cannot close %s to others: %s", name, strerror(errno));
}

void
site_dir_enter(struct arena *arena, struct text path)
{
	const char *name = text_string(arena, path);

	if (mkdir(name, 0700) != 0 && errno != EEXIST)
		log_fatal("cannot create %s: %s", name, strerror(errno));
	if (chdir(name) != 0)
		log_fatal("cannot enter %s: %s", name, strerror(errno));
	take_folder(arena, name);
	if (faccessat(AT_FDCWD, ".", W_OK | X_OK, AT_EACCESS) != 0)
		log_fatal("cannot write to %s: %s", name, strerror(errno));
}

bool
site_dir_lock(void)
{
	int lock = open("lock", O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (lock < 0)
		log_fatal("cannot create the file lock: %s", strerror(errno));
	if (flock(lock, LOCK_EX | LOCK_NB) == 0)
		return true;
	close(lock);
	return false;
}

bool
site_dir_write(
    struct arena *arena, const char *name, struct text content, mode_t mode)
{
	const char *new =
	    text_string(arena, text_format(arena, "%s.new", name));
	int file = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);

	if (file >= 0 &&
	    write(file, content.data, content.size) == (ssize_t)content.size &&
	    close(file) == 0 && rename(new, name) == 0)
		return true;
	log_line("cannot write %s: %s", name, strerror(errno));
	return false;
}

/* Redis's users: the workers', and the one with all rights. */
#define WEB_USER   "tally"
#define ADMIN_USER "admin"

static void
set_logins(struct config *config, struct text web, struct text admin)
{
	config->redis = TEXT("unix:redis.sock");
	config->web = (struct config_login){ TEXT(WEB_USER), web };
	config->admin = (struct config_login){ TEXT(ADMIN_USER), admin };
}

void
site_dir_read_logins(struct arena *arena, struct config *config)
{
	char web[2 * PASSWORD_BYTES + 1], admin[2 * PASSWORD_BYTES + 1];
	FILE *file = fopen("redis.secret", "re");

	if (file == NULL ||
	    fscanf(file, "web %64[0-9a-f] admin %64[0-9a-f]", web, admin) != 2)
		log_fatal(
		    "cannot read redis.secret, which has the passwords for Redis");
	fclose(file);
	set_logins(config, text_copy(arena, text_of(web)),
	    text_copy(arena, text_of(admin)));
}

/* In bytes. The last quarter is the workers', nginx's, the system's, and what Redis needs
 * besides while it rewrites its file: a copy of whatever changes meanwhile. Without a
 * limit the system would end Redis, or another process, when there is no more. */
static int64_t
redis_memory(const struct config *config)
{
	const int64_t mb = INT64_C(1024) * 1024;

	return config->redis_memory > 0 ? config->redis_memory * mb
					: memory_size() / 4 * 3;
}

/*
 * Sets of voters stay sets of integers, and articles with links stay compact:
 * with Redis's own limits a vote takes 56 bytes instead of 5. The append-only
 * file is rewritten early: after a crash nobody is answered until it is read. What
 * expires is freed beside Redis's loop: a record of thousands of voters held it for 23 ms. A
 * worker that is taken over can call the site's functions, read and write its
 * keys, and no more. The default user cannot log in but must have all rights:
 * Redis reads its append-only file as this user, and without the rights drops
 * what functions wrote, with only a line in its log.
 */
static struct text
redis_config(struct arena *arena, const struct config *config, struct text web,
    struct text admin)
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
	    "maxmemory %lld\n"
	    "maxmemory-policy noeviction\n"
	    "lazyfree-lazy-expire yes\n"
	    "lazyfree-lazy-user-del yes\n"
	    "set-max-intset-entries 2048\n"
	    "hash-max-listpack-value 2048\n"
	    "zset-max-listpack-entries 512\n"
	    "user default off resetpass ~* &* +@all\n"
	    "user " ADMIN_USER " on #%.*s ~* &* +@all\n"
	    "user " WEB_USER " on #%.*s %.*s\n",
	    TEXT_ARGS(config->fsync), (long long)redis_memory(config),
	    TEXT_ARGS(crypto_sha256_hex(arena, admin)),
	    TEXT_ARGS(crypto_sha256_hex(arena, web)), TEXT_ARGS(grant_rule()));
}

/* Chooses new passwords. The admin's is kept in redis.secret alone, not in this
 * process, from which workers are forked. */
static void
write_redis_files(struct arena *arena, struct config *config)
{
	struct text web = crypto_random_hex(arena, PASSWORD_BYTES);
	struct text admin = crypto_random_hex(arena, PASSWORD_BYTES);
	struct text secret = text_format(
	    arena, "web %.*s\nadmin %.*s\n", TEXT_ARGS(web), TEXT_ARGS(admin));
	struct text conf = redis_config(arena, config, web, admin);

	if (!site_dir_write(arena, "redis.secret", secret, 0600) ||
	    !site_dir_write(arena, "redis.conf", conf, 0600))
		exit(1);
	text_wipe(secret);
	text_wipe(admin);
	set_logins(config, web, TEXT(""));
}

/* Redis makes the name of its configuration absolute, and may not be able to reach it
 * from the root: it may enter the folder, and not those that this is in. */
#define REDIS_CONFIG "/proc/self/cwd/redis.conf"

static void
run_redis(void *data)
{
	process_init(PRIVILEGES_NONE);
	aof_repair_capture_output();
	execl(data, "redis-server", REDIS_CONFIG, (char *)NULL);
	log_line("cannot start redis-server: %s", strerror(errno));
	_exit(127);
}

void
site_dir_start_redis(
    struct arena *arena, struct supervisor *supervisor, struct config *config)
{
	char *program = process_find_program(arena, "redis-server");
	struct store store = { .redis = NULL };
	off_t log_before = aof_repair_log_size();
	int64_t now;

	write_redis_files(arena, config);
	store.redis = config_open_redis(config, &config->web);
	redis_be_quiet(store.redis);
	unlink("redis.sock");
	supervisor_add(supervisor, "Redis", SIGTERM, run_redis, program);
	supervisor_rotate_log(supervisor, "Redis", "redis.log", 0);
	for (int waited = 0; waited < REDIS_STARTS_MS; waited += POLL_MS) {
		if (supervisor_wait_for_failure(supervisor, POLL_MS))
			break;
		if (access("redis.sock", F_OK) == 0 &&
		    site_time(&store, arena, &now) == STORE_OK) {
			redis_close(store.redis);
			aof_repair_log_truncation(arena, log_before);
			return;
		}
	}
	supervisor_stop(supervisor);
	if (aof_repair_log_damage(arena, log_before))
		exit(1);
	aof_repair_log_last_lines(arena, log_before);
	log_fatal("Redis did not start; redis.log in the folder of the site "
		  "says why");
}
