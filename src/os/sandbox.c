#include "os/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/log.h"
#include "base/sanitizer.h"

#if !SANITIZER_ADDRESS

/* System calls of a worker's loop, its libraries and malloc. */
static const int allowed[] = {
	SCMP_SYS(accept),
	SCMP_SYS(accept4),
	SCMP_SYS(brk),
	SCMP_SYS(clock_gettime),
	SCMP_SYS(clock_nanosleep),
	SCMP_SYS(close),
	SCMP_SYS(connect),
	SCMP_SYS(epoll_ctl),
	SCMP_SYS(epoll_create1),
	SCMP_SYS(epoll_pwait),
	SCMP_SYS(epoll_wait),
	SCMP_SYS(exit),
	SCMP_SYS(exit_group),
	SCMP_SYS(fstat),
	SCMP_SYS(futex),
	SCMP_SYS(getpeername),
	SCMP_SYS(getpid),
	SCMP_SYS(getrandom),
	SCMP_SYS(getsockname),
	SCMP_SYS(getsockopt),
	SCMP_SYS(gettid),
	SCMP_SYS(gettimeofday),
	SCMP_SYS(lseek),
	SCMP_SYS(madvise),
	SCMP_SYS(mremap),
	SCMP_SYS(munmap),
	SCMP_SYS(nanosleep),
	SCMP_SYS(poll),
	SCMP_SYS(ppoll),
	SCMP_SYS(pread64),
	SCMP_SYS(pselect6),
	SCMP_SYS(read),
	SCMP_SYS(readv),
	SCMP_SYS(recvfrom),
	SCMP_SYS(recvmsg),
	SCMP_SYS(restart_syscall),
	SCMP_SYS(rseq), /* of a thread that has just started */
	SCMP_SYS(rt_sigaction),
	SCMP_SYS(rt_sigprocmask),
	SCMP_SYS(rt_sigreturn),
	SCMP_SYS(select),
	SCMP_SYS(sendmsg),
	SCMP_SYS(sendto),
	SCMP_SYS(set_robust_list),
	SCMP_SYS(setsockopt),
	SCMP_SYS(shutdown),
	SCMP_SYS(write),
	SCMP_SYS(writev),
};

/* Those of a process with a database. */
static const int file_calls[] = {
	SCMP_SYS(access),
	SCMP_SYS(faccessat),
	SCMP_SYS(faccessat2),
	SCMP_SYS(fallocate),
	SCMP_SYS(fchmod),
	SCMP_SYS(fchown),
	SCMP_SYS(fdatasync),
	SCMP_SYS(flock),
	SCMP_SYS(fsync),
	SCMP_SYS(ftruncate),
	SCMP_SYS(getcwd),
	SCMP_SYS(getdents64),
	SCMP_SYS(geteuid),
	SCMP_SYS(lstat),
	SCMP_SYS(newfstatat),
	SCMP_SYS(open),
	SCMP_SYS(openat),
	SCMP_SYS(pwrite64),
	SCMP_SYS(readlink),
	SCMP_SYS(readlinkat),
	SCMP_SYS(rename),
	SCMP_SYS(renameat),
	SCMP_SYS(renameat2),
	SCMP_SYS(sched_yield),
	SCMP_SYS(stat),
	SCMP_SYS(statx),
	SCMP_SYS(uname),
	SCMP_SYS(unlink),
	SCMP_SYS(unlinkat),
};

/* Checks the result of a call that sets errno. */
static void
require_success(int result)
{
	if (result != 0)
		log_fatal("cannot confine a worker: %s", strerror(errno));
}

/* libseccomp returns negated error numbers. */
static void
require_filter(int result)
{
	errno = -result;
	require_success(result);
}

static void
allow_if(scmp_filter_ctx filter, int call, struct scmp_arg_cmp condition)
{
	require_filter(
	    seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 1, condition));
}

/* Stream sockets only, the only ones that Redis uses. */
static void
allow_sockets(scmp_filter_ctx filter, scmp_datum_t family)
{
	const scmp_datum_t flags = SOCK_CLOEXEC | SOCK_NONBLOCK;

	require_filter(seccomp_rule_add(filter, SCMP_ACT_ALLOW,
	    SCMP_SYS(socket), 2, SCMP_A0(SCMP_CMP_EQ, family),
	    SCMP_A1(SCMP_CMP_MASKED_EQ, ~flags, SOCK_STREAM)));
}

