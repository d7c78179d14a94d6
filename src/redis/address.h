/*
 * Where Redis is: "unix:/path" or "host:port".
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

/*
 * Replaces the host's name by its address, in the arena. False, and logged, when
 * it has none.
 */
bool address_resolve(struct arena *arena, struct address *address);
