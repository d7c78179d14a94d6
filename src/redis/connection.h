/*
 * A connection to a node of Redis, and the commands that go over it. The only file that
 * includes hiredis.
 *
 * Nothing waits: commands are queued until the connection is flushed, written as far as
 * the socket takes them, and answered in their order. A replicating connection sends
 * them in batches, each followed by one WAIT: what was answered awaits replicas until
 * enough of them have it, and commands that come meanwhile are queued for the next batch.
 * A WAIT stops its connection, so reads go over another one. A batch of hints alone
 * (redis_hint) has no WAIT.
 *
 * A connection begins with a handshake: AUTH and a PING, whose reply shows that Redis has
 * loaded its data: until then it takes a password, and refuses everything else.
 *
 * After a fault the connection has to be closed: a late reply would be taken for the
 * answer to another command.
 */
#pragma once

#include "base/arena.h"
#include "base/tls.h"
#include "redis/endpoint.h"
#include "redis/pipeline.h"

struct node;

/* Credentials; with an empty password there is no login. And TLS. */
struct connection_login {
	struct text user, password;
	struct ssl_ctx_st *tls; /* or NULL */
};

struct connection {
	struct node *node;
	struct redisContext *context;		/* NULL: not connected */
	struct command_queue queued;		/* to be sent */
	struct command_queue sent;		/* to be answered */
	struct command_queue awaiting_replicas; /* answered, not confirmed */
	int64_t replicas;   /* to wait for; 0: it does not replicate */
	int64_t confirmed;  /* replicas that had the last batch */
	unsigned handshake; /* replies to come before it may be used */
	bool wait_is_sent;  /* a WAIT is under way */
	bool has_output;    /* bytes are left to be written */
	int64_t deadline;   /* of the handshake or the WAIT; 0: of neither */
	int64_t active_at;  /* when bytes last could be read or written */
	int64_t retry_at;   /* after a fault; 0: there was none */
	/* The one pipeline that may use it until its node is known to be back. */
	const struct pipeline *health_check;
	struct arena memory; /* of replies to the connection's own commands */
};

void connection_init(
    struct connection *connection, struct node *node, int64_t replicas);

/*
 * Begins to connect, encrypted if login->tls is set. False when that fails at once; then
 * *why says so, until the connection's memory is used again. It may also fail later.
 */
bool connection_open(struct connection *connection,
    const struct address *address, const struct connection_login *login,
    struct text *why);

/* Closes the connection and appends all its commands to a queue. */
void connection_close(
    struct connection *connection, struct command_queue *commands);

/* The descriptor to poll; and whether it can be read now, or written if has_output. */
int connection_descriptor(const struct connection *connection);
bool connection_is_ready(const struct connection *connection);

/* Queues a command to be sent. */
void connection_add(struct connection *connection, struct command *command);

/* Sends what may be sent: from then on a command has to be answered within timeout
 * milliseconds. False after a fault. */
bool connection_flush(struct connection *connection, int64_t now,
    int64_t timeout) __attribute__((warn_unused_result));

/* Reads the bytes that have come. False after a fault. */
bool connection_read(struct connection *connection)
    __attribute__((warn_unused_result));

enum connection_event {
	CONNECTION_NOTHING, /* no reply is complete */
	CONNECTION_OPEN,    /* the handshake is done: it may be used */
	/* *command is answered; if it is replicated and the reply is no error, the caller passes it
	 * to connection_await_replicas. */
	CONNECTION_ANSWER,
	CONNECTION_CONFIRMED,	/* replicas have what awaits them, */
	CONNECTION_UNCONFIRMED, /* or too few do: the caller empties the queue */
	CONNECTION_FAULT	/* *why says which, until it is closed */
};

/* The next event in the bytes that were read. */
enum connection_event connection_next(
    struct connection *connection, struct command **command, struct text *why);
void connection_await_replicas(
    struct connection *connection, struct command *command);

/*
 * When the node has been silent for too long; INT64_MAX when nothing is under way. As
 * long as bytes move, there are timeout milliseconds more until the next.
 */
int64_t connection_deadline(
    const struct connection *connection, int64_t timeout);

/* The last fault; lasts as long as the connection is open, or for ever. */
struct text connection_fault(const struct connection *connection);
