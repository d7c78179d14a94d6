/*
 * A lane: a connection to a node, and the commands that go over it.
 *
 * Commands gather until the lane is flushed, and are answered in their order. A
 * lane that protects sends them in batches, each with one WAIT after it: what was
 * answered is held until so many replicas have it, and what comes meanwhile
 * gathers for the next batch. A WAIT stops its connection, so whatever need not be
 * protected goes over another. A batch of hints alone (redis_hint) has no WAIT.
 *
 * A connection begins with logging in and a PING, which shows that Redis has read
 * its data: until then it takes a password, and refuses everything else.
 */
#pragma once

#include "base/arena.h"
#include "redis/command.h"
#include "redis/link.h"

struct node;

/* Whom to log in as, without a password as nobody; and whether encrypted. */
struct lane_login {
	struct text user, password;
	struct ssl_ctx_st *tls; /* or NULL */
};

struct lane {
	struct node *node;
	struct redisContext *link;     /* NULL: there is none */
	struct command_queue gathered; /* to be sent */
	struct command_queue sent;     /* to be answered */
	struct command_queue held;     /* answered, and not yet confirmed */
	int64_t replicas;  /* how many are waited for; 0: it does not protect */
	int64_t confirmed; /* how many had the last batch */
	unsigned greeting; /* replies to come before it may be used */
	bool waits;	   /* a WAIT is under way */
	bool is_full;	   /* bytes are left to be written when it takes them */
	int64_t deadline;  /* of the greeting or the WAIT; 0: of neither */
	int64_t active_at; /* when bytes last could be read or written */
	int64_t retry_at;  /* after a fault; 0: there was none */
	const struct pipeline *probe; /* the one for whom it was tried again */
	struct arena memory;	      /* of replies that are the lane's own */
};

/* Of a lane that is all zero. */
void lane_start(struct lane *lane, struct node *node, int64_t replicas);

/*
 * Begins to connect. False when that fails at once; then *why says so, as long as
 * the lane's memory is not used again.
 */
bool lane_dial(struct lane *lane, const struct address *address,
    const struct lane_login *login, struct text *why);

/* Puts a command with those that are to be sent. */
void lane_add(struct lane *lane, struct command *command);

/* Sends what may be sent: from then on a command has to be answered within so many
 * milliseconds. False after a fault. */
bool lane_flush(struct lane *lane, int64_t now, int64_t timeout)
    __attribute__((warn_unused_result));

enum lane_result {
	LANE_NOTHING,	  /* no reply is complete */
	LANE_GREETED,	  /* it may be used */
	LANE_ANSWER,	  /* *command is answered; if it is protected and the
			     reply is no error, the caller gives it to lane_hold */
	LANE_CONFIRMED,	  /* what is held is safe, */
	LANE_UNCONFIRMED, /* or is not: the caller empties held */
	LANE_FAULT	  /* *why says which, until the lane is closed */
};

/* The next of what was read. */
enum lane_result lane_take(
    struct lane *lane, struct command **command, struct text *why);
void lane_hold(struct lane *lane, struct command *command);

/*
 * When the lane has been silent for too long; INT64_MAX when nothing is under way. As
 * long as bytes move, there are so many milliseconds more until the next.
 */
int64_t lane_deadline(const struct lane *lane, int64_t timeout);

/* Closes the connection and adds all its commands to a queue. */
void lane_close(struct lane *lane, struct command_queue *commands);
