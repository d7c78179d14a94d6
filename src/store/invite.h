/*
 * Invitations: links that a member makes, each good for one registration within a
 * week.
 */
#pragma once

#include "store/user.h"

enum { INVITES_MAX = 10 /* open ones of a member */ };

struct invite {
	struct text code; /* "17.RANDOM": the member is known before Redis is
			     asked */
	int64_t expires;  /* Unix seconds */
};

/* STORE_FULL when the member has INVITES_MAX that are open. */
STORE_CALL invite_create(
    struct store *store, struct arena *arena, uint64_t user);

/* The member's open ones, of INVITES_MAX at most; the last made comes last. */
STORE_CALL invite_list(struct store *store, struct arena *arena, uint64_t user,
    struct invite *invites, size_t *count);

/* Whose it is, with code and expires set; STORE_ABSENT when it is none that is open. */
STORE_CALL invite_find(struct store *store, struct arena *arena,
    struct text code, struct invite *invite, uint64_t *user);

/*
 * Creates a member as user_create does, and uses the invitation of the host's up: of
 * several at once one gets STORE_OK, the others STORE_ABSENT.
 */
STORE_CALL invite_register(struct store *store, struct arena *arena,
    const struct invite *invite, const struct user *host, struct user *user);

/* Notes with the member who came by it. */
STORE_CALL invite_note(
    struct store *store, struct arena *arena, uint64_t user, struct text name);
