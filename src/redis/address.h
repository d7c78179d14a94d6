/*
 * Where a node of Redis is: "unix:/path" or "host:port".
 */
#pragma once

#include "base/text.h"

struct address {
	struct text path; /* of a unix socket, or empty */
	struct text host; /* a name, or an IPv4 or IPv6 address */
	int port;
};

/* False when the text has neither form. The parts point into it. */
bool address_parse(struct text text, struct address *address);

/* The same of a node as a cluster names it: never a path, and without a host when
 * that is the one who was asked. */
bool address_parse_node(struct text text, struct address *address);

bool address_equal(const struct address *one, const struct address *other);

/* A copy, whose parts are in the arena. */
struct address address_copy(struct arena *arena, const struct address *address);

/* As it is parsed, for the log. */
struct text address_name(struct arena *arena, const struct address *address);

/*
 * Replaces the host's name by its address, in the arena. False, and logged, when
 * it has none.
 */
bool address_resolve(struct arena *arena, struct address *address);
