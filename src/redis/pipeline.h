/*
 * Commands that go to Redis together, and their replies.
 */
#pragma once

#include "base/buffer.h"
#include "redis/reply.h"

struct redis;

/*
 * Commands and then their replies, in an arena. replies[i] answers the command
 * that was added as number i, once redis_run returned true.
 */
struct pipeline {
	struct redis *redis;
	struct arena *arena;
	struct buffer bytes; /* each command an array of bulk strings (RESP2) */
	struct buffer names; /* of the commands, as texts */
	struct reply *replies;
	size_t count;
	uint64_t epoch; /* the connection it was sent over */
	/* Below: redis.c's own, once it is sent. */
	enum {
		PIPELINE_OPEN,
		PIPELINE_SENT,
		PIPELINE_DONE,
		PIPELINE_FAILED
	} state;
	size_t answered;
	int64_t deadline;
	struct fiber *fiber;
	struct pipeline *next;
};

struct pipeline pipeline_begin(struct redis *redis, struct arena *arena);

/* Adds one command, whose first word is kept, not copied. Returns its number. */
size_t pipeline_add_words(
    struct pipeline *pipeline, const struct text *words, size_t count);

#define PIPELINE_WORDS(...) ((struct text[]){ __VA_ARGS__ })
#define pipeline_add(pipeline, ...) \
	pipeline_add_words((pipeline), PIPELINE_WORDS(__VA_ARGS__), \
	    sizeof(PIPELINE_WORDS(__VA_ARGS__)) / sizeof(struct text))

/*
 * Whether no reply is an error, which is a bug of ours or a fault of Redis (full,
 * read-only). Logs the first one.
 */
bool pipeline_accepted(const struct pipeline *pipeline);
