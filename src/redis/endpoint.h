/*
 * Addresses of Redis, and the endpoint that TALLY_REDIS names:
 *
 *	unix:/path                              one Redis on this machine
 *	host:port                               one Redis
 *	sentinel:NAME@host:port,host:port       the master that sentinels call NAME
 *	cluster:host:port,host:port             a cluster, by some of its nodes
 *
 * With "tls:" before any of the last three, connections are encrypted.
 */
#pragma once

#include "base/text.h"

struct address {
	struct text path; /* of a Unix socket, or empty */
	struct text host; /* a name, or an IPv4 or IPv6 address */
	int port;
};

/* Parses a node's address as a cluster writes it: never a path, and without a host
 * for the node that was asked. The parts point into the text. */
bool address_parse_node(struct text text, struct address *address);

bool address_equal(const struct address *one, const struct address *other);

/* A copy, whose parts are in the arena. */
struct address address_copy(struct arena *arena, const struct address *address);

/* The address as TALLY_REDIS has it, for the log. */
struct text address_name(struct arena *arena, const struct address *address);

enum endpoint_kind {
	ENDPOINT_STANDALONE,
	ENDPOINT_SENTINELS,
	ENDPOINT_CLUSTER
};

struct endpoint {
	enum endpoint_kind kind;
	bool tls;
	struct text master;	   /* its name at the sentinels */
	struct address *addresses; /* of Redis, sentinels, or seed nodes */
	size_t count;		   /* at least 1, at most ENDPOINT_MAX */
};

enum { ENDPOINT_MAX = 32 };

/* False when the text has none of the forms above. The parts point into it, and the
 * addresses are in the arena. */
bool endpoint_parse(
    struct arena *arena, struct text text, struct endpoint *endpoint);

/*
 * Replaces host names by their addresses, in the arena, and drops and logs those that
 * have none. False when no address is left.
 */
bool endpoint_resolve(struct arena *arena, struct endpoint *endpoint);
