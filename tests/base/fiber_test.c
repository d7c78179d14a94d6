/* Fibers: yielding in the middle, resuming, and reusing stacks. */
#include "base/fiber.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "../support/fixture.h"

struct counter {
	struct fiber *fiber;
	int steps, limit;
	bool ended;
};

static void
count_up(void *data)
{
	struct counter *counter = data;

	counter->fiber = fiber_current();
	while (counter->steps < counter->limit) {
		counter->steps++;
		fiber_suspend();
		assert_ptr_equal(fiber_current(), counter->fiber);
	}
	counter->ended = true;
}

static void
runs_until_it_yields(void **state)
{
	struct counter counter = { .limit = 2 };

	(void)state;
	assert_null(fiber_current());
	fiber_start(count_up, &counter);
	assert_null(fiber_current());
	assert_int_equal(counter.steps, 1);
	fiber_resume(counter.fiber);
	assert_int_equal(counter.steps, 2);
	assert_false(counter.ended);
	fiber_resume(counter.fiber);
	assert_true(counter.ended);
}

static void
fiber_may_end_without_yielding(void **state)
{
	struct counter counter = { .limit = 0 };

	(void)state;
	fiber_start(count_up, &counter);
	assert_true(counter.ended);
	assert_null(fiber_current());
}

/* Those that are suspended stay, and a fiber can be started again. */
static void
trimming_frees_what_has_ended(void **state)
{
	struct counter waiting = { .limit = 1 }, ended = { .limit = 0 };

	(void)state;
	fiber_start(count_up, &waiting);
	fiber_start(count_up, &ended);
	fiber_trim();
	fiber_trim();
	ended = (struct counter){ .limit = 0 };
	fiber_start(count_up, &ended);
	assert_true(ended.ended);
	fiber_resume(waiting.fiber);
	assert_true(waiting.ended);
}

static void
many_take_turns(void **state)
{
	enum { COUNT = 500, TURNS = 20 };
	struct counter *counters = calloc(COUNT, sizeof(*counters));

	(void)state;
	for (int i = 0; i < COUNT; i++) {
		counters[i].limit = TURNS;
		fiber_start(count_up, &counters[i]);
	}
	for (int turn = 0; turn < TURNS; turn++)
		for (int i = 0; i < COUNT; i++)
			fiber_resume(counters[(i * 7) % COUNT].fiber);
	for (int i = 0; i < COUNT; i++) {
		assert_int_equal(counters[i].steps, TURNS);
		assert_true(counters[i].ended);
	}
	free(counters);
}

static void
stacks_are_reused(void **state)
{
	enum { COUNT = 50 };
	struct counter first[COUNT] = { 0 };
	int reused = 0;

	(void)state;
	for (int i = 0; i < COUNT; i++) {
		first[i].limit = 1;
		fiber_start(count_up, &first[i]);
	}
	for (int i = 0; i < COUNT; i++)
		fiber_resume(first[i].fiber);
	for (int round = 0; round < 1000; round++) {
		struct counter counter = { .limit = 1 };

		fiber_start(count_up, &counter);
		for (int i = 0; i < COUNT; i++)
			reused += counter.fiber == first[i].fiber;
		fiber_resume(counter.fiber);
		assert_true(counter.ended);
	}
	assert_int_equal(reused, 1000);
}

/* Yields at the bottom of nested calls, each with something on the stack. */
static int
descend(int depth)
{
	volatile char filled[512];
	int sum;

	memset((char *)filled, depth, sizeof(filled));
	if (depth == 0) {
		fiber_suspend();
		return 0;
	}
	sum = descend(depth - 1);
	for (size_t i = 0; i < sizeof(filled); i++)
		assert_int_equal(filled[i], depth);
	return sum + depth;
}

struct descent {
	struct fiber *fiber;
	int sum;
};

static void
go_deep(void *data)
{
	struct descent *descent = data;

	descent->fiber = fiber_current();
	for (int i = 0; i < 3; i++)
		descent->sum += descend(40);
}

