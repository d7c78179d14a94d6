/*
 * Counts of what a worker does, in memory that all processes of the site share: each worker
 * has a slot that it alone writes, and a reader sums the slots.
 *
 * A slot keeps its counts when its worker ends, and the next worker that takes it goes on
 * from there: so no sum ever falls, and nothing has to be moved at the right moment. Only a
 * worker's loop counts, not its background thread. Other processes count for themselves
 * alone, which nobody reads.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Requests are counted by their time: up to each of these microseconds, in seconds as
 * metrics show it, and longer. */
#define COUNTER_TIMES(TIME) \
	TIME(1000, "0.001") \
	TIME(2500, "0.0025") \
	TIME(5000, "0.005") \
	TIME(10000, "0.01") \
	TIME(25000, "0.025") \
	TIME(100000, "0.1") \
	TIME(500000, "0.5") \
	TIME(2000000, "2")

enum {
#define COUNTER_TIME_ONE(microseconds, seconds) +1
	COUNTER_TIME_BOUNDS = COUNTER_TIMES(COUNTER_TIME_ONE),
#undef COUNTER_TIME_ONE
	COUNTER_ROUTES_MAX = 176,
	COUNTER_CLASSES = 4 /* of status: 2xx to 5xx */
};

/* The counters, and the first of those that are found by counters_of_request and
 * counters_of_time. */
enum {
	COUNTER_RESTARTS, /* of the worker, after an end that nobody asked for */
	COUNTER_REDIS_TRIPS,
	COUNTER_REDIS_COMMANDS,
	COUNTER_REDIS_SENT, /* bytes */
	COUNTER_REDIS_RECEIVED,
	COUNTER_LOGINS,
	COUNTER_LOGINS_FAILED,	/* the name or the password was wrong */
	COUNTER_LOGINS_LIMITED, /* refused after too many */
	COUNTER_ARTICLES,
	COUNTER_COMMENTS,
	COUNTER_VOTES,
	COUNTER_MICROSECONDS, /* of all requests */
	COUNTER_TIMES_FIRST,  /* those up to the first bound */
	COUNTER_TIMES_LAST = COUNTER_TIMES_FIRST + COUNTER_TIME_BOUNDS,
	COUNTER_REQUESTS, /* of route 0 with class 0, and so on; the last route is none */
	COUNTERS = COUNTER_REQUESTS + (COUNTER_ROUTES_MAX + 1) * COUNTER_CLASSES
};

/* What a worker has now, and has no more when it ends. */
enum gauge { GAUGE_CONNECTIONS, GAUGES };

struct counters {
	_Alignas(64) _Atomic uint64_t counts[COUNTERS];
	_Atomic uint64_t gauges[GAUGES];
	atomic_bool is_running;
};

/* The slot of this process. */
extern struct counters *counters_own;

/* Makes room for the slots; call it before any process is forked. */
void counters_share(void);

/*
 * In the parent of the workers: takes a slot that no worker has; NULL when there is none,
 * or nothing is shared, and then the worker is not counted. A slot that was taken is
 * released when its worker is not started again. NULL is no slot in any of these.
 */
struct counters *counters_take(void);
void counters_set_running(struct counters *counters, bool is_running);
void counters_release(struct counters *counters);

enum counters_start { COUNTERS_FIRST_START, COUNTERS_RESTART };

/* In a worker: counts there from now on. */
void counters_use(struct counters *counters, enum counters_start start);

/* A counter summed over all slots; a gauge summed over running workers; and their number. */
uint64_t counters_sum(size_t counter);
uint64_t counters_sum_gauge(enum gauge gauge);
uint64_t counters_running(void);

/* Not atomic as a whole, which would take 20 times as long: each slot has one writer. */
static inline void
counters_add(size_t counter, uint64_t amount)
{
	_Atomic uint64_t *count = &counters_own->counts[counter];

	atomic_store_explicit(count,
	    atomic_load_explicit(count, memory_order_relaxed) + amount,
	    memory_order_relaxed);
}

void counters_set_gauge(enum gauge gauge, uint64_t value);

/* The counter of requests for a route, COUNTER_ROUTES_MAX for none, with a class of status:
 * 0 is 2xx. */
static inline size_t
counters_of_request(size_t route, unsigned class)
{
	return COUNTER_REQUESTS + route * COUNTER_CLASSES + class;
}

/* The counter of requests up to a bound of COUNTER_TIMES, by its number; the last one, up to
 * COUNTER_TIME_BOUNDS, has the longer ones. */
static inline size_t
counters_of_time(size_t bound)
{
	return COUNTER_TIMES_FIRST + bound;
}

/* Counts a request by its route and its HTTP status; and by its time. */
void counters_add_request(size_t route, unsigned status);
void counters_add_time(int64_t microseconds);
