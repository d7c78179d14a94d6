/*
 * Work that takes long, done beside a worker's loop: a thread runs jobs one after
 * the other, while the fibers that wait for them sleep and all others go on.
 *
 * A job is the only one to touch what it was given until it is done, so it may
 * allocate in its request's arena. It must not use fibers or Redis.
 *
 * The thread has the lowest priority, and runs one job at a time: so what hashing
 * passwords takes of the processor and of memory is bounded, and is what the loops
 * leave. Threads of several processes can take turns besides.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct background;

/* So many jobs wait at most; each keeps a request from others. */
enum { BACKGROUND_MAX = 24 };

/*
 * Lets the processes that are forked from now on take turns: at most half of the
 * processors run jobs, and the others are the loops'. With a job on each of two, the
 * p99 of a page was 3 to 4 times that of a quiet site, and with one 1 to 2 times;
 * passwords were hashed about as fast, since they wait for memory. A process that
 * dies leaves its turn to the others. Ends the process when there is no memory.
 */
void background_limit_cpus(void);

/* Starts the thread, which lives as long as the process. Ends the process when that
 * fails. */
struct background *background_new(void);

/*
 * Runs job(data) and returns once it is done. False when BACKGROUND_MAX wait already:
 * then it is not run. Outside of a fiber, and with NULL, it is run at once and here.
 */
bool background_run(struct background *background, void (*job)(void *data),
    void *data) __attribute__((warn_unused_result));

/* For a job that takes long, now and then: runs those that wait before it goes on. Each
 * part between two of these calls is a job to background_is_stuck. Does nothing in a job
 * that is run at once. */
void background_yield(struct background *background);

/*
 * Whether the job that is running has taken more processor time than it may, or has not
 * ended for longer than it may: it never will, and those behind it will never run. The
 * length of the queue and the wait for a turn do not count. A busy machine does not change
 * the first bound; the second is for a job that is blocked.
 */
bool background_is_stuck(struct background *background);

/* Changes these bounds, which are 20 s and 5 minutes. */
void background_set_limits(
    struct background *background, int64_t processor_ms, int64_t ms);

/* For the worker's loop: the descriptor to poll for reading, and what lets those
 * fibers go on whose jobs are done. */
int background_descriptor(const struct background *background);
void background_ready(struct background *background);
