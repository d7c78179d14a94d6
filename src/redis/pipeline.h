/*
 * Commands that go to Redis together, and their replies.
 */
#pragma once

#include "redis/command.h"

struct redis;

/*
 * Commands and then their replies, in an arena. replies[i] answers the command
 * that was added as number i, once redis_run returned true.
 */
struct pipeline {
	struct redis *redis;
	struct arena *arena;
	size_t master;	     /* to which all goes; PIPELINE_BY_KEY */
	struct buffer bytes; /* of all commands */
	struct buffer list;  /* the commands, as struct command */
	struct reply *replies;
	size_t count;
	uint64_t epoch; /* as redis_epoch was when it was sent */
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
	bool is_pinned; /* is for this one node, whatever it says */
	bool is_hint;	/* nobody waits for it */
	STAILQ_ENTRY(pipeline) woken;
};

/* Each command goes to the node that has its key. */
enum { PIPELINE_BY_KEY = SIZE_MAX };
struct pipeline pipeline_begin(struct redis *redis, struct arena *arena);

/* All commands go to one of the masters, counted from 0 to redis_master_count. */
struct pipeline pipeline_begin_at(
    struct redis *redis, struct arena *arena, size_t master);

/*
 * Whether a command is acknowledged only when replicas have it as well, if the
 * client was told to wait for any: a failover would lose it otherwise. What only
 * reads is not protected.
 */
enum replication { UNREPLICATED, REPLICATED };

/* So many replicas: none for one Redis, one in a cluster, and with sentinels all
 * that might take over, but at least one. */
enum { REPLICAS_DEFAULT = -1 };

/*
 * Adds one command, which goes where the key is: the word with that number. The
 * first word and the key are kept, not copied. Returns the command's number.
 */
enum { PIPELINE_KEY = 1 }; /* where it usually is */
size_t pipeline_add_words(struct pipeline *pipeline,
    enum replication replication, size_t key, const struct text *words,
    size_t count);

#define PIPELINE_WORDS(...) ((struct text[]){ __VA_ARGS__ })

/* The same of a command whose second word is the key. */
#define PIPELINE_ADD(pipeline, replication, ...) \
	pipeline_add_words((pipeline), (replication), PIPELINE_KEY, \
	    PIPELINE_WORDS(__VA_ARGS__), \
	    sizeof(PIPELINE_WORDS(__VA_ARGS__)) / sizeof(struct text))
#define pipeline_add(pipeline, ...) \
	PIPELINE_ADD(pipeline, UNREPLICATED, __VA_ARGS__)
#define pipeline_add_replicated(pipeline, ...) \
	PIPELINE_ADD(pipeline, REPLICATED, __VA_ARGS__)

/* Asks for the clock of the node that has the key. */
size_t pipeline_add_time(struct pipeline *pipeline, struct text key);

/* The command that was added as number i. */
struct command *pipeline_command(const struct pipeline *pipeline, size_t i);

/*
 * Whether no reply is an error, which is a bug of ours or a fault of Redis (full,
 * read-only). Logs the first one, unless faults are kept out of the log.
 */
enum pipeline_faults { PIPELINE_LOGGED, PIPELINE_QUIET };
bool pipeline_accepted(
    const struct pipeline *pipeline, enum pipeline_faults faults);

/* Whether a reply says that Redis has no memory left for what was sent. */
bool pipeline_met_full(const struct pipeline *pipeline);

/* Whether every command was answered: none is REPLY_LOST; and whether none was. */
bool pipeline_is_whole(const struct pipeline *pipeline);
bool pipeline_is_lost(const struct pipeline *pipeline);