/* Calls that are harmless with certain arguments only. */
static void
allow_harmless_arguments(scmp_filter_ctx filter, enum sandbox_sockets sockets)
{
	if (sockets != SANDBOX_NETWORK)
		allow_sockets(filter, AF_UNIX);
	if (sockets != SANDBOX_UNIX_SOCKET) {
		allow_sockets(filter, AF_INET);
		allow_sockets(filter, AF_INET6);
	}
	/* hiredis makes its sockets non-blocking; a descriptor that is
	 * asynchronous can have signals sent to others of the same user. */
	allow_if(filter, SCMP_SYS(fcntl), SCMP_A1(SCMP_CMP_EQ, F_GETFL));
	require_filter(seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(fcntl),
	    2, SCMP_A1(SCMP_CMP_EQ, F_SETFL),
	    SCMP_A2(SCMP_CMP_MASKED_EQ, O_ASYNC, 0)));
	allow_if(
	    filter, SCMP_SYS(mmap), SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
	allow_if(filter, SCMP_SYS(mprotect),
	    SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
	/* for abort() */
	allow_if(filter, SCMP_SYS(tgkill),
	    SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid()));
}

static void
allow_calls(scmp_filter_ctx filter, const int *calls, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int error =
		    seccomp_rule_add(filter, SCMP_ACT_ALLOW, calls[i], 0);

		/* -EDOM: this architecture does not have the call. */
		if (error != -EDOM)
			require_filter(error);
	}
}

/* Locks, and what opening a file needs. */
static void
allow_files(scmp_filter_ctx filter)
{
	static const scmp_datum_t commands[] = { F_GETFD, F_SETFD, F_GETLK,
		F_SETLK, F_SETLKW, F_DUPFD_CLOEXEC };

	allow_calls(
	    filter, file_calls, sizeof(file_calls) / sizeof(file_calls[0]));
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		allow_if(
		    filter, SCMP_SYS(fcntl), SCMP_A1(SCMP_CMP_EQ, commands[i]));
}

enum files { FILES_NONE, FILES_OPEN };

static void
filter_system_calls(enum sandbox_sockets sockets, enum files files)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));

	if (filter == NULL)
		log_fatal("cannot confine a worker");
	/* Also applies it to threads that run already. */
	require_filter(seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1));
	allow_calls(filter, allowed, sizeof(allowed) / sizeof(allowed[0]));
	if (files == FILES_OPEN)
		allow_files(filter);
	allow_harmless_arguments(filter, sockets);
	require_filter(seccomp_load(filter));
	seccomp_release(filter);
}

static void
limit_resource(int resource, rlim_t max)
{
	struct rlimit limits;

	require_success(getrlimit(resource, &limits));
	if (limits.rlim_max != RLIM_INFINITY && limits.rlim_max < max)
		max = limits.rlim_max;
	limits = (struct rlimit){ max, max };
	require_success(setrlimit(resource, &limits));
}

static void
limit_process(void)
{
	limit_resource(RLIMIT_AS, (rlim_t)1 << 30);
	limit_resource(RLIMIT_NOFILE, 4096);
	limit_resource(RLIMIT_CORE, 0);
	require_success(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
}

/* Landlock has no wrappers in libc. Its first version, that of Linux 5.13, restricts all that
 * is needed here but cutting files off. */
static void
restrict_files(const char *folder)
{
	const struct landlock_ruleset_attr all = {
		.handled_access_fs = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1
	};
	const struct landlock_path_beneath_attr below = {
		.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE |
		    LANDLOCK_ACCESS_FS_WRITE_FILE |
		    LANDLOCK_ACCESS_FS_READ_DIR |
		    LANDLOCK_ACCESS_FS_REMOVE_FILE |
		    LANDLOCK_ACCESS_FS_MAKE_REG,
		.parent_fd = open(folder, O_PATH | O_CLOEXEC)
	};
	int rules =
	    (int)syscall(SYS_landlock_create_ruleset, &all, sizeof(all), 0);

	require_success(below.parent_fd < 0 ? -1 : 0);
	if (rules >= 0) {
		require_success((int)syscall(SYS_landlock_add_rule, rules,
		    LANDLOCK_RULE_PATH_BENEATH, &below, 0));
		require_success(
		    (int)syscall(SYS_landlock_restrict_self, rules, 0));
		close(rules);
	}
	close(below.parent_fd);
}

void
sandbox_enter(enum sandbox_sockets sockets)
{
	limit_process();
	filter_system_calls(sockets, FILES_NONE);
}

void
sandbox_enter_folder(enum sandbox_sockets sockets, const char *folder)
{
	limit_process();
	restrict_files(folder);
	filter_system_calls(sockets, FILES_OPEN);
}

#else

void
sandbox_enter(enum sandbox_sockets sockets)
{
	(void)sockets;
}

void
sandbox_enter_folder(enum sandbox_sockets sockets, const char *folder)
{
	(void)sockets;
	(void)folder;
}

#endif
