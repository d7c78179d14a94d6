/*
 * A worker's background thread, for jobs that take longer than the loop may block, such
 * as hashing a password. It runs one job at a time; the fiber that asked for the job
 * sleeps meanwhile, and all others run.
 *
 * A job has exclusive use of its data until it is done, so it may allocate in its
 * request's arena. It must not use fibers or Redis.
 *
 * With one job at a time and the lowest priority, hashing uses a bounded amount of memory
 * and only the CPU time that the loops leave. Processes can share a further limit.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct background;

/* The maximum number of queued jobs; each holds one of the worker's requests. */
enum { BACKGROUND_MAX = 24 };

/*
 * Limits background jobs to half of the CPUs across processes (shared robust mutexes).
 * Call before fork. With a job on each of two CPUs, the p99 of a page was 3 to 4 times
 * that of a quiet site, and with one 1 to 2 times; passwords were hashed about as fast,
 * since hashing waits for memory. A process that dies releases its share. Ends the
 * process when memory runs out.
 */
void background_limit_cpus(void);

/* Starts the thread, which lives as long as the process. Ends the process on failure. */
struct background *background_new(void);

/*
 * Runs job(data) and returns once it is done. False, without running it, when
 * BACKGROUND_MAX jobs are queued. Outside of a fiber, and with background NULL, runs
 * it at once in the calling thread.
 */
bool background_run(struct background *background, void (*job)(void *data),
    void *data) __attribute__((warn_unused_result));

/* Within a long job: first runs all queued jobs, then continues. For
 * background_is_stuck, each part between two calls is a job of its own. Does nothing in
 * a job that runs in the calling thread. */
void background_yield(struct background *background);

/*
 * Whether the running job has exceeded its limit of CPU time or of wall-clock time: it
 * will never end, nor will the queued ones start. The first limit is independent of the
 * machine's load; the second is for a job that is blocked. Time in the queue and waiting
 * for a CPU (background_limit_cpus) does not count.
 */
bool background_is_stuck(struct background *background);

/* Changes these limits; the defaults are 20 s and 5 minutes. */
void background_set_limits(
    struct background *background, int64_t cpu_ms, int64_t wall_ms);

/* For the worker's loop: a descriptor to poll for reading, and the call that resumes the
 * fibers whose jobs are done. */
int background_descriptor(const struct background *background);
void background_ready(struct background *background);
