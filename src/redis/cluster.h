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

/* What a sentinel knows of a master and its replicas. */
struct cluster_sentinel {
	struct address master;
	uint64_t elections; /* how often the master has changed */
	uint64_t sentinels; /* with itself */
	bool is_electing;   /* it replaces the master now */
	/* Replicas that may take over, or already have, unknown to this sentinel; and those of
	 * them that do not say that they are masters. */
	int64_t replicas, followers;
};

/*
 * Reads the replies to SENTINEL MASTER and SENTINEL REPLICAS; false for others. Sentinels choose
 * a replica that is up and has followed its master until ten times down-after-milliseconds ago
 * (Redis's documentation, "High availability with Redis Sentinel", replica selection).
 */
bool cluster_read_sentinel(const struct reply *master,
    const struct reply *replicas, struct cluster_sentinel *sentinel);

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
