#include "os/privileges.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "base/sanitizer.h"

#define SYSTEM_USER "tally"

/* Nesting of folders below the working directory; nginx's cache is the deepest. */
enum { DEPTH_MAX = 8 };

/* Set by privileges_assume. */
static struct privileges_user assumed;
static bool root_is_saved;

/* Whether the user namespace maps more than one id. A namespace with root alone has one
 * line in /proc/self/uid_map, which ends in the count 1. */
static bool
has_other_users(void)
{
	FILE *map = fopen("/proc/self/uid_map", "re");
	unsigned inside, outside, count = 2, lines = 0, all = 0;

	while (map != NULL &&
	    fscanf(map, "%u %u %u", &inside, &outside, &count) == 3) {
		all += count;
		lines++;
	}
	if (map != NULL)
		fclose(map);
	return lines != 1 || all != 1;
}

bool
privileges_is_root(void)
{
	return geteuid() == 0 && has_other_users();
}

static void
create_system_user(void)
{
	pid_t pid = fork();
	int status = 1;

	if (pid == 0) {
		execl("/usr/sbin/useradd", "useradd", "--system",
		    "--user-group", "--no-create-home", "--home-dir",
		    "/nonexistent", "--shell", "/usr/sbin/nologin", SYSTEM_USER,
		    (char *)NULL);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
		log_fatal(
		    "a site does not run as root, and the user " SYSTEM_USER
		    " cannot be created: create it, or give the folder "
		    "to the user who is to run the site");
}

struct privileges_user
privileges_choose_user(uid_t owner)
{
	const struct passwd *entry =
	    owner == 0 ? getpwnam(SYSTEM_USER) : getpwuid(owner);

	if (entry == NULL && owner == 0) {
		create_system_user();
		entry = getpwnam(SYSTEM_USER);
		if (entry == NULL)
			log_fatal("the user " SYSTEM_USER " does not exist");
	}
	/* The static entry stays valid: no user is looked up after this. */
	return entry == NULL
	    ? (struct privileges_user){ .id = owner, .group = (gid_t)owner }
	    : (struct privileges_user){ entry->pw_uid, entry->pw_gid,
		      entry->pw_name };
}

/* A file with more than one link may be a hard link to one of root's: not changed. */
static void
chown_file(const struct privileges_user *user, int folder, const char *name,
    const char *shown)
{
	struct stat status;
	int file = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);

	if (file < 0 && errno == ENOENT)
		return; /* removed by Redis or nginx in the meantime */
	if (file < 0 || fstat(file, &status) != 0) {
		log_line(
		    "cannot read the owner of %s: %s", shown, strerror(errno));
	} else if (S_ISREG(status.st_mode) && status.st_nlink > 1 &&
	    status.st_uid != user->id) {
		log_line(
		    "%s has other hard links: its owner is not changed", shown);
	} else if ((status.st_uid != user->id ||
		       status.st_gid != user->group) &&
	    fchownat(file, "", user->id, user->group, AT_EMPTY_PATH) != 0) {
		log_fatal("cannot change the owner of %s: %s", shown,
		    strerror(errno));
	}
	if (file >= 0)
		close(file);
}

/* Works on descriptors alone, so that the owner of the folder cannot replace a checked
 * entry by a link in between. */
static void
chown_folder(const struct privileges_user *user, int descriptor, int depth,
    bool (*is_chosen)(const char *name))
{
	DIR *folder = fdopendir(descriptor);
	const struct dirent *entry;

	if (folder == NULL)
		log_fatal("cannot read the folder: %s", strerror(errno));
	while ((entry = readdir(folder)) != NULL) {
		const char *name = entry->d_name;
		int below;

		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
		    (is_chosen != NULL && !is_chosen(name)))
			continue;
		chown_file(user, descriptor, name, name);
		below = openat(descriptor, name,
		    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (below >= 0 && depth < DEPTH_MAX)
			chown_folder(user, below, depth + 1, NULL);
		else if (below >= 0)
			close(below);
	}
	closedir(folder);
}

void
privileges_chown_files(
    const struct privileges_user *user, bool (*is_chosen)(const char *name))
{
	int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (here < 0)
		log_fatal("cannot read the folder: %s", strerror(errno));
	chown_file(user, here, ".", "the folder of the site");
	chown_folder(user, here, 0, is_chosen);
}

void
privileges_assume(const struct privileges_user *user)
{
	int groups = user->name == NULL ? setgroups(1, &user->group)
					: initgroups(user->name, user->group);

	if (groups != 0 ||
	    setresgid(user->group, user->group, user->group) != 0 ||
	    seteuid(user->id) != 0)
		log_fatal("cannot switch to the user %ju: %s",
		    (uintmax_t)user->id, strerror(errno));
	assumed = *user;
	root_is_saved = true;
#if SANITIZER_ADDRESS
	/* Its leak check at exit traces this process from another one. */
	atexit(privileges_raise);
#endif
}

void
privileges_raise(void)
{
	if (root_is_saved && seteuid(0) != 0)
		log_fatal("cannot regain root's rights: %s", strerror(errno));
}

void
privileges_lower(void)
{
	int error = errno;

	if (root_is_saved && seteuid(assumed.id) != 0)
		log_fatal("cannot switch back to the user %ju: %s",
		    (uintmax_t)assumed.id, strerror(errno));
	errno = error;
}

FILE *
privileges_fopen(const char *path)
{
	FILE *file;

	privileges_raise();
	file = fopen(path, "re");
	privileges_lower();
	return file;
}

/* As an ambient capability, which execve preserves. */
static bool
keep_bind_capability(void)
{
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3,
		0 };
	const unsigned bit = 1U << CAP_NET_BIND_SERVICE;
	const struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {
		{ bit, bit, bit }
	};

	return syscall(SYS_capset, &head, data) == 0 &&
	    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_NET_BIND_SERVICE, 0,
		0) == 0;
}

void
privileges_drop(enum privileges retained)
{
	bool keeps_bind = retained == PRIVILEGES_LOW_PORTS;
	uid_t id = assumed.id;

	if (!root_is_saved)
		return;
	root_is_saved = false;
	if (prctl(PR_SET_KEEPCAPS, keeps_bind, 0, 0, 0) != 0 ||
	    setresuid(id, id, id) != 0 ||
	    (keeps_bind && !keep_bind_capability()) || seteuid(0) == 0)
		log_fatal("cannot drop root's rights: %s", strerror(errno));
}
