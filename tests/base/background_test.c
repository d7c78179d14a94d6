/* Background threads: long jobs, for which fibers wait. */
#include "base/background.h"

#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../support/fixture.h"
#include "base/fiber.h"

/* A job that ends when it is let go, and the fiber that waits for it. */
struct task {
	struct background *background;
	sem_t *gate;
	atomic_bool *has_to_end;
	struct task *other;
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
		tasks[i] = (struct task){ background, .gate = &gate };
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
jobs_beyond_the_queue_are_refused(void **state)
{
	struct background *background = background_new();
	struct task tasks[BACKGROUND_MAX + 1];
	sem_t gate;

	(void)state;
	sem_init(&gate, 0, 0);
	for (int i = 0; i < BACKGROUND_MAX + 1; i++) {
		tasks[i] = (struct task){ background, .gate = &gate };
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
	tasks[0] = (struct task){ background, .gate = &gate };
	fiber_start(run_job, &tasks[0]);
	loop(background, tasks, 1);
	assert_true(tasks[0].was_taken && tasks[0].ran);
}

static void
without_a_fiber_or_a_background_a_job_runs_at_once(void **state)
{
	struct task task = { background_new(), .ran = false };

	(void)state;
	run_job(&task);
	assert_true(task.was_taken && task.ran);
	assert_true(pthread_equal(task.thread, pthread_self()));
	task = (struct task){ .ran = false };
	fiber_start(run_job, &task);
	assert_true(task.ended && task.ran);
}

static int64_t
processor_ms(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Uses CPU time until it is asked to end, or for 30 ms. */
static void
calculate(void *data)
{
	struct task *task = data;
	int64_t end = processor_ms() + 30;

	while (task->has_to_end != NULL ? !atomic_load(task->has_to_end)
					: processor_ms() < end)
		continue;
}

static void
run_calculation(void *data)
{
	struct task *task = data;

	task->was_taken = background_run(task->background, calculate, task);
	task->ended = true;
}

static void
wait_until_stuck(struct background *background)
{
	for (int i = 0; i < 5000 && !background_is_stuck(background); i++)
		usleep(1000);
	assert_true(background_is_stuck(background));
}

static void
job_that_never_ends_is_stuck(void **state)
{
	struct background *background = background_new();
	struct task task = { background, .ran = false };
	atomic_bool has_to_end = false;
	sem_t gate;

	(void)state;
	sem_init(&gate, 0, 0);
	task.gate = &gate;
	background_set_limits(background, INT32_MAX, 0);
	assert_false(background_is_stuck(background));
	fiber_start(run_job, &task);
	wait_until_stuck(background);
	/* One that is blocked takes no processor time. */
	background_set_limits(background, 1, INT32_MAX);
	assert_false(background_is_stuck(background));
	sem_post(&gate);
	loop(background, &task, 1);
	assert_false(background_is_stuck(background));
	task = (struct task){ background, .has_to_end = &has_to_end };
	fiber_start(run_calculation, &task);
	wait_until_stuck(background);
	atomic_store(&has_to_end, true);
	loop(background, &task, 1);
	assert_false(background_is_stuck(background));
}

/* Ten jobs of 30 ms, each of which may take 60. */
static void
long_queue_is_not_stuck(void **state)
{
	enum { JOBS = 10 };
	struct background *background = background_new();
	struct task tasks[JOBS];

	(void)state;
	background_set_limits(background, 60, INT32_MAX);
	for (int i = 0; i < JOBS; i++) {
		tasks[i] = (struct task){ background, .ran = false };
		fiber_start(run_calculation, &tasks[i]);
	}
	while (!tasks[JOBS - 1].ended) {
		assert_false(background_is_stuck(background));
		background_ready(background);
	}
}

/* Yields until another job has run. */
static void
wait_for_other(void *data)
{
	struct task *task = data;

	while (!task->other->ran)
		background_yield(task->background);
	task->ran = true;
}

static void
run_wait(void *data)
{
	struct task *task = data;

	task->was_taken =
	    background_run(task->background, wait_for_other, task);
	task->ended = true;
}

static void
long_job_yields(void **state)
{
	struct background *background = background_new();
	struct task tasks[2] = { { background, .other = &tasks[1] },
		{ background, .ran = false } };

	(void)state;
	fiber_start(run_wait, &tasks[0]);
	fiber_start(run_job, &tasks[1]);
	loop(background, tasks, 2);
	assert_true(tasks[0].ran && tasks[1].ran);
}

/* What processes with a background each share. */
struct shared {
	atomic_int running, most, done;
};

static void
be_counted(void *data)
{
	struct shared *shared = data;
	int running = atomic_fetch_add(&shared->running, 1) + 1;

	if (running > atomic_load(&shared->most))
		atomic_store(&shared->most, running);
	usleep(20000);
	atomic_fetch_sub(&shared->running, 1);
	atomic_fetch_add(&shared->done, 1);
}

static void
stay(void *data)
{
	struct shared *shared = data;

	atomic_fetch_add(&shared->running, 1);
	pause();
}

struct job_of_process {
	struct background *background;
	void (*run)(void *data);
	struct shared *shared;
};

static void
run_job_of_process(void *data)
{
	struct job_of_process *job = data;

	assert_true(background_run(job->background, job->run, job->shared));
	_exit(0);
}

/* A process that runs one job and ends. */
static pid_t
start_process(void (*run)(void *data), struct shared *shared)
{
	pid_t pid = fork();

	if (pid == 0) {
		struct job_of_process task = { background_new(), run, shared };
		struct pollfd ready = { .fd = background_descriptor(
					    task.background),
			.events = POLLIN };

		fiber_start(run_job_of_process, &task);
		for (;;) {
			poll(&ready, 1, 5000);
			background_ready(task.background);
		}
	}
	assert_true(pid > 0);
	return pid;
}

static void
processes_take_turns_and_leave_them_when_they_die(void **state)
{
	enum { PROCESSES = 12 };
	long half = sysconf(_SC_NPROCESSORS_ONLN) / 2;
	long turns = half > 1 ? half : 1;
	struct shared *shared = mmap(NULL, sizeof(*shared),
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t dying[PROCESSES], process[PROCESSES];

	(void)state;
	assert_true(shared != MAP_FAILED);
	background_limit_cpus();
	/* Each of these has a turn, or waits for one with which another dies. */
	for (int i = 0; i < PROCESSES; i++)
		dying[i] = start_process(stay, shared);
	for (int i = 0; i < 6000 &&
	    atomic_load(&shared->running) <
		(turns < PROCESSES ? turns : PROCESSES);
	    i++)
		usleep(10000);
	usleep(50000);
	assert_int_equal(atomic_load(&shared->running),
	    turns < PROCESSES ? turns : PROCESSES);
	for (int i = 0; i < PROCESSES; i++)
		kill(dying[i], SIGKILL);
	for (int i = 0; i < PROCESSES; i++)
		assert_int_equal(waitpid(dying[i], NULL, 0), dying[i]);
	atomic_store(&shared->running, 0);
	for (int i = 0; i < PROCESSES; i++)
		process[i] = start_process(be_counted, shared);
	for (int i = 0; i < PROCESSES; i++)
		assert_int_equal(waitpid(process[i], NULL, 0), process[i]);
	assert_int_equal(atomic_load(&shared->done), PROCESSES);
	assert_true(atomic_load(&shared->most) <= turns);
	munmap(shared, sizeof(*shared));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs_run_in_a_thread_while_their_fibers_wait),
		cmocka_unit_test(jobs_beyond_the_queue_are_refused),
		cmocka_unit_test(
		    without_a_fiber_or_a_background_a_job_runs_at_once),
		cmocka_unit_test(job_that_never_ends_is_stuck),
		cmocka_unit_test(long_queue_is_not_stuck),
		cmocka_unit_test(long_job_yields),
		cmocka_unit_test(
		    processes_take_turns_and_leave_them_when_they_die),
	};

	return cmocka_run_group_tests_name("background", tests, NULL, NULL);
}
