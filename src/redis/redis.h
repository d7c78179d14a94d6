/*
 * A client of Redis, which knows no key and no rule of ours: of one Redis, of the
 * master that sentinels name, or of a cluster (redis/endpoint.h).
 *
 * Commands that belong together are gathered in a pipeline and cost one round trip to
 * each node that they go to. A process has one connection to a node, and a second one
 * for replicated commands; the pipelines of all its fibers go over them in the order of
 * redis_run, and each fiber sleeps until its own replies are there. Outside of a fiber
 * redis_run waits. Nothing else waits: not for a connection either.
 *
 * Every command may be sent again: when its connection is lost, or a node redirects or
 * delays it. So a command means the same when it is carried out twice
 * (tests/store/retry_test.c). It fails when its node cannot be reached, when no answer comes in
 * time, or when too few replicas confirm it; it may then have been carried out or not. A
 * node that was lost is tried again twice a second, and commands for it fail at once in
 * between.
 */
#pragma once

#include "base/tls.h"
#include "redis/pipeline.h"

/*
 * Creates a client. The address is in a form of redis/endpoint.h; user and password may be
 * empty, and a password alone is that of the default user. Does not connect yet. NULL
 * when the address has none of the forms. The process has to ignore SIGPIPE, or writing
 * to a lost connection ends it.
 */
struct redis *redis_open(
    struct text address, struct text user, struct text password);

/*
 * Looks up the hosts' names, for a process that cannot do so later; call it before
 * anything is sent. False when none has an address; each failure is logged.
 */
bool redis_resolve(struct redis *redis) __attribute__((warn_unused_result));
void redis_close(struct redis *redis);

/* Logs no faults and refusals from now on, as while waiting until Redis has started. */
void redis_be_quiet(struct redis *redis);

/* What the log calls it, "Redis" by default: a literal. For a process of ours that answers in
 * Redis's protocol. */
void redis_set_noun(struct redis *redis, struct text noun);

/* The longest wait for a reply: 1.8 s by default; then the page says that the site is
 * down. */
void redis_set_timeout(struct redis *redis, int64_t milliseconds);

/* Makes a command fail at once that its node cannot serve now, as in a slot that is being
 * migrated. By default it is sent again until its deadline. */
void redis_fail_at_once(struct redis *redis, bool fails);

/*
 * Loads the certificates if the address asks for TLS, and otherwise does nothing. Call it
 * before anything is sent. False, with *why in the arena, when they cannot be used.
 */
bool redis_encrypt(struct redis *redis, struct arena *arena,
    const struct tls_files *files, struct text *why)
    __attribute__((warn_unused_result));

/* Sets how many replicas have to confirm a replicated command, or REPLICAS_DEFAULT. Call
 * it before anything is sent. */
void redis_set_replicas(struct redis *redis, int64_t replicas);

/*
 * Sends the commands and waits for all replies. False when one is not answered or
 * refused. The cause is logged. An empty pipeline succeeds.
 */
bool redis_run(struct pipeline *pipeline) __attribute__((warn_unused_result));

/*
 * As redis_run, but false only when a command was refused: one that is not answered has
 * the reply REPLY_LOST. For commands to several nodes, of which one may be away.
 */
bool redis_try(struct pipeline *pipeline) __attribute__((warn_unused_result));

/* As redis_run, but also true when commands were refused, of which each has REPLY_ERROR: for
 * those that may meet damaged data. */
bool redis_run_each(struct pipeline *pipeline)
    __attribute__((warn_unused_result));

/*
 * The two halves of redis_run, so that a second pipeline can share the round
 * trip of the first. A pipeline that was sent must be waited for before it goes out of
 * scope.
 */
void redis_send(struct pipeline *pipeline);
bool redis_wait(struct pipeline *pipeline) __attribute__((warn_unused_result));

/*
 * Sends a hint and returns at once: a command whose loss harms nobody. Its key is the word
 * with that number. It is sent once, waits for no replica, and its reply is ignored; it is
 * dropped while 64 are under way, and for five seconds after its node refused one. So
 * reading continues where writing fails.
 */
void redis_hint(
    struct redis *redis, size_t key, const struct text *words, size_t count);

/* True when a node has refused a command within the last second because its memory is
 * full: explains why redis_run returned false. */
bool redis_was_full(struct redis *redis);

/* One Redis, whose errors are final; one that is reached through a Unix socket; a
 * cluster. */
bool redis_is_standalone(const struct redis *redis);
bool redis_is_local(const struct redis *redis);
bool redis_is_cluster(const struct redis *redis);

/* Discovers the masters, outside of fibers. False when no node names them. */
bool redis_discover(struct redis *redis) __attribute__((warn_unused_result));

/* The number of masters that are known, and of the changes of that so far. */
size_t redis_master_count(const struct redis *redis);
uint64_t redis_map_version(const struct redis *redis);

/*
 * Visits each master, from 0 on, outside of fibers; and all of them again when slots moved
 * meanwhile, as their keys may have passed from a master that was still to be visited to
 * one that had been. False when a visit returns false, which ends it, when the masters
 * are not known, or, logged, when slots never rest.
 */
typedef bool redis_visitor(void *data, size_t master);
bool redis_visit_masters(struct redis *redis, redis_visitor *visit, void *data)
    __attribute__((warn_unused_result));

/*
 * A number that changes with each new connection and whenever a slot moves: data that was
 * read before may be lost then.
 */
uint64_t redis_epoch(const struct redis *redis);

/*
 * True when only a part of a cluster is out of reach: a master is lost, or some slots have
 * none.
 */
bool redis_is_partial(const struct redis *redis);

/* The clock of the first master that answers, in milliseconds; false when none does. */
bool redis_time(struct redis *redis, struct arena *arena, int64_t *milliseconds)
    __attribute__((warn_unused_result));

/* For the worker's loop. */

/* The descriptor to poll for reading. */
int redis_descriptor(const struct redis *redis);

/* Sends what pipelines gathered since the last time. */
void redis_flush(struct redis *redis);

/* Reads the bytes that have come, and resumes the fibers whose replies are complete. */
void redis_ready(struct redis *redis);

/* Milliseconds until redis_expire has something to do, -1 when nothing waits. */
int redis_timeout(struct redis *redis);

/* Fails commands that have waited too long, and sends again those that are due. */
void redis_expire(struct redis *redis);
