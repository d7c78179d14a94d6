/*
 * Work that several fibers want at the same time: one of them does it, and the others wait for its
 * result ("single flight", as in Go's package golang.org/x/sync/singleflight).
 *
 *	static struct single_flights flights;
 *	struct single_flight own;
 *	int result;
 *
 *	if (single_flight_wait(&flights, key, &result))
 *		return result;			what it made is in a cache
 *	single_flight_begin(&flights, &own, key);
 *	result = work();			may wait for anything
 *	single_flight_end(&flights, &own, result);
 */
#pragma once

#include <stdbool.h>

#include "base/text.h"

struct single_flight_waiter;

struct single_flight {
	struct text key;
	struct single_flight_waiter *waiters;
	struct single_flight *next;
};

/* What is being done, initialized as zeros. */
struct single_flights {
	struct single_flight *first;
};

/* Waits until what is being done under that key has ended, and sets *result. False, at once, if
 * nothing is, or outside of a fiber. */
bool single_flight_wait(
    struct single_flights *flights, struct text key, int *result);

/* The key has to stay until the end. Both may be called outside of a fiber. */
void single_flight_begin(struct single_flights *flights,
    struct single_flight *flight, struct text key);

/* Has those who wait go on, with that result, in the next turn of the worker's loop. */
void single_flight_end(
    struct single_flights *flights, struct single_flight *flight, int result);
