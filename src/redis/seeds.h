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

enum seeds_kind { SEEDS_ONE, SEEDS_SENTINELS, SEEDS_CLUSTER };

struct seeds {
	enum seeds_kind kind;
	bool tls;
	struct text master; /* as the sentinels call it */
	struct address *addresses;
	size_t count; /* at least 1, at most SEEDS_MAX */
};

enum { SEEDS_MAX = 32 };

/* False when the text has none of these forms. The parts point into it, and the
 * addresses are in the arena. */
bool seeds_parse(struct arena *arena, struct text text, struct seeds *seeds);

/*
 * Replaces the hosts' names by their addresses; those that have none are left out.
 * False when none is left.
 */
bool seeds_resolve(struct arena *arena, struct seeds *seeds);
