#include "base/single_flight.h"

#include "base/fiber.h"

/* On the stack of the fiber that waits. */
struct single_flight_waiter {
	struct fiber *fiber;
	int result;
	struct single_flight_waiter *next;
};

static struct single_flight *
find_flight(const struct single_flights *flights, struct text key)
{
	struct single_flight *flight = flights->first;

	while (flight != NULL && !text_equal(flight->key, key))
		flight = flight->next;
	return flight;
}

bool
single_flight_wait(struct single_flights *flights, struct text key, int *result)
{
	struct single_flight *flight = find_flight(flights, key);
	struct single_flight_waiter waiter = { .fiber = fiber_current() };

	if (waiter.fiber == NULL || flight == NULL)
		return false;
	waiter.next = flight->waiters;
	flight->waiters = &waiter;
	fiber_suspend();
	*result = waiter.result;
	return true;
}

void
single_flight_begin(struct single_flights *flights,
    struct single_flight *flight, struct text key)
{
	*flight = (struct single_flight){ .key = key, .next = flights->first };
	flights->first = flight;
}

static void
remove_flight(struct single_flights *flights, struct single_flight *flight)
{
	struct single_flight **link = &flights->first;

	while (*link != flight)
		link = &(*link)->next;
	*link = flight->next;
}

void
single_flight_end(
    struct single_flights *flights, struct single_flight *flight, int result)
{
	struct single_flight_waiter *waiter = flight->waiters;

	remove_flight(flights, flight);
	for (; waiter != NULL; waiter = waiter->next) {
		waiter->result = result;
		fiber_resume_later(waiter->fiber);
	}
}
