/*
 * A wall clock that a test can move: loaded with LD_PRELOAD into the test's
 * Redis, and built without sanitizers, since Redis has none.
 *
 * The file that TALLY_TEST_CLOCK names, mapped by both sides, holds two int64:
 * the seconds to add, and the moment at which the clock is stopped, 0 while it runs.
 * A move holds for the next reading. CLOCK_MONOTONIC stays as it is; Redis times itself by it.
 * The real function, which is many times as fast as the system call, is looked up once; what
 * that calls asks the kernel.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct moved {
	_Atomic int64_t offset, stopped;
};

static struct moved *moved;
static int (*real_gettime)(clockid_t clock, struct timespec *moment);

static void __attribute__((constructor))
map_moved(void)
{
	const char *path = getenv("TALLY_TEST_CLOCK");
	int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	void *memory;

	if (file < 0)
		return;
	memory = mmap(NULL, sizeof(*moved), PROT_READ, MAP_SHARED, file, 0);
	close(file);
	if (memory != MAP_FAILED)
		moved = memory;
}

static void __attribute__((constructor))
find_real(void)
{
	*(void **)&real_gettime = dlsym(RTLD_NEXT, "clock_gettime");
}

int
clock_gettime(clockid_t clock, struct timespec *moment)
{
	long failed = real_gettime != NULL
	    ? real_gettime(clock, moment)
	    : syscall(SYS_clock_gettime, clock, moment);

	if (failed != 0 || moved == NULL ||
	    (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE))
		return (int)failed;
	moment->tv_sec += moved->offset;
	if (moved->stopped != 0)
		*moment = (struct timespec){ moved->stopped, 0 };
	return 0;
}

int
gettimeofday(struct timeval *restrict moment, void *restrict zone)
{
	struct timespec now;

	(void)zone;
	if (clock_gettime(CLOCK_REALTIME, &now) != 0)
		return -1;
	moment->tv_sec = now.tv_sec;
	moment->tv_usec = now.tv_nsec / 1000;
	return 0;
}

time_t
time(time_t *place)
{
	struct timespec now;

	if (clock_gettime(CLOCK_REALTIME, &now) != 0)
		return -1;
	if (place != NULL)
		*place = now.tv_sec;
	return now.tv_sec;
}
