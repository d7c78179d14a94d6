#include "base/clock.h"

#include <time.h>

static int64_t
microseconds_of(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t
clock_monotonic_us(void)
{
	return microseconds_of(CLOCK_MONOTONIC);
}

int64_t
clock_thread_us(void)
{
	return microseconds_of(CLOCK_THREAD_CPUTIME_ID);
}

int64_t
clock_monotonic_ms(void)
{
	return clock_monotonic_us() / 1000;
}
