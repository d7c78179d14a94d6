#include "base/single_flight.h"

#include "base/fiber.h"

/* On the stack of the fiber that waits. */
struct single_flight_waiter {
	struct fiber *fiber;
	int result;
	SLIST_ENTRY(single_flight_waiter) next;
};

static struct single_flight *
find_flight(struct single_flights *flights, struct text key)
{
	struct single_flight *flight;

	SLIST_FOREACH(flight, flights, next)
		if (text_equal(flight->key, key))
			return flight;
	return NULL;
}

bool
single_flight_wait(struct single_flights *flights, struct text key, int *result)
{
	struct single_flight_waiter waiter = { .fiber = fiber_current() };
	struct single_flight *flight = find_flight(flights, key);

	if (waiter.fiber == NULL || flight == NULL)
		return false;
	SLIST_INSERT_HEAD(&flight->waiters, &waiter, next);
	fiber_suspend();
	*result = waiter.result;
	return true;
}

void
single_flight_begin(struct single_flights *flights,
    struct single_flight *flight, struct text key)
{
	*flight = (struct single_flight){ .key = key };
	SLIST_INSERT_HEAD(flights, flight, next);
}

void
single_flight_end(
    struct single_flights *flights, struct single_flight *flight, int result)
{
	struct single_flight_waiter *waiter;

	SLIST_REMOVE(flights, flight, single_flight, next);
	SLIST_FOREACH(waiter, &flight->waiters, next) {
		waiter->result = result;
		fiber_resume_later(waiter->fiber);
	}
}
