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
	/* A password takes 0.1 s of processor time, the rings of a large site one; on a
	 * busy machine the lowest priority makes minutes of that. */
	PROCESSOR_MAX_MS = 20 * 1000,
	MAX_MS = 300 * 1000
};

/* On the stack of the fiber that waits for it. */
struct job {
	void (*run)(void *data);
	void *data;
	struct fiber *fiber;
	STAILQ_ENTRY(job) next;
};

STAILQ_HEAD(job_queue, job);

/* In memory that processes share; NULL when they do not take turns. */
static struct turns {
	size_t count;
	pthread_mutex_t turn[];
} *turns;

struct background {
	pthread_mutex_t lock; /* of the queues */
	pthread_cond_t changed;
	struct job_queue waiting, done;
	bool started;
	pthread_t thread;
	clockid_t processor; /* the thread's processor time */
	/* The job that is running, and what both clocks said when it began. */
	bool running;
	int64_t began, processor_began;
	int64_t processor_max, ms_max;
	int descriptor; /* readable when something is done */
	int count;	/* of jobs that wait or run; the loop's own */
};

/* libc's setpriority is for processes: Linux takes it for the calling thread. */
static void
be_last(void)
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
hand_back(struct background *background, struct job *job)
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

	turns = mmap(NULL, sizeof(*turns) + count * sizeof(turns->turn[0]),
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (turns == MAP_FAILED)
		log_fatal("out of memory: no turns for the background");
	turns->count = count;
	pthread_mutexattr_init(&shared);
	pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&shared, PTHREAD_MUTEX_ROBUST);
	for (size_t i = 0; i < count; i++)
		pthread_mutex_init(&turns->turn[i], &shared);
	pthread_mutexattr_destroy(&shared);
}

/* Whether it was taken. Nothing is to be mended after a process that died with it. */
static bool
has_turn(pthread_mutex_t *turn, int taken)
{
	if (taken == EOWNERDEAD)
		pthread_mutex_consistent(turn);
	return taken == 0 || taken == EOWNERDEAD;
}

/* One that is free, or this process's usual one as soon as that is. */
static pthread_mutex_t *
take_turn(void)
{
	pthread_mutex_t *usual = &turns->turn[(size_t)getpid() % turns->count];

	for (size_t i = 0; i < turns->count; i++)
		if (has_turn(&turns->turn[i],
			pthread_mutex_trylock(&turns->turn[i])))
			return &turns->turn[i];
	return has_turn(usual, pthread_mutex_lock(usual)) ? usual : NULL;
}

/* What the running job has taken. */
static int64_t
processor_ms(const struct background *background)
{
	struct timespec time = { 0 };

	clock_gettime(background->processor, &time);
	return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000 -
	    background->processor_began;
}

static void
note_start(struct background *background)
{
	pthread_mutex_lock(&background->lock);
	background->began = clock_monotonic_ms();
	background->processor_began = 0;
	background->processor_began = processor_ms(background);
	background->running = true;
	pthread_mutex_unlock(&background->lock);
}

static void
note_end(struct background *background)
{
	pthread_mutex_lock(&background->lock);
	background->running = false;
	pthread_mutex_unlock(&background->lock);
}

static void
run_job(struct background *background, struct job *job)
{
	note_start(background);
	job->run(job->data);
	note_end(background);
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
			hand_back(background, job);
		}
	} while (job != NULL);
	note_start(background);
}

static void
run_in_turn(struct background *background, struct job *job)
{
	pthread_mutex_t *turn = turns != NULL ? take_turn() : NULL;

	run_job(background, job);
	if (turn != NULL)
		pthread_mutex_unlock(turn);
}

static void *
run_jobs(void *data)
{
	struct background *background = data;

	be_last();
	pthread_mutex_lock(&background->lock);
	background->thread = pthread_self();
	pthread_getcpuclockid(pthread_self(), &background->processor);
	background->started = true;
	pthread_cond_signal(&background->changed);
	pthread_mutex_unlock(&background->lock);
	for (;;) {
		struct job *job = take_job(background);

		run_in_turn(background, job);
		hand_back(background, job);
	}
	return NULL;
}

/* Signals are for the loop. What a thread asks of the system as it starts is not allowed
 * any more once the worker is confined: so it is waited for. */
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
		log_fatal("no thread for the background: %s", strerror(error));
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
		log_fatal("out of memory: no background");
	pthread_mutex_init(&background->lock, NULL);
	pthread_cond_init(&background->changed, NULL);
	STAILQ_INIT(&background->waiting);
	STAILQ_INIT(&background->done);
	background_set_limits(background, PROCESSOR_MAX_MS, MAX_MS);
	background->descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (background->descriptor < 0)
		log_fatal("no eventfd for the background: %s", strerror(errno));
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
		is_stuck =
		    processor_ms(background) > background->processor_max ||
		    clock_monotonic_ms() - background->began >
			background->ms_max;
	pthread_mutex_unlock(&background->lock);
	return is_stuck;
}

void
background_set_limits(
    struct background *background, int64_t processor, int64_t ms)
{
	pthread_mutex_lock(&background->lock);
	background->processor_max = processor;
	background->ms_max = ms;
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

		/* Its fiber goes on, and the job with it. */
		STAILQ_REMOVE_HEAD(&done, next);
		background->count--;
		fiber_resume(job->fiber);
	}
}
