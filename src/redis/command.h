/*
 * A command under way: its bytes, where its reply goes, and what sending it to the
 * right node takes.
 */
#pragma once

#include <sys/queue.h>

#include "base/buffer.h"
#include "redis/reply.h"

struct pipeline;

struct command {
	struct text name, key; /* kept, not copied; a function's own name */
	size_t start, size;    /* its bytes among the pipeline's */
	bool is_replicated;    /* acknowledged only when replicas have it */
	/* Below: set when it is sent. */
	bool asks; /* for a slot that is on its way to the node: after ASKING */
	uint8_t skipped; /* replies that come before its own */
	uint8_t tries;
	unsigned slot;
	int64_t due; /* when it is to be sent again */
	struct reply *reply;
	struct pipeline *pipeline;
	STAILQ_ENTRY(command) next;
};

STAILQ_HEAD(command_queue, command);

/* Adds a command as Redis reads it: an array of bulk strings (RESP2). */
void command_encode(
    struct buffer *bytes, const struct text *words, size_t count);
