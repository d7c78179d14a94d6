#include "base/background.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/queue.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fiber.h"
#include "base/log.h"

enum {
	LOWEST_PRIORITY = 19,
	/* A password takes 0.1 s of CPU time, the vote rings of a large site 1 s; at the
	 * lowest priority a busy machine takes minutes for that. */
	CPU_MAX_MS = 20 * 1000,
	WALL_MAX_MS = 300 * 1000
};

/* Lives on the stack of the fiber that waits for it. */
struct job {
	void (*run)(void *data);
	void *data;
	struct fiber *fiber;
	STAILQ_ENTRY(job) next;
};

STAILQ_HEAD(job_queue, job);

/* In memory shared by all processes; NULL without background_limit_cpus. */
static struct cpu_slots {
	size_t count;
	pthread_mutex_t slots[];
} *cpu_slots;

struct background {
	pthread_mutex_t lock; /* of the queues */
	pthread_cond_t changed;
	struct job_queue waiting, done;
	bool started;
	pthread_t thread;
	clockid_t cpu_clock; /* the thread's CPU time */
	/* Whether a job is running, and both clocks when it began. */
	bool running;
	int64_t began, cpu_began;
	int64_t cpu_max, wall_max;
	int descriptor; /* readable when jobs are done */
	int count;	/* of queued and running jobs; used by the loop alone */
};

/* On Linux the priority is a thread's, although POSIX says a process's. */
static void
lower_priority(void)
{
	setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), LOWEST_PRIORITY);
}

static struct job *
take_job(struct background *background)
{
	struct job *job;

	pthread_mutex_lock(&background->lock);
	while (STAILQ_EMPTY(&background->waiting))
		pthread_cond_wait(&background->changed, &background->lock);
	job = STAILQ_FIRST(&background->waiting);
	STAILQ_REMOVE_HEAD(&background->waiting, next);
	pthread_mutex_unlock(&background->lock);
	return job;
}

static void
finish_job(struct background *background, struct job *job)
{
	const uint64_t one = 1;

	pthread_mutex_lock(&background->lock);
	STAILQ_INSERT_TAIL(&background->done, job, next);
	pthread_mutex_unlock(&background->lock);
	(void)!write(background->descriptor, &one, sizeof(one));
}

void
background_limit_cpus(void)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	size_t count = processors < 4 ? 1 : (size_t)processors / 2;
	pthread_mutexattr_t shared;

	cpu_slots =
	    mmap(NULL, sizeof(*cpu_slots) + count * sizeof(cpu_slots->slots[0]),
		PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (cpu_slots == MAP_FAILED)
		log_fatal(
		    "out of memory: cannot share the limit of background jobs");
	cpu_slots->count = count;
	pthread_mutexattr_init(&shared);
	pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&shared, PTHREAD_MUTEX_ROBUST);
	for (size_t i = 0; i < count; i++)
		pthread_mutex_init(&cpu_slots->slots[i], &shared);
	pthread_mutexattr_destroy(&shared);
}

/* Whether a lock call succeeded. After EOWNERDEAD, the death of the owner, there is no
 * state to repair. */
static bool
is_locked(pthread_mutex_t *slot, int result)
{
	if (result == EOWNERDEAD)
		pthread_mutex_consistent(slot);
	return result == 0 || result == EOWNERDEAD;
}

/* Locks a free slot, or waits for the default one of this process. */
static pthread_mutex_t *
lock_cpu_slot(void)
{
	pthread_mutex_t *default_slot =
	    &cpu_slots->slots[(size_t)getpid() % cpu_slots->count];

	for (size_t i = 0; i < cpu_slots->count; i++)
		if (is_locked(&cpu_slots->slots[i],
			pthread_mutex_trylock(&cpu_slots->slots[i])))
			return &cpu_slots->slots[i];
	return is_locked(default_slot, pthread_mutex_lock(default_slot))
	    ? default_slot
	    : NULL;
}

/* CPU time of the running job. */
static int64_t
cpu_ms_of_job(const struct background *background)
{
	struct timespec time = { 0 };

	clock_gettime(background->cpu_clock, &time);
	return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000 -
	    background->cpu_began;
}

static void
record_start(struct background *background)
{
	pthread_mutex_lock(&background->lock);
	background->began = clock_monotonic_ms();
	background->cpu_began = 0;
	background->cpu_began = cpu_ms_of_job(background);
	background->running = true;
	pthread_mutex_unlock(&background->lock);
}

static void
record_end(struct background *background)
{
	pthread_mutex_lock(&background->lock);
	background->running = false;
	pthread_mutex_unlock(&background->lock);
}

