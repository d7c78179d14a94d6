/*
 * The protocol of Redis Cluster and of Sentinel: hash slots, replies that name masters,
 * and errors that redirect a command (Redis Cluster specification, "Key distribution
 * model" and "Redirection and resharding").
 */
#pragma once

#include "redis/endpoint.h"
#include "redis/reply.h"

enum { CLUSTER_SLOTS = 16384 };

/* The slot of a key: that of its hash tag, the text between the first '{' and the next
 * '}', unless that is empty or missing. */
unsigned cluster_slot(struct text key);

/* Consecutive slots and their master. */
struct cluster_range {
	unsigned first, last;
	struct address master;
};

/*
 * Reads the reply to CLUSTER SLOTS. A host that is left out is that of the node that was
 * asked. Returns the number of ranges, which are in the arena; 0 for another reply.
 */
size_t cluster_read_slots(struct arena *arena, const struct reply *reply,
    const struct address *asked, struct cluster_range **ranges);

/*
 * Reads the reply to SENTINEL MASTER: the master's address, and how often it has changed.
 * False for another reply.
 */
bool cluster_read_sentinel(
    const struct reply *reply, struct address *master, uint64_t *changes);

/* Reads the reply to SENTINEL REPLICAS: the number of those that may take over, since
 * they are up and follow their master. */
int64_t cluster_count_replicas(const struct reply *reply);

enum redirect_kind {
	REDIRECT_NONE,	/* an error like any other */
	REDIRECT_MOVED, /* the slot belongs to another node */
	REDIRECT_ASK,	/* send it to another node this once, after ASKING */
	REDIRECT_RETRY	/* send it again in a moment */
};

struct redirect {
	enum redirect_kind kind;
	unsigned slot;	   /* of MOVED */
	struct address to; /* of MOVED and ASK; points into the error */
	bool map_changed;  /* the map of slots may be out of date */
};

/* Reads an error. The host is empty when it is that of the node that was asked. */
struct redirect cluster_read_redirect(struct text error);
