/*
 * Sessions: who is signed in, in which browsers, and the tokens that their
 * forms carry.
 *
 * A session is over when it is older than the rules allow, when it has not been
 * used for longer than they allow, or when it was ended. A member has
 * SESSION_MAX at most: one more ends the one least recently used.
 */
#pragma once

#include "store/user.h"
#include "store/versions.h"

enum { SESSION_MAX = 20 };

struct session {
	struct text id; /* identifies it among the member's; not a secret */
	int64_t created, seen; /* Unix seconds; seen is exact to some minutes */
	struct text agent;     /* the browser's User-Agent */
	bool current;	       /* whether it is the cookie's */
};

/*
 * Signs a member in: *cookie is "ID.SECRET", of which Redis keeps a hash of the
 * secret alone. agent is the browser's User-Agent. password_hash is what the
 * member's password was compared with; STORE_ABSENT when it has changed since,
 * STORE_SUSPENDED while the member is.
 */
STORE_CALL session_start(struct store *store, struct arena *arena,
    uint64_t user, struct text password_hash, struct text agent,
    struct text *cookie);

/* What shares the round trip in which a session is looked up. */
struct session_lookup {
	/* What the versions are set to with STORE_OK; NULL: they are not read. */
	struct versions *versions;
	enum limit limit;     /* is counted for the member */
	struct post_id voted; /* is about to be voted on; article 0: none is */
	int64_t wait;	      /* set with STORE_LIMITED, in seconds */
	int64_t now; /* Unix seconds, and how old the session is, in seconds: */
	int64_t age; /* set with STORE_OK */
};

/*
 * The token that a session's forms carry: of the cookie and the site's secret, valid
 * until the session ends. Redis is not asked. STORE_ABSENT when the cookie is
 * nobody's.
 */
STORE_CALL session_token_of(const struct store *store, struct arena *arena,
    struct text cookie, struct text *token);

/*
 * The member a cookie belongs to. STORE_ABSENT when the cookie is nobody's, or the
 * session is over; STORE_LIMITED, with the user set, when the visit's limit is
 * reached; STORE_DOWN, with the user and the visit set, when Redis is full and nothing
 * could be counted, and without them when the member is out of reach, whatever else is
 * not. visit may be NULL.
 */
STORE_CALL session_find(struct store *store, struct arena *arena,
    struct text cookie, struct user *user, struct session_lookup *visit);

/* The sessions of the cookie's member that are not over, the last used first;
 * *now is Redis's clock. */
STORE_CALL session_list(struct store *store, struct arena *arena,
    struct text cookie, struct session **sessions, size_t *count, int64_t *now);

/* Ends the cookie's session. STORE_OK also when there was none. */
STORE_CALL session_end(
    struct store *store, struct arena *arena, struct text cookie);

/*
 * Ends the session of the cookie's member that has the id, or with an empty id
 * all but the cookie's own. STORE_ABSENT when there is none with the id.
 */
STORE_CALL session_end_other(struct store *store, struct arena *arena,
    struct text cookie, struct text id);

/* The token that belongs to a secret which only one browser holds. */
struct text session_token(
    const struct store *store, struct arena *arena, struct text secret);
