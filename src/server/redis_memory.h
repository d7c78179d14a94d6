/*
 * How much of its memory a master of Redis uses.
 */
#pragma once

#include "base/text.h"

struct redis;

struct redis_memory {
	int64_t used, max; /* bytes; max is 0 without a limit */
};

/* Asks one of the masters (pipeline_begin_at). False when it does not answer, or does not
 * permit INFO. */
bool redis_memory_read(struct redis *redis, size_t master,
    struct redis_memory *memory) __attribute__((warn_unused_result));

/* True from 90 %, since a busy site may use up a tenth in a day. */
bool redis_memory_is_low(int64_t used, int64_t max);
