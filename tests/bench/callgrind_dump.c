/*
 * Loaded into nginx, Redis and the workers while their instructions are counted: each
 * SIGPWR, which none of them uses, makes callgrind write its counts since the last one.
 *
 * callgrind itself works inside the process that it observes, and calls what a
 * worker may not: so the worker is not confined here.
 */
#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>
#include <valgrind/callgrind.h>

int seccomp_load(void *filter);

int
seccomp_load(void *filter)
{
	(void)filter;
	return 0;
}

int seccomp_attr_set(void *filter, int attribute, unsigned value);

/* callgrind does not know the system calls that libseccomp makes before that, either. */
int
seccomp_attr_set(void *filter, int attribute, unsigned value)
{
	(void)filter;
	(void)attribute;
	(void)value;
	return 0;
}

int
setrlimit(__rlimit_resource_t resource, const struct rlimit *limits)
{
	(void)resource;
	(void)limits;
	return 0;
}

static void
on_signal(int number)
{
	(void)number;
	CALLGRIND_DUMP_STATS;
}

__attribute__((constructor)) static void
begin(void)
{
	struct sigaction action = { .sa_handler = on_signal,
		.sa_flags = SA_RESTART };

	sigaction(SIGPWR, &action, NULL);
}
