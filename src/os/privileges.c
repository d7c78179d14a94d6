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

/* Of folders in folders: nginx's cache has the most. */
enum { DEPTH_MAX = 8 };

/* The user that was taken, while root is kept aside. */
static struct privileges_user taken;
static bool keeps_root;

/* A user namespace may have nobody else: one line of /proc/self/uid_map, whose last
 * number says how many users it has. */
static bool
has_others(void)
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
	return geteuid() == 0 && has_others();
}

static void
make_system_user(void)
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
		log_fatal("root runs no site, and the user " SYSTEM_USER
			  " cannot be made: make it, or give the folder to "
			  "whoever is to run the site");
}

struct privileges_user
privileges_choose_user(uid_t owner)
{
	const struct passwd *entry =
	    owner == 0 ? getpwnam(SYSTEM_USER) : getpwuid(owner);

	if (entry == NULL && owner == 0) {
		make_system_user();
		entry = getpwnam(SYSTEM_USER);
		if (entry == NULL)
			log_fatal("there is no user " SYSTEM_USER);
	}
	/* The entry stays as it is: nobody is looked up after this. */
	return entry == NULL
	    ? (struct privileges_user){ .id = owner, .group = (gid_t)owner }
	    : (struct privileges_user){ entry->pw_uid, entry->pw_gid,
		      entry->pw_name };
}

/* A file with another name may be one of root's that somebody has linked to. */
static void
give_one(const struct privileges_user *user, int folder, const char *name,
    const char *shown)
{
	struct stat status;
	int file = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);

	if (file < 0 && errno == ENOENT)
		return; /* Redis or nginx has removed it meanwhile. */
	if (file < 0 || fstat(file, &status) != 0) {
		log_line("cannot look at %s: %s", shown, strerror(errno));
	} else if (S_ISREG(status.st_mode) && status.st_nlink > 1 &&
	    status.st_uid != user->id) {
		log_line(
		    "%s has other names, and stays somebody else's", shown);
	} else if ((status.st_uid != user->id ||
		       status.st_gid != user->group) &&
	    fchownat(file, "", user->id, user->group, AT_EMPTY_PATH) != 0) {
		log_fatal("cannot give %s to the user who runs the site: %s",
		    shown, strerror(errno));
	}
	if (file >= 0)
		close(file);
}

/* Each descriptor is of the very file that was looked at: whoever the folder belongs
 * to cannot put a link in its place meanwhile. */
static void
give_folder(const struct privileges_user *user, int descriptor, int depth,
    bool (*is_chosen)(const char *name))
{
	DIR *folder = fdopendir(descriptor);
	const struct dirent *entry;

	if (folder == NULL)
		log_fatal("cannot look into the folder: %s", strerror(errno));
	while ((entry = readdir(folder)) != NULL) {
		const char *name = entry->d_name;
		int below;

		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
		    (is_chosen != NULL && !is_chosen(name)))
			continue;
		give_one(user, descriptor, name, name);
		below = openat(descriptor, name,
		    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (below >= 0 && depth < DEPTH_MAX)
			give_folder(user, below, depth + 1, NULL);
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
		log_fatal("cannot look into the folder: %s", strerror(errno));
	give_one(user, here, ".", "the folder of the site");
	give_folder(user, here, 0, is_chosen);
}

void
privileges_assume(const struct privileges_user *user)
{
	int groups = user->name == NULL ? setgroups(1, &user->group)
					: initgroups(user->name, user->group);

	if (groups != 0 ||
	    setresgid(user->group, user->group, user->group) != 0 ||
	    seteuid(user->id) != 0)
		log_fatal("cannot act as the user %ju: %s", (uintmax_t)user->id,
		    strerror(errno));
	taken = *user;
	keeps_root = true;
#if SANITIZER_ADDRESS
	/* It looks for leaks from another process, at the end. */
	atexit(privileges_raise);
#endif
}

void
privileges_raise(void)
{
	if (keeps_root && seteuid(0) != 0)
		log_fatal("root's rights are gone: %s", strerror(errno));
}

void
privileges_lower(void)
{
	int error = errno;

	if (keeps_root && seteuid(taken.id) != 0)
		log_fatal("cannot act as the user %ju again: %s",
		    (uintmax_t)taken.id, strerror(errno));
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

/* An ambient capability stays across execve. */
static bool
keep_low_ports(void)
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
privileges_drop(enum privileges_kept kept)
{
	bool keeps_ports = kept == PRIVILEGES_LOW_PORTS;
	uid_t id = taken.id;

	if (!keeps_root)
		return;
	keeps_root = false;
	if (prctl(PR_SET_KEEPCAPS, keeps_ports, 0, 0, 0) != 0 ||
	    setresuid(id, id, id) != 0 || (keeps_ports && !keep_low_ports()) ||
	    seteuid(0) == 0)
		log_fatal("cannot give up root: %s", strerror(errno));
}
