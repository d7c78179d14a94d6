/*
 * Equal reads of one batch, which are sent once: each of the commands gets a copy of the
 * reply. When a worker wakes up with many requests, most ask for the clock and the same
 * versions.
 *
 * A command is shared only if nothing before it in its pipeline may write. None of a batch
 * is sent before the last one was added, so a shared reply is never older than its question.
 */
#pragma once

#include "redis/pipeline.h"

enum { SHARED_READS = 128 }; /* different ones of a batch; more are sent each */

struct shared_reads {
	/* By the hash of their bytes, or NULL. */
	struct command *sent[SHARED_READS];
};

/* Adds a command of a batch. True when an equal one was added before, which answers it: it
 * is not to be sent. */
bool shared_reads_add(struct shared_reads *reads, struct command *command);

/* Copies the reply of a command to all that are equal, into the arenas of their pipelines. */
void shared_reads_answer(const struct command *command);
