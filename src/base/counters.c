#include "base/counters.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "base/log.h"

/* Three times the most workers: old and new ones at a reload, and those of a second reload. Slots
 * that were never taken are never touched, and take no memory. */
enum { SLOTS = 768 };

struct shared {
	struct counters slots[SLOTS];
	_Atomic unsigned
	    count; /* those that were ever taken are the first ones */
};

/* The slot of a process that is no worker. */
static struct counters unread;

struct counters *counters_own = &unread;

static struct shared *shared;

/* In the memory of the parent alone, which relies on it. */
static bool is_taken[SLOTS];

void
counters_share(void)
{
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (shared == MAP_FAILED)
		log_fatal("no memory for the counters: %s", strerror(errno));
}

struct counters *
counters_take(void)
{
	for (unsigned i = 0; shared != NULL && i < SLOTS; i++) {
		if (is_taken[i])
			continue;
		is_taken[i] = true;
		if (i >= atomic_load(&shared->count))
			atomic_store(&shared->count, i + 1);
		return &shared->slots[i];
	}
	return NULL;
}

void
counters_set_running(struct counters *counters, bool is_running)
{
	if (counters != NULL)
		atomic_store(&counters->is_running, is_running);
}

void
counters_release(struct counters *counters)
{
	if (counters == NULL)
		return;
	counters_set_running(counters, false);
	is_taken[counters - shared->slots] = false;
}

void
counters_use(struct counters *counters, enum counters_start start)
{
	if (counters == NULL)
		return;
	counters_own = counters;
	for (size_t i = 0; i < GAUGES; i++)
		counters_set_gauge((enum gauge)i, 0);
	if (start == COUNTERS_RESTART)
		counters_add(COUNTER_RESTARTS, 1);
}

/* The number of slots that have ever been taken: a worker could write anything there. */
static unsigned
count_slots(void)
{
	unsigned count = shared == NULL ? 0 : atomic_load(&shared->count);

	return count < SLOTS ? count : SLOTS;
}

uint64_t
counters_sum(size_t counter)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < count_slots(); i++)
		sum += atomic_load_explicit(
		    &shared->slots[i].counts[counter], memory_order_relaxed);
	return sum;
}

uint64_t
counters_sum_gauge(enum gauge gauge)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < count_slots(); i++)
		if (atomic_load(&shared->slots[i].is_running))
			sum += atomic_load_explicit(
			    &shared->slots[i].gauges[gauge],
			    memory_order_relaxed);
	return sum;
}

uint64_t
counters_running(void)
{
	uint64_t running = 0;

	for (unsigned i = 0; i < count_slots(); i++)
		running += atomic_load(&shared->slots[i].is_running);
	return running;
}

void
counters_set_gauge(enum gauge gauge, uint64_t value)
{
	atomic_store_explicit(
	    &counters_own->gauges[gauge], value, memory_order_relaxed);
}

void
counters_add_request(size_t route, unsigned status)
{
	unsigned class = status / 100 - 2;

	if (class < COUNTER_CLASSES)
		counters_add(counters_of_request(route, class), 1);
}

void
counters_add_time(int64_t microseconds)
{
	static const int64_t bounds[] = {
#define BOUND(microseconds, seconds) microseconds,
		COUNTER_TIMES(BOUND)
#undef BOUND
	};
	unsigned i = 0;

	while (i < COUNTER_TIME_BOUNDS && microseconds > bounds[i])
		i++;
	counters_add(counters_of_time(i), 1);
	counters_add(COUNTER_MICROSECONDS, (uint64_t)microseconds);
}
