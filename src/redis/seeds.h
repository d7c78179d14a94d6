/*
 * How Redis is run, as TALLY_REDIS says it:
 *
 *	unix:/path                              one, on this machine
 *	host:port                               one
 *	sentinel:NAME@host:port,host:port       the master that sentinels call NAME
 *	cluster:host:port,host:port             a cluster, by some of its nodes
 *
 * With "tls:" before any of the last three, connections are encrypted.
 */
#pragma once

#include "redis/address.h"

enum endpoint_kind {
	ENDPOINT_STANDALONE,
	ENDPOINT_SENTINELS,
	ENDPOINT_CLUSTER
};

struct endpoint {
	enum endpoint_kind kind;
	bool tls;
	struct text master; /* as the sentinels call it */
	struct address *addresses;
	size_t count; /* at least 1, at most ENDPOINT_MAX */
};

enum { ENDPOINT_MAX = 32 };

/* False when the text has none of these forms. The parts point into it, and the
 * addresses are in the arena. */
bool endpoint_parse(
    struct arena *arena, struct text text, struct endpoint *seeds);

/*
 * Replaces the hosts' names by their addresses; those that have none are left out.
 * False when none is left.
 */
bool endpoint_resolve(struct arena *arena, struct endpoint *seeds);
