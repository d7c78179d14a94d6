/*
 * Invitations: links created by members, each valid for one registration within a week.
 */
#pragma once

#include "store/user.h"

enum { INVITES_MAX = 10 /* open invitations of a member */ };

struct invite {
	/* "17.RANDOM"; 17 is the id of the host, the member who invites. */
	struct text code;
	int64_t expires; /* Unix seconds */
};

/* Creates an invitation. STORE_FULL when the member has INVITES_MAX open ones. */
STORE_CALL invite_create(
    struct store *store, struct arena *arena, uint64_t user);

/* Reads the member's open invitations, INVITES_MAX at most, the newest last. */
STORE_CALL invite_list(struct store *store, struct arena *arena, uint64_t user,
    struct invite *invites, size_t *count);

/* Finds an open invitation and the id of its host. STORE_ABSENT. */
STORE_CALL invite_find(struct store *store, struct arena *arena,
    struct text code, struct invite *invite, uint64_t *user);

/*
 * Creates a member as user_create does, and uses up the host's invitation: of concurrent
 * calls one returns STORE_OK, the others STORE_ABSENT.
 */
STORE_CALL invite_register(struct store *store, struct arena *arena,
    const struct invite *invite, const struct user *host, struct user *user);

/* Adds a name to the list of members that the member invited. */
STORE_CALL invite_note(
    struct store *store, struct arena *arena, uint64_t user, struct text name);
