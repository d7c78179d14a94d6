/* The background: jobs that take long, while fibers wait for them. */
#include "base/background.h"

#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

#include "../support/fixture.h"
#include "base/fiber.h"

/* A job that ends when it is let go, and the fiber that waits for it. */
struct task {
	struct background *background;
	sem_t *gate;
	pthread_t thread; /* that ran it */
	bool ran, was_taken, ended;
};

static void
job(void *data)
{
	struct task *task = data;

	if (task->gate != NULL)
		sem_wait(task->gate);
	task->thread = pthread_self();
	task->ran = true;
}

static void
run_job(void *data)
{
	struct task *task = data;

	task->was_taken = background_run(task->background, job, task);
	task->ended = true;
}

/* As the worker's loop does, until all have ended. */
static void
loop(struct background *background, struct task *tasks, size_t count)
{
	struct pollfd ready = { .fd = background_descriptor(background),
		.events = POLLIN };

	for (size_t i = 0; i < count; i++)
		while (!tasks[i].ended) {
			assert_int_equal(poll(&ready, 1, 5000), 1);
			background_ready(background);
		}
}

static void
jobs_run_in_a_thread_while_their_fibers_wait(void **state)
{
	struct background *background = background_new();
	struct task tasks[3];
	sem_t gate;

	(void)state;
	sem_init(&gate, 0, 0);
	for (int i = 0; i < 3; i++) {
		tasks[i] = (struct task){ background, &gate, .ran = false };
		fiber_start(run_job, &tasks[i]);
		assert_false(tasks[i].ended);
	}
	for (int i = 0; i < 3; i++)
		sem_post(&gate);
	loop(background, tasks, 3);
	for (int i = 0; i < 3; i++) {
		assert_true(tasks[i].was_taken && tasks[i].ran);
		assert_false(pthread_equal(tasks[i].thread, pthread_self()));
	}
}

static void
more_than_may_wait_are_refused(void **state)
{
	struct background *background = background_new();
	struct task tasks[BACKGROUND_MAX + 1];
	sem_t gate;

	(void)state;
	sem_init(&gate, 0, 0);
	for (int i = 0; i < BACKGROUND_MAX + 1; i++) {
		tasks[i] = (struct task){ background, &gate, .ran = false };
		fiber_start(run_job, &tasks[i]);
	}
	assert_true(tasks[BACKGROUND_MAX].ended);
	assert_false(tasks[BACKGROUND_MAX].was_taken);
	assert_false(tasks[BACKGROUND_MAX].ran);
	for (int i = 0; i < BACKGROUND_MAX; i++)
		sem_post(&gate);
	loop(background, tasks, BACKGROUND_MAX);
	/* There is room again. */
	sem_post(&gate);
	tasks[0] = (struct task){ background, &gate, .ran = false };
	fiber_start(run_job, &tasks[0]);
	loop(background, tasks, 1);
	assert_true(tasks[0].was_taken && tasks[0].ran);
}

static void
without_a_fiber_or_a_background_a_job_runs_at_once(void **state)
{
	struct task task = { background_new(), NULL, .ran = false };

	(void)state;
	run_job(&task);
	assert_true(task.was_taken && task.ran);
	assert_true(pthread_equal(task.thread, pthread_self()));
	task = (struct task){ NULL, NULL, .ran = false };
	fiber_start(run_job, &task);
	assert_true(task.ended && task.ran);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs_run_in_a_thread_while_their_fibers_wait),
		cmocka_unit_test(more_than_may_wait_are_refused),
		cmocka_unit_test(
		    without_a_fiber_or_a_background_a_job_runs_at_once),
	};

	return cmocka_run_group_tests_name("background", tests, NULL, NULL);
}
