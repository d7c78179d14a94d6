/*
 * Commands for Redis on their way, and their replies.
 */
#ifndef REDIS_PIPELINE_H
#define REDIS_PIPELINE_H

#include "redis/reply.h"

struct arena;
struct redis;

/*
 * Commands and then their replies, in an arena. replies[i] answers the command
 * that was added as number i, once redis_run returned true.
 */
struct pipeline {
	struct redis *redis;
	struct arena *arena;
	struct command *commands;
	struct reply *replies;
	size_t count, capacity;
	uint64_t epoch; /* of the connection that it was sent over */
	/* Below: redis.c's own, once it was sent. */
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

/* Adds one command; the words are kept, not copied. Returns its number. */
size_t pipeline_add_words(
    struct pipeline *pipeline, const struct text *words, size_t count);

#define PIPELINE_WORDS(...) ((struct text[]){ __VA_ARGS__ })
#define pipeline_add(pipeline, ...) \
	pipeline_add_words((pipeline), PIPELINE_WORDS(__VA_ARGS__), \
	    sizeof(PIPELINE_WORDS(__VA_ARGS__)) / sizeof(struct text))

/*
 * All of them as Redis reads them (RESP2: an array of bulk strings each), in
 * one piece.
 */
struct text pipeline_encode(const struct pipeline *pipeline);

/*
 * Whether no reply is a refusal, which is a fault of ours or of Redis (full,
 * read only). Logs which it was.
 */
bool pipeline_accepted(const struct pipeline *pipeline);

#endif
