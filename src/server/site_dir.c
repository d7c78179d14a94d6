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
#include "server/aof_layout.h"
#include "server/aof_repair.h"
#include "store/grant.h"
#include "store/site.h"

enum { REDIS_START_MS = 120000, POLL_MS = 20, PASSWORD_BYTES = 32 };

bool
site_dir_has_site(struct arena *arena, struct text path)
{
	const char *files =
	    text_string(arena, text_join(arena, path, TEXT("/appendonlydir")));

	/* A folder that cannot be read is reported when it is entered. */
	return access(files, F_OK) == 0 ||
	    (errno != ENOENT && errno != ENOTDIR);
}

/* Patterns of the files in a site's folder, those of Redis and nginx included. */
static const char *const site_files[] = { "appendonlydir", "errors*", "lock",
	"metrics.sock", "nginx*", "own*", "redis.*", "search*", "share",
	"static*", "tally.sock", "temp-*" };

static bool
is_site_file(const char *name)
{
	for (size_t i = 0; i < sizeof(site_files) / sizeof(site_files[0]); i++)
		if (fnmatch(site_files[i], name, 0) == 0)
			return true;
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* A file in the working directory that does not belong to a site; NULL without one. */
static const char *
find_foreign_file(struct arena *arena)
{
	DIR *folder = opendir(".");
	const struct dirent *entry;
	const char *name = NULL;

	if (folder == NULL)
		log_fatal(
		    "cannot read the folder of the site: %s", strerror(errno));
	while (name == NULL && (entry = readdir(folder)) != NULL)
		if (!is_site_file(entry->d_name))
			name = text_string(arena, text_of(entry->d_name));
	closedir(folder);
	return name;
}

/* Foreign files may be meant for other users, or belong to them, while this closes the
 * folder and, as root, gives its files to another user. */
static void
refuse_foreign_files(
    struct arena *arena, const char *name, const struct stat *status)
{
	bool belongs_to_root = privileges_is_root() && status->st_uid == 0;
	const char *foreign = NULL;

	if (belongs_to_root || (status->st_mode & 077) != 0)
		foreign = find_foreign_file(arena);
	if (foreign != NULL && belongs_to_root)
		log_fatal("%s belongs to root and contains files that are "
			  "not a site's, such as %s: name another folder, or "
			  "give it to the user who is to run the site: chown "
			  "USER %s",
		    name, foreign, name);
	if (foreign != NULL)
		log_fatal("%s is open to other users and contains files that "
			  "are not a site's, such as %s: name another folder, "
			  "or close it: chmod 700 %s",
		    name, foreign, name);
}

/* Closes the folder to other users, who could otherwise read password hashes, session
 * digests and the site's secret in Redis's file; drops root. */
static void
secure_folder(struct arena *arena, const char *name)
{
	struct stat status;

	if (stat(".", &status) != 0)
		log_fatal("cannot access %s: %s", name, strerror(errno));
	if (!privileges_is_root() && status.st_uid != geteuid())
		log_fatal("%s belongs to another user: name a folder of your "
			  "own, or one that does not exist yet",
		    name);
	refuse_foreign_files(arena, name, &status);
	if (privileges_is_root()) {
		struct privileges_user user =
		    privileges_choose_user(status.st_uid);

		privileges_chown_files(&user, is_site_file);
		privileges_assume(&user);
	}
	umask(077);
	if ((status.st_mode & 077) != 0 && chmod(".", 0700) != 0)
		log_fatal("cannot close %s to other users: %s", name,
		    strerror(errno));
}

void
site_dir_enter(struct arena *arena, struct text path)
{
	const char *name = text_string(arena, path);
	struct text layout = aof_layout_read(arena, path);

	if (layout.size > 0 && !site_opens_layout(layout, TEXT("")))
		log_fatal("%.*s",
		    TEXT_ARGS(site_describe_other_layout(arena, layout)));
	if (mkdir(name, 0700) != 0 && errno != EEXIST)
		log_fatal("cannot create %s: %s", name, strerror(errno));
	if (chdir(name) != 0)
		log_fatal("cannot enter %s: %s", name, strerror(errno));
	secure_folder(arena, name);
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

/* Redis's users: of the workers, and with all permissions. */
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

/* In bytes. A quarter is left for workers, nginx, the system, and the copy-on-write pages
 * of Redis while it rewrites its file. Without a limit the system would kill Redis or
 * another process when memory runs out. */
static int64_t
redis_memory_limit(const struct config *config)
{
	const int64_t mb = INT64_C(1024) * 1024;

	return config->redis_memory > 0 ? config->redis_memory * mb
					: memory_size() / 4 * 3;
}

/*
 * - The *-max-* limits keep sets of voters as intsets and articles with links as
 *   listpacks: with Redis's defaults a vote takes 56 bytes instead of 5. A sorted set is one up
 *   to 32 entries: Redis searches it entry by entry, and a member's history of 100 votes took
 *   40,000 of a vote's 320,000 instructions. That is 1 % more memory an article, and 4 % a comment.
 * - The append-only file is rewritten early, since after a crash no request is answered
 *   until it is read.
 * - Expired keys are freed in the background: a record of thousands of voters blocked
 *   Redis for 23 ms.
 * - The workers' user can call the site's functions, read and write its keys, and no
 *   more.
 * - The default user cannot log in but must have all permissions: Redis reads its
 *   append-only file as this user, and without them drops what functions wrote, with
 *   only a line in its log.
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
	    "zset-max-listpack-entries 32\n"
	    "user default off resetpass ~* &* +@all\n"
	    "user " ADMIN_USER " on #%.*s ~* &* +@all\n"
	    "user " WEB_USER " on #%.*s %.*s\n",
	    TEXT_ARGS(config->fsync), (long long)redis_memory_limit(config),
	    TEXT_ARGS(crypto_sha256_hex(arena, admin)),
	    TEXT_ARGS(crypto_sha256_hex(arena, web)), TEXT_ARGS(grant_rule()));
}

/* Generates new passwords. The admin's stays in redis.secret alone, not in this
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

/* Redis makes the path of its configuration absolute, which it may not be permitted to
 * follow: its user can enter the folder, but perhaps not the parents. */
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
	char *program =
	    process_find_program(arena, "redis-server", "valkey-server");
	struct store store = { .redis = NULL };
	off_t log_before = aof_repair_log_size();
	int64_t now;

	write_redis_files(arena, config);
	store.redis = config_open_redis(config, &config->web);
	redis_be_quiet(store.redis);
	unlink("redis.sock");
	supervisor_add(supervisor, "Redis", SIGTERM, run_redis, program);
	supervisor_rotate_log(supervisor, "Redis", "redis.log", 0);
	for (int waited = 0; waited < REDIS_START_MS; waited += POLL_MS) {
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
	log_fatal("Redis did not start; see redis.log in the folder of the "
		  "site");
}