static void
yields_from_deep_calls(void **state)
{
	struct descent descents[10] = { 0 };

	(void)state;
	for (int i = 0; i < 10; i++)
		fiber_start(go_deep, &descents[i]);
	for (int turn = 0; turn < 3; turn++)
		for (int i = 0; i < 10; i++)
			fiber_resume(descents[i].fiber);
	for (int i = 0; i < 10; i++)
		assert_int_equal(descents[i].sum, 3 * 40 * 41 / 2);
}

struct waker {
	struct counter *sleeper;
	struct fiber *fiber;
	bool ended;
};

static void
wake(void *data)
{
	struct waker *waker = data;

	waker->fiber = fiber_current();
	fiber_resume(waker->sleeper->fiber);
	assert_ptr_equal(fiber_current(), waker->fiber);
	fiber_suspend();
	waker->ended = true;
}

/* As when a fiber finds Redis gone and fails the others that wait for it. */
static void
fiber_wakes_another(void **state)
{
	struct counter sleeper = { .limit = 2 };
	struct waker waker = { .sleeper = &sleeper };

	(void)state;
	fiber_start(count_up, &sleeper);
	fiber_start(wake, &waker);
	assert_int_equal(sleeper.steps, 2);
	assert_null(fiber_current());
	assert_false(waker.ended);
	fiber_resume(waker.fiber);
	assert_true(waker.ended);
	fiber_resume(sleeper.fiber);
	assert_true(sleeper.ended);
}

static void
block_a_signal(void *data)
{
	struct counter *counter = data;
	sigset_t set;

	counter->fiber = fiber_current();
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fiber_suspend();
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* Setting it would be a system call at every switch. */
static void
switching_leaves_the_signal_mask_alone(void **state)
{
	struct counter counter = { .limit = 0 };
	sigset_t set;

	(void)state;
	fiber_start(block_a_signal, &counter);
	sigprocmask(SIG_BLOCK, NULL, &set);
	assert_int_equal(sigismember(&set, SIGUSR1), 1);
	fiber_resume(counter.fiber);
	sigprocmask(SIG_BLOCK, NULL, &set);
	assert_int_equal(sigismember(&set, SIGUSR1), 0);
}

/* Works until it has given way so many times. */
struct worker {
	int turns, limit;
	bool ended;
};

static void
work_long(void *data)
{
	struct worker *worker = data;

	while (worker->turns < worker->limit)
		fiber_yield();
	worker->ended = true;
}

/* A long computation yields, and others run before it continues. */
static void
long_work_yields(void **state)
{
	struct worker one = { .limit = 5 }, other = { .limit = 3 };
	struct counter quick = { .limit = 0 };

	(void)state;
	fiber_start(work_long, &one);
	fiber_start(work_long, &other);
	assert_true(fiber_any_yielded());
	fiber_start(count_up, &quick);
	assert_true(quick.ended);
	for (int turn = 1; fiber_any_yielded(); turn++) {
		assert_false(one.ended);
		one.turns = other.turns = turn;
		fiber_resume_yielded();
		assert_int_equal(other.ended, turn >= other.limit);
	}
	assert_true(one.ended);
	/* Outside of a fiber it goes straight on. */
	fiber_yield();
	assert_false(fiber_any_yielded());
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_until_it_yields),
		cmocka_unit_test(fiber_may_end_without_yielding),
		cmocka_unit_test(trimming_frees_what_has_ended),
		cmocka_unit_test(many_take_turns),
		cmocka_unit_test(stacks_are_reused),
		cmocka_unit_test(yields_from_deep_calls),
		cmocka_unit_test(fiber_wakes_another),
		cmocka_unit_test(long_work_yields),
		cmocka_unit_test(switching_leaves_the_signal_mask_alone),
	};

	return cmocka_run_group_tests_name("fiber", tests, NULL, NULL);
}
