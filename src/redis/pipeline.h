/*
 * Commands that go to Redis together, and their replies.
 */
#pragma once

#include <sys/queue.h>

#include "base/buffer.h"
#include "redis/reply.h"

struct pipeline;
struct redis;

/* A command under way: its bytes, where its reply goes, and what the router notes. */
struct command {
	struct text name,
	    key; /* not copied; of a function call, the function's name */
	size_t start, size; /* its bytes among the pipeline's */
	bool is_replicated; /* acknowledged only when replicas have it */
	bool may_share;	    /* the reply of an equal one (shared_reads.h) */
	/* Below: set when it is sent. */
	bool asks; /* its slot is migrating to the node: sent after ASKING */
	bool is_shared; /* it is not sent: an equal one of the batch is */
	struct command *sharing; /* the next that is equal */
	uint8_t skipped;	 /* replies that come before its own */
	uint8_t tries;
	unsigned slot;
	int64_t due; /* when to send it again */
	struct reply *reply;
	struct pipeline *pipeline;
	STAILQ_ENTRY(command) next;
};

STAILQ_HEAD(command_queue, command);

/*
 * Commands and then their replies, in an arena. replies[i] answers the command
 * that was added as number i, once redis_run returned true.
 */
struct pipeline {
	struct redis *redis;
	struct arena *arena;
	size_t master;	     /* the number of a master; PIPELINE_BY_KEY */
	struct buffer bytes; /* of all commands */
	struct buffer list;  /* the commands, as struct command */
	struct reply *replies;
	size_t count;
	bool may_write; /* a command was added that may write */
	uint64_t epoch; /* redis_epoch when it was sent */
	bool is_quiet;	/* its refusals are not logged */
	/* Below: the client's own, once it is sent. */
	enum {
		PIPELINE_OPEN,
		PIPELINE_SENT,
		PIPELINE_DONE,
		PIPELINE_FAILED
	} state;
	bool lost;	  /* a command was not answered */
	size_t pending;	  /* commands without an answer */
	int64_t deadline; /* 0: not written yet */
	struct fiber *fiber;
	bool is_pinned; /* for this one node: never redirected or sent again */
	bool is_hint;	/* nothing waits for it */
	STAILQ_ENTRY(pipeline) resumed;
};

/* Each command goes to the node that has its key. */
enum { PIPELINE_BY_KEY = SIZE_MAX };
struct pipeline pipeline_begin(struct redis *redis, struct arena *arena);

/* All commands go to one of the masters, counted from 0 to redis_master_count. */
struct pipeline pipeline_begin_at(
    struct redis *redis, struct arena *arena, size_t master);

/*
 * A replicated command is acknowledged only when as many replicas have it as
 * redis_set_replicas says: a failover would lose it otherwise. Reads are not replicated.
 */
enum replication { UNREPLICATED, REPLICATED };

/* Replicas to wait for by default: none with one Redis, one in a cluster, and with
 * sentinels all that may take over, but at least one. */
enum { REPLICAS_DEFAULT = -1 };

/*
 * Adds one command, which goes where its key is: the word with number key. The
 * first word and the key are not copied. Returns the command's number.
 */
enum { PIPELINE_KEY = 1 }; /* where the key is in most commands */
size_t pipeline_add_words(struct pipeline *pipeline,
    enum replication replication, size_t key, const struct text *words,
    size_t count);

#define PIPELINE_WORDS(...) ((struct text[]){ __VA_ARGS__ })

/* Adds a command whose second word is the key. */
#define PIPELINE_ADD(pipeline, replication, ...) \
	pipeline_add_words((pipeline), (replication), PIPELINE_KEY, \
	    PIPELINE_WORDS(__VA_ARGS__), \
	    sizeof(PIPELINE_WORDS(__VA_ARGS__)) / sizeof(struct text))
#define pipeline_add(pipeline, ...) \
	PIPELINE_ADD(pipeline, UNREPLICATED, __VA_ARGS__)
#define pipeline_add_replicated(pipeline, ...) \
	PIPELINE_ADD(pipeline, REPLICATED, __VA_ARGS__)

/* Adds TIME, which goes to the node that has the key. */
size_t pipeline_add_time(struct pipeline *pipeline, struct text key);

/* The command that was added as number i. */
struct command *pipeline_command(const struct pipeline *pipeline, size_t i);

/* The command as Redis reads it. */
struct text command_bytes(const struct command *command);

/* Makes room for the replies, and links each command to its own: before it is sent. */
void pipeline_start(struct pipeline *pipeline);

/* Appends a command as Redis reads it: an array of bulk strings (RESP2). */
void pipeline_encode(
    struct buffer *bytes, const struct text *words, size_t count);

/*
 * False when a reply is an error, which is a bug of ours or a fault of Redis (full,
 * read-only). Logs the first one, unless faults are PIPELINE_QUIET.
 */
enum pipeline_faults { PIPELINE_LOGGED, PIPELINE_QUIET };
bool pipeline_accepted(
    const struct pipeline *pipeline, enum pipeline_faults faults);

/* True when a command was refused because Redis has no memory left (OOM). */
bool pipeline_met_full(const struct pipeline *pipeline);

/* True when every command was answered: none is REPLY_LOST; or when none was. */
bool pipeline_is_whole(const struct pipeline *pipeline);
bool pipeline_is_lost(const struct pipeline *pipeline);
