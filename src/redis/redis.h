/*
 * A client of Redis, which knows no key and no rule of ours: of one Redis, of the
 * master that sentinels name, or of a cluster (redis/seeds.h).
 *
 * Commands that belong together are gathered in a pipeline and cost one round
 * trip to each node that they go to. A process has one connection to a node, and
 * one more for what is protected; the pipelines of all its fibers go over them in
 * the order of redis_run, and each fiber sleeps until its own replies are there.
 * Outside of a fiber redis_run waits. Nothing else waits: not for a connection
 * either.
 *
 * Every command that is sent may be sent again: when its connection is lost, or a
 * node says that another has the key, or that it has to wait. So a command means
 * the same when it is carried out twice (store/again_test). It fails when its node cannot be reached,
 * when no answer comes in time, or when what is protected cannot be confirmed; it
 * may then have been carried out or not. A node that was lost is tried again twice
 * a second, and what is for it fails at once in between.
 */
#pragma once

#include "base/tls.h"
#include "redis/pipeline.h"

/*
 * How Redis is run, as redis/seeds.h says it; user and password may be empty, and
 * a password alone is that of the default user. Does not connect yet. NULL when
 * the address has none of the forms. The process has to ignore SIGPIPE, or writing
 * to a connection that was lost ends it.
 */
struct redis *redis_open(
    struct text address, struct text user, struct text password);

/*
 * Looks up the hosts' names, for a process that cannot do so later, before
 * anything is sent. False when none has an address; each is logged.
 */
bool redis_resolve(struct redis *redis) __attribute__((warn_unused_result));
void redis_close(struct redis *redis);

/* Keeps faults and refusals out of the log from now on, as while waiting until
 * Redis has started. */
void redis_be_quiet(struct redis *redis);

/* How long a node may be silent that owes an answer: usually 1.8 s, after which a reader
 * in a browser is told that the site is down. */
void redis_set_timeout(struct redis *redis, int64_t milliseconds);

/* Whether a command that its node puts off, as in a slot that moves, fails at once; by
 * default it is sent again until its time is over. */
void redis_fail_at_once(struct redis *redis, bool fails);

/*
 * Reads the files for connections that its address wants encrypted; for any other it
 * does nothing. Before anything is sent. False, with *why in the arena, when they
 * cannot be used.
 */
bool redis_encrypt(struct redis *redis, struct arena *arena,
    const struct tls_files *files, struct text *why)
    __attribute__((warn_unused_result));

/* How many replicas have to have what is protected, or REPLICAS_DEFAULT. Before
 * anything is sent. */
void redis_set_replicas(struct redis *redis, int64_t replicas);

/*
 * Sends the commands and waits for all replies. False when one is not answered or
 * refused. The cause is logged. An empty pipeline succeeds.
 */
bool redis_run(struct pipeline *pipeline) __attribute__((warn_unused_result));

/*
 * The same, but it is false only when a command was refused: what is not answered
 * is REPLY_LOST. For what goes to several nodes, of which one may be away.
 */
bool redis_try(struct pipeline *pipeline) __attribute__((warn_unused_result));

/*
 * The two halves of redis_run, so that a second pipeline can share the round
 * trip of the first. Whatever was sent must be waited for before it goes out of
 * scope.
 */
void redis_send(struct pipeline *pipeline);
bool redis_wait(struct pipeline *pipeline) __attribute__((warn_unused_result));

/*
 * Sends a command that goes where the word with that number is, and comes back at once:
 * a note whose loss harms nobody. It is sent once, waits for no replica, and its answer
 * is ignored; while too many are under way, and for five seconds after its node refused
 * one, it is left out. So reading goes on where writing does not.
 */
void redis_hint(
    struct redis *redis, size_t key, const struct text *words, size_t count);

/* Whether a node has refused something within the last second because its memory is full:
 * for whoever is to explain a redis_run that returned false. */
bool redis_was_full(struct redis *redis);

/* Whether it is one Redis, whose errors are final; whether that is reached through
 * a unix socket; whether it is a cluster. */
bool redis_is_standalone(const struct redis *redis);
bool redis_is_local(const struct redis *redis);
bool redis_is_cluster(const struct redis *redis);

/* Asks who has which slot, outside of fibers. False when nobody says so. */
bool redis_discover(struct redis *redis) __attribute__((warn_unused_result));

/* How many masters there are, as far as is known, and how often that has changed. */
size_t redis_master_count(const struct redis *redis);
uint64_t redis_map_version(const struct redis *redis);

/*
 * Visits each master, from 0 on, outside of fibers; and all of them again when slots
 * moved meanwhile, as their keys may have passed from a master that was still to be
 * visited to one that had been. False when a visit is, after which there are no more,
 * when nobody says which masters there are, or, logged, when slots never rest.
 */
typedef bool redis_visitor(void *data, size_t master);
bool redis_visit_masters(struct redis *redis, redis_visitor *visit, void *data)
    __attribute__((warn_unused_result));

/*
 * Changes with each connection that is made, and whenever a slot moves: what was
 * read before may be gone then.
 */
uint64_t redis_epoch(const struct redis *redis);

/*
 * Whether a part of a cluster is out of reach, and the rest is not: a master is lost, or
 * some slots are at nobody's.
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

/* Reads what has come and lets the fibers go on whose replies are complete. */
void redis_ready(struct redis *redis);

/* Milliseconds until redis_expire has something to do, -1 when nothing waits. */
int redis_timeout(struct redis *redis);

/* Fails what has waited too long, and sends again what was to wait. */
void redis_expire(struct redis *redis);
