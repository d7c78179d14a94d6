/*
 * The append-only file of the Redis in the working directory, when its end is
 * damaged.
 *
 * After a power failure the file may end with half a command, which was never
 * acknowledged: Redis cuts that off by itself, and this says so. It may also end
 * with zeros, where the file system had made room that was not written yet. Then
 * Redis does not start, since it might be anything; redis-check-aof, which Redis
 * brings, finds the place and cuts there.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

struct arena;

/* How long Redis's log is: of what it says later on the functions below take
 * note. */
off_t aof_repair_log_size(void);

/*
 * In the child that becomes Redis: what it prints goes into the log as well, since it
 * writes there itself only once it has read its configuration.
 */
void aof_repair_capture_output(void);

/* Logs the last lines that have come into Redis's log. */
void aof_repair_log_last_lines(struct arena *arena, off_t log_before);

/* Logs what Redis, which has started, cut off its file by itself. */
void aof_repair_log_truncation(struct arena *arena, off_t log_before);

/*
 * Logs where the file is damaged and what mends it, if Redis did not start because
 * of that; false if it has other reasons.
 */
bool aof_repair_log_damage(struct arena *arena, off_t log_before);

/*
 * Cuts the damaged end off, after copying the file to the working directory, and
 * logs what was done. False, and logged, when it cannot be mended or copied.
 */
bool aof_repair_run(struct arena *arena) __attribute__((warn_unused_result));