static void
run_job(struct background *background, struct job *job)
{
	record_start(background);
	job->run(job->data);
	record_end(background);
}

void
background_yield(struct background *background)
{
	struct job *job;

	if (!pthread_equal(pthread_self(), background->thread))
		return;
	do {
		pthread_mutex_lock(&background->lock);
		job = STAILQ_FIRST(&background->waiting);
		if (job != NULL)
			STAILQ_REMOVE_HEAD(&background->waiting, next);
		pthread_mutex_unlock(&background->lock);
		if (job != NULL) {
			run_job(background, job);
			finish_job(background, job);
		}
	} while (job != NULL);
	record_start(background);
}

static void
run_job_in_slot(struct background *background, struct job *job)
{
	pthread_mutex_t *slot = cpu_slots != NULL ? lock_cpu_slot() : NULL;

	run_job(background, job);
	if (slot != NULL)
		pthread_mutex_unlock(slot);
}

static void *
run_jobs(void *data)
{
	struct background *background = data;

	lower_priority();
	pthread_mutex_lock(&background->lock);
	background->thread = pthread_self();
	pthread_getcpuclockid(pthread_self(), &background->cpu_clock);
	background->started = true;
	pthread_cond_signal(&background->changed);
	pthread_mutex_unlock(&background->lock);
	for (;;) {
		struct job *job = take_job(background);

		run_job_in_slot(background, job);
		finish_job(background, job);
	}
	return NULL;
}

/* Blocks all signals in the thread, since they are for the loop. Waits until it runs: a
 * starting thread makes system calls that the sandbox, entered next, forbids. */
static void
start_thread(struct background *background)
{
	sigset_t all, before;
	pthread_t thread;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&thread, NULL, run_jobs, background);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (error != 0)
		log_fatal(
		    "cannot start the background thread: %s", strerror(error));
	pthread_detach(thread);
	pthread_mutex_lock(&background->lock);
	while (!background->started)
		pthread_cond_wait(&background->changed, &background->lock);
	pthread_mutex_unlock(&background->lock);
}

struct background *
background_new(void)
{
	struct background *background = calloc(1, sizeof(*background));

	if (background == NULL)
		log_fatal("out of memory: cannot start the background thread");
	pthread_mutex_init(&background->lock, NULL);
	pthread_cond_init(&background->changed, NULL);
	STAILQ_INIT(&background->waiting);
	STAILQ_INIT(&background->done);
	background_set_limits(background, CPU_MAX_MS, WALL_MAX_MS);
	background->descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (background->descriptor < 0)
		log_fatal("cannot create an eventfd: %s", strerror(errno));
	start_thread(background);
	return background;
}

bool
background_run(
    struct background *background, void (*job)(void *data), void *data)
{
	struct job entry = {
		.run = job, .data = data, .fiber = fiber_current()
	};

	if (background == NULL || entry.fiber == NULL) {
		job(data);
		return true;
	}
	if (background->count == BACKGROUND_MAX)
		return false;
	background->count++;
	pthread_mutex_lock(&background->lock);
	STAILQ_INSERT_TAIL(&background->waiting, &entry, next);
	pthread_cond_signal(&background->changed);
	pthread_mutex_unlock(&background->lock);
	fiber_suspend();
	return true;
}

bool
background_is_stuck(struct background *background)
{
	bool is_stuck = false;

	pthread_mutex_lock(&background->lock);
	if (background->running)
		is_stuck = cpu_ms_of_job(background) > background->cpu_max ||
		    clock_monotonic_ms() - background->began >
			background->wall_max;
	pthread_mutex_unlock(&background->lock);
	return is_stuck;
}

void
background_set_limits(
    struct background *background, int64_t cpu_ms, int64_t wall_ms)
{
	pthread_mutex_lock(&background->lock);
	background->cpu_max = cpu_ms;
	background->wall_max = wall_ms;
	pthread_mutex_unlock(&background->lock);
}

int
background_descriptor(const struct background *background)
{
	return background->descriptor;
}

void
background_ready(struct background *background)
{
	struct job_queue done;
	uint64_t count;

	(void)!read(background->descriptor, &count, sizeof(count));
	pthread_mutex_lock(&background->lock);
	STAILQ_INIT(&done);
	STAILQ_CONCAT(&done, &background->done);
	pthread_mutex_unlock(&background->lock);
	while (!STAILQ_EMPTY(&done)) {
		struct job *job = STAILQ_FIRST(&done);

		/* Resuming the fiber ends the life of the job, on its stack. */
		STAILQ_REMOVE_HEAD(&done, next);
		background->count--;
		fiber_resume(job->fiber);
	}
}
