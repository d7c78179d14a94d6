/*
 * The inside of a client, which redis.c, route.c and discover.c share.
 */
#pragma once

#include "redis/nodes.h"
#include "redis/pipeline.h"
#include "redis/seeds.h"

STAILQ_HEAD(pipeline_queue, pipeline);

enum { RETRY_MS = 500 }; /* until a node that was lost is tried again */

struct redis {
	struct text name; /* as it was given, for the log */
	struct endpoint seeds;
	struct lane_login login, nobody;
	int64_t replicas; /* as redis_set_replicas was told */
	struct nodes *nodes;
	int epoll; /* of all connections */
	uint64_t epoch;
	struct command_queue later;   /* to be sent again when they are due */
	struct command_queue unknown; /* wait for the map of slots */
	struct pipeline_queue woken;  /* whose fibers are to go on */
	struct discovery *discovery;  /* under way, or NULL */
	struct discovery *abandoned;  /* those that take too long */
	struct hint *hints;	      /* under way, and answered ones */
	size_t hint_count;
	int64_t topology_at;   /* the earliest; INT64_MAX: not wanted */
	int64_t discovered_at; /* when it last began */
	int64_t lost_until;    /* nobody could be asked */
	size_t asked;	       /* the node that was last asked */
	size_t left;	       /* to be asked until it has failed */
	uint64_t map;	       /* how often the map has changed; 0: unknown */
	uint64_t elections;    /* of the sentinels */
	int64_t timeout;       /* milliseconds for an answer */
	int64_t clock;	       /* of this turn; 0: not read yet */
	int64_t full_at;   /* when a node last had no memory left; 0: never */
	int64_t told_full; /* for the log */
	bool quiet, fails_at_once;
	struct arena memory;
};

/* Milliseconds, read once a turn. */
int64_t client_now(struct redis *redis);

void client_log(
    const struct redis *redis, const struct node *node, struct text what);

/* Something points to a change of the map: it is asked for soon. */
void client_want_map(struct redis *redis);

/* A command has its reply, or will have none. */
void client_settle(struct redis *redis, struct command *command, bool answered);
