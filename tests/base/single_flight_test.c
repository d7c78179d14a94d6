/* Work that is done once for all fibers that want it at the same time. */
#include "base/single_flight.h"

#include "../support/fixture.h"
#include "base/fiber.h"

struct work {
	struct single_flights flights;
	struct fiber
	    *worker; /* the fiber that does it, suspended in the middle */
	int done, result;
};

struct request {
	struct work *work;
	struct text key;
	int result;
	bool waited;
};

static void
want(void *data)
{
	struct request *request = data;
	struct work *work = request->work;
	struct single_flight own;

	request->waited =
	    single_flight_wait(&work->flights, request->key, &request->result);
	if (request->waited)
		return;
	single_flight_begin(&work->flights, &own, request->key);
	work->worker = fiber_current();
	fiber_suspend();
	work->done++;
	request->result = work->result;
	single_flight_end(&work->flights, &own, work->result);
}

static void
one_does_it_for_all(void **state)
{
	struct work work = { .result = 7 };
	struct request requests[4];

	(void)state;
	for (int i = 0; i < 4; i++) {
		requests[i] = (struct request){ &work, TEXT("best"), 0, false };
		fiber_start(want, &requests[i]);
	}
	fiber_resume(work.worker);
	/* They go on in the next turn of the loop. */
	assert_int_equal(requests[1].result, 0);
	fiber_resume_yielded();
	assert_int_equal(work.done, 1);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(requests[i].result, 7);
		assert_int_equal(requests[i].waited, i > 0);
	}
	/* A later request does the work again. */
	fiber_start(want, &requests[3]);
	fiber_resume(work.worker);
	assert_int_equal(work.done, 2);
	assert_false(requests[3].waited);
	assert_null(work.flights.first);
}

static void
other_work_does_not_wait(void **state)
{
	struct work work = { .result = 1 };
	struct request best = { &work, TEXT("best"), 0, false };
	struct request newest = { &work, TEXT("new"), 0, false };
	struct fiber *first;

	(void)state;
	fiber_start(want, &best);
	first = work.worker;
	fiber_start(want, &newest);
	assert_ptr_not_equal(work.worker, first);
	fiber_resume(first);
	assert_int_equal(best.result, 1);
	assert_int_equal(newest.result, 0);
	fiber_resume(work.worker);
	assert_int_equal(newest.result, 1);
	assert_null(work.flights.first);
}

static void
outside_of_a_fiber_nobody_waits(void **state)
{
	struct work work = { .result = 1 };
	struct request best = { &work, TEXT("best"), 0, false };
	struct single_flight own;
	int result;

	(void)state;
	fiber_start(want, &best);
	assert_false(single_flight_wait(&work.flights, TEXT("best"), &result));
	single_flight_begin(&work.flights, &own, TEXT("best"));
	single_flight_end(&work.flights, &own, 0);
	fiber_resume(work.worker);
	assert_null(work.flights.first);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_does_it_for_all),
		cmocka_unit_test(other_work_does_not_wait),
		cmocka_unit_test(outside_of_a_fiber_nobody_waits),
	};

	return cmocka_run_group_tests_name("single_flight", tests, NULL, NULL);
}
