/*
 * Which node has which slot: what a cluster and the sentinels of a master answer.
 */
#pragma once

#include "redis/address.h"
#include "redis/reply.h"

/* Consecutive slots and their master. */
struct cluster_range {
	unsigned first, last;
	struct address master;
};

/*
 * Reads CLUSTER SLOTS. A host that is left out is the one that was asked. Returns
 * the ranges, in the arena, and how many; 0 when it is nothing of the kind.
 */
size_t cluster_read_slots(struct arena *arena, const struct reply *reply,
    const struct address *asked, struct cluster_range **ranges);

/*
 * Reads SENTINEL MASTER: where the master is, and how often it has changed.
 * False when it is nothing of the kind.
 */
bool cluster_read_sentinel(
    const struct reply *reply, struct address *master, uint64_t *changes);

/* Reads SENTINEL REPLICAS: how many of them might take over, since they are well and
 * follow their master. */
int64_t cluster_count_replicas(const struct reply *reply);
