/*
 * Which members have logged in from the same network in the last NETWORK_SECONDS: a hint for
 * moderators, since many members may share one. An address is stored as a digest with the site's
 * secret, of limit_network; a member has the last ones, and a network its last members. Nothing of
 * this is in dumps.
 */
#pragma once

#include "store/store.h"

enum {
	NETWORK_SECONDS = 30 * 86400,
	NETWORKS_MAX = 5,	 /* of a member */
	NETWORK_MEMBERS_MAX = 20 /* one of more says nothing */
};

/* Notes that a member has logged in from an address, now, in two round trips. Errors are ignored:
 * the log-in counts without it. */
void network_note(struct store *store, struct arena *arena, uint64_t user,
    struct text address);

/* Finds the other members of a member's networks, each once, in the order of ids; also those whose
 * accounts were closed since. */
STORE_CALL network_find(struct store *store, struct arena *arena, uint64_t user,
    int64_t now, uint64_t **others, size_t *count);

/* Removes a member from all networks, and these from the member. */
STORE_CALL network_forget(
    struct store *store, struct arena *arena, uint64_t user);
