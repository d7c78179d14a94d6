#include "os/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
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
allow_harmless_arguments(scmp_filter_ctx filter, enum sandbox_redis redis)
{
	if (redis == SANDBOX_UNIX_SOCKET) {
		allow_sockets(filter, AF_UNIX);
	} else {
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
filter_system_calls(enum sandbox_redis redis)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));

	if (filter == NULL)
		log_fatal("cannot confine a worker");
	/* Also applies it to threads that run already. */
	require_filter(seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1));
	for (size_t i = 0; i < sizeof(allowed) / sizeof(allowed[0]); i++) {
		int error =
		    seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0);

		/* -EDOM: this architecture does not have the call. */
		if (error != -EDOM)
			require_filter(error);
	}
	allow_harmless_arguments(filter, redis);
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

void
sandbox_enter(enum sandbox_redis redis)
{
	limit_resource(RLIMIT_AS, (rlim_t)1 << 30);
	limit_resource(RLIMIT_NOFILE, 4096);
	limit_resource(RLIMIT_CORE, 0);
	require_success(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	filter_system_calls(redis);
}

#else

void
sandbox_enter(enum sandbox_redis redis)
{
	(void)redis;
}

#endif
