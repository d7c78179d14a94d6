/* Counters: slots of workers that fork, count and die. */
#include "base/counters.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../support/fixture.h"

enum { VOTES = 1000, MANY = 10000 };

/* Runs a worker that counts votes, says that it is done, and waits to be killed. */
static pid_t
start_worker(struct counters *counters, enum counters_start start)
{
	int done[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe(done), 0);
	pid = fork();
	if (pid == 0) {
		counters_use(counters, start);
		for (int i = 0; i < VOTES; i++)
			counters_add(COUNTER_VOTES, 1);
		counters_set_gauge(GAUGE_CONNECTIONS, 3);
		(void)!write(done[1], "x", 1);
		for (;;)
			pause();
	}
	assert_true(pid > 0);
	counters_set_running(counters, true);
	assert_int_equal(read(done[0], &byte, 1), 1);
	close(done[0]);
	close(done[1]);
	return pid;
}

static void
kill_worker(struct counters *counters, pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	counters_set_running(counters, false);
}

static void
nothing_falls_when_a_worker_is_killed(void **state)
{
	struct counters *slot = counters_take();
	pid_t first = start_worker(slot, COUNTERS_FIRST_START), second;

	(void)state;
	assert_int_equal(counters_sum(COUNTER_VOTES), VOTES);
	assert_int_equal(counters_sum(COUNTER_RESTARTS), 0);
	assert_int_equal(counters_running(), 1);
	assert_int_equal(counters_sum_gauge(GAUGE_CONNECTIONS), 3);
	kill_worker(slot, first);
	assert_int_equal(counters_sum(COUNTER_VOTES), VOTES);
	assert_int_equal(counters_running(), 0);
	assert_int_equal(counters_sum_gauge(GAUGE_CONNECTIONS), 0);
	second = start_worker(slot, COUNTERS_RESTART);
	assert_int_equal(counters_sum(COUNTER_VOTES), 2 * VOTES);
	assert_int_equal(counters_sum(COUNTER_RESTARTS), 1);
	assert_int_equal(counters_sum_gauge(GAUGE_CONNECTIONS), 3);
	kill_worker(slot, second);
	counters_release(slot);
	assert_int_equal(counters_sum(COUNTER_VOTES), 2 * VOTES);
}

/* As at a reload: the new workers start while the old ones run. */
static void
a_slot_has_one_worker_and_then_the_next(void **state)
{
	uint64_t before = counters_sum(COUNTER_VOTES);
	struct counters *old = counters_take(), *new = counters_take(), *next;
	pid_t old_pid = start_worker(old, COUNTERS_FIRST_START);
	pid_t new_pid = start_worker(new, COUNTERS_FIRST_START);

	(void)state;
	assert_ptr_not_equal(old, new);
	assert_int_equal(counters_running(), 2);
	assert_int_equal(counters_sum_gauge(GAUGE_CONNECTIONS), 6);
	kill_worker(old, old_pid);
	counters_release(old);
	assert_int_equal(counters_running(), 1);
	next = counters_take();
	assert_ptr_equal(next, old);
	assert_int_equal(counters_sum(COUNTER_VOTES), before + 2 * VOTES);
	kill_worker(new, new_pid);
	counters_release(new);
	counters_release(next);
	assert_int_equal(counters_sum(COUNTER_VOTES), before + 2 * VOTES);
}

static void
without_a_free_slot_a_worker_counts_for_itself(void **state)
{
	uint64_t before = counters_sum(COUNTER_VOTES);
	struct counters *taken[MANY];
	size_t count = 0;
	pid_t pid;

	(void)state;
	while (count < MANY && (taken[count] = counters_take()) != NULL)
		count++;
	assert_true(count >= 3 * 256 && count < MANY);
	pid = start_worker(NULL, COUNTERS_FIRST_START);
	assert_int_equal(counters_sum(COUNTER_VOTES), before);
	kill_worker(NULL, pid);
	counters_release(NULL);
	while (count > 0)
		counters_release(taken[--count]);
}

static void
other_processes_count_for_themselves(void **state)
{
	uint64_t before = counters_sum(COUNTER_VOTES);

	(void)state;
	counters_add(COUNTER_VOTES, 5);
	assert_int_equal(counters_sum(COUNTER_VOTES), before);
}

static uint64_t
sum_of_time(int64_t microseconds, unsigned bucket)
{
	size_t counter = counters_of_time(bucket);
	uint64_t before = counters_sum(counter);

	counters_add_time(microseconds);
	return counters_sum(counter) - before;
}

static void
requests_are_counted_by_time_and_class(void **state)
{
	static const unsigned statuses[] = { 200, 303, 404, 503, 100, 600, 0 };
	struct counters *own = counters_own, *slot = counters_take();

	(void)state;
	counters_use(slot, COUNTERS_FIRST_START);
	assert_int_equal(sum_of_time(0, 0), 1);
	assert_int_equal(sum_of_time(1000, 0), 1);
	assert_int_equal(sum_of_time(1001, 1), 1);
	assert_int_equal(sum_of_time(2000000, COUNTER_TIME_BOUNDS - 1), 1);
	assert_int_equal(sum_of_time(2000001, COUNTER_TIME_BOUNDS), 1);
	assert_int_equal(counters_sum(COUNTER_MICROSECONDS), 4002002);
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++)
		counters_add_request(COUNTER_ROUTES_MAX, statuses[i]);
	for (unsigned class = 0; class < COUNTER_CLASSES; class ++)
		assert_int_equal(counters_sum(counters_of_request(
				     COUNTER_ROUTES_MAX, class)),
		    1);
	assert_int_equal(counters_sum(counters_of_request(0, 0)), 0);
	counters_own = own;
	counters_release(slot);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_falls_when_a_worker_is_killed),
		cmocka_unit_test(a_slot_has_one_worker_and_then_the_next),
		cmocka_unit_test(
		    without_a_free_slot_a_worker_counts_for_itself),
		cmocka_unit_test(other_processes_count_for_themselves),
		cmocka_unit_test(requests_are_counted_by_time_and_class),
	};

	counters_share();
	return cmocka_run_group_tests_name("counters", tests, NULL, NULL);
}
