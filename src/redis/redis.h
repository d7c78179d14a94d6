/*
 * A client of Redis, which knows no key and no rule of ours.
 *
 * Commands that belong together are gathered in a pipeline and cost one round
 * trip. A process has one connection, and the pipelines of all its fibers go
 * over it in the order of redis_run; each fiber sleeps until its own replies
 * are there. Outside of a fiber redis_run waits.
 *
 * After any fault (timeout, broken connection, protocol) the connection is
 * dropped and everything that waited on it fails; the next pipeline connects
 * again. While Redis does not answer, that is tried twice a second, and every
 * pipeline in between fails at once.
 */
#pragma once

#include "redis/pipeline.h"

/*
 * address is "unix:/path" or "host:port"; user and password may be empty, and a
 * password alone is that of the default user. Does not connect yet. NULL when
 * the address has neither form. The process has to ignore SIGPIPE, or writing
 * to a connection that was lost ends it.
 */
struct redis *redis_open(
    struct text address, struct text user, struct text password);

/*
 * Looks up the host's name, for a process that cannot do so later. False, and
 * logged, when it has no address.
 */
bool redis_resolve(struct redis *redis) __attribute__((warn_unused_result));
void redis_close(struct redis *redis);

/* Keeps faults out of the log, while waiting until Redis has started. */
void redis_be_quiet(struct redis *redis);

/*
 * Sends the commands and waits for all replies. False when Redis cannot be
 * reached, took too long or refused a command; what was sent may then have been
 * carried out or not. The cause is logged. An empty pipeline succeeds.
 */
bool redis_run(struct pipeline *pipeline) __attribute__((warn_unused_result));

/*
 * The two halves of redis_run, so that a second pipeline can share the round
 * trip of the first. Replies come in the order of sending. A pipeline that was
 * sent must be waited for, itself or through a later one, before it goes out of
 * scope.
 */
void redis_send(struct pipeline *pipeline);
bool redis_wait(struct pipeline *pipeline) __attribute__((warn_unused_result));

/* For the worker's loop. */

/* The descriptor to poll for reading; -1 while there is no connection. */
int redis_descriptor(const struct redis *redis);

/* The number of the connection, from 1: with another one the descriptor has to
 * be polled again, and what was read before may be gone. */
uint64_t redis_epoch(const struct redis *redis);

/* Sends what pipelines gathered since the last time. */
void redis_flush(struct redis *redis);

/* Reads what has come and lets the fibers go on whose replies are complete. */
void redis_ready(struct redis *redis);

/* Milliseconds until something has waited too long, -1 when nothing waits. */
int redis_timeout(const struct redis *redis);

/* Fails what has waited too long, if anything has. */
void redis_expire(struct redis *redis);
