/*
 * Sends a command to its node; retries on MOVED, ASK and TRYAGAIN until the deadline.
 *
 * And the inside of a client, struct redis, which redis.c and topology.c share.
 */
#pragma once

#include "redis/nodes.h"

STAILQ_HEAD(pipeline_queue, pipeline);

enum { RETRY_MS = 500 }; /* until a node that was lost is tried again */

/* What sentinels have answered to a discovery. The latest election counts. */
struct sentinel_answers {
	struct node *master; /* NULL: none has answered yet */
	uint64_t elections;  /* kept for the next discovery */
	uint64_t agreeing, sentinels;
	bool is_electing;
	int64_t replicas,
	    followers; /* as in struct cluster_sentinel: the most */
};

struct redis {
	struct text name; /* as it was given, for the log */
	/* Likewise: "Redis", or what else this is a client of. */
	struct text noun;
	struct endpoint endpoint;
	struct connection_login login, anonymous;
	int64_t replicas; /* as redis_set_replicas was told */
	struct nodes *nodes;
	int epoll; /* of all connections */
	uint64_t epoch;
	struct command_queue retries;  /* to be sent again when they are due */
	struct command_queue unrouted; /* wait for the map of slots */
	struct pipeline_queue resumed; /* complete; their fibers go on */
	struct discovery *discovery;   /* under way, or NULL */
	struct discovery *abandoned;   /* those that take too long */
	struct hint *hints;	       /* under way, and answered ones */
	size_t hint_count;
	int64_t topology_at;   /* when it is due; INT64_MAX: not wanted */
	int64_t discovered_at; /* when it last began */
	int64_t lost_until;    /* no node answered; 0: one did */
	size_t asked;	       /* the node that was last asked */
	size_t left;	       /* nodes to ask until discovery has failed */
	uint64_t map_version;  /* changes of the map; 0: unknown */
	struct sentinel_answers answers;
	int64_t timeout; /* milliseconds for an answer */
	int64_t clock;	 /* of this turn; 0: not read yet */
	int64_t full_at; /* when a node last was out of memory; 0: never */
	int64_t full_logged_at; /* for log_limited */
	bool quiet, fails_at_once;
	struct arena memory;
};

/* Milliseconds, read once a turn. */
int64_t router_now(struct redis *redis);

void router_log(
    const struct redis *redis, const struct node *node, struct text what);

/* Sends a command to its node; it is lost if that is not known or cannot be reached. */
void router_send(struct redis *redis, struct command *command);

/* Sends again the commands that are due, and those that waited for the map of slots. */
void router_send_due(struct redis *redis);
void router_send_unrouted(struct redis *redis);

/* Fails the commands that wait for the map. */
void router_fail_unrouted(struct redis *redis);

/* Connects for a pipeline, unless connected. False when the connection was lost a moment
 * ago, or another pipeline checks its node's health. */
bool router_connect(struct redis *redis, struct connection *connection,
    const struct pipeline *pipeline);

/* Writes what a connection takes. */
void router_flush(struct redis *redis, struct connection *connection);

/* Serves a connection that can be read or written. */
enum router_ready { ROUTER_READABLE = 1, ROUTER_WRITABLE = 2 };
void router_serve(
    struct redis *redis, struct connection *connection, int ready);

/* Serves a connection that was not polled for a while: replies that came in time must not
 * count as late because the process was busy. */
void router_catch_up(struct redis *redis, struct connection *connection);

/* Ends connections that were silent for too long. */
void router_expire(struct redis *redis);
