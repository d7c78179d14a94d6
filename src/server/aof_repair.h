/*
 * Repairs a damaged end of the append-only file of the Redis in the working directory.
 *
 * After a power failure the file may end with an incomplete command, which was never
 * acknowledged: Redis truncates it by itself, and this logs so. It may also end with
 * zeros, where the file system had allocated blocks that were not written yet. Then
 * Redis refuses to start, since the data could be anything; redis-check-aof, which
 * comes with Redis, finds the offset and truncates there.
 *
 * The functions with a parameter log_before read the part of redis.log written since.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

struct arena;

/* The present size of redis.log: log_before of a start of Redis. */
off_t aof_repair_log_size(void);

/*
 * In the child that becomes Redis: appends its output to redis.log, where Redis itself
 * writes only once it has read its configuration.
 */
void aof_repair_capture_output(void);

/* Logs the last lines of Redis's log. */
void aof_repair_log_last_lines(struct arena *arena, off_t log_before);

/* Logs a truncation that Redis did by itself, if any, once it has started. */
void aof_repair_log_truncation(struct arena *arena, off_t log_before);

/*
 * Logs the offset of the damage and the command that repairs it, if that is why Redis did
 * not start; false if it is not.
 */
bool aof_repair_log_damage(struct arena *arena, off_t log_before);

/*
 * Cuts the damaged end off, after copying the file to the working directory, and
 * logs the result. False, and logged, when it cannot be repaired or copied.
 */
bool aof_repair_run(struct arena *arena) __attribute__((warn_unused_result));
