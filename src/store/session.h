/*
 * Log-in sessions of members, and the tokens in their forms.
 *
 * A session ends when it is older than rules.session_seconds, was not used for
 * rules.session_idle, or is ended. A member has SESSION_MAX at most: another one ends the
 * least recently used.
 */
#pragma once

#include "store/second_factor.h"
#include "store/user.h"
#include "store/versions.h"

enum { SESSION_MAX = 20 };

struct session {
	struct text id;	       /* unique among the member's; not a secret */
	int64_t created, seen; /* Unix seconds; seen to some minutes */
	struct text agent;     /* the browser's User-Agent */
	bool current;	       /* the session of the cookie */
};

/*
 * Starts a session: *cookie is "ID.SECRET". Redis stores a digest of the secret only. agent
 * is the browser's User-Agent. password_hash is the hash that the password was verified
 * with: STORE_ABSENT when it has changed since. STORE_SUSPENDED while the member is;
 * STORE_FACTOR when the member has a second factor and factor is none, wrong or used.
 */
STORE_CALL session_start(struct store *store, struct arena *arena,
    uint64_t user, struct text password_hash,
    const struct second_factor *factor, struct text agent, struct text *cookie);

/* Reads and counts that share the round trip of a session's look-up. */
struct session_lookup {
	/* Wanted: */
	struct versions *versions; /* set as results are; NULL: not read */
	enum limit limit;	   /* counted for the member */
	bool wants_day_bytes;	   /* as of limit_ask_bytes */
	struct pipeline *ahead;	   /* NULL: nothing else */
	/* Results, with STORE_OK and STORE_LIMITED: */
	int64_t wait;		/* with STORE_LIMITED alone, in seconds */
	int64_t now;		/* Unix seconds */
	int64_t age;		/* of the session, in seconds */
	int64_t day_bytes;	/* if wanted */
	bool is_ahead_answered; /* redis_run's result of ahead */
};

/*
 * The token in the session's forms (against forged requests): a digest of the cookie and
 * the site's secret, valid until the session ends. Does not ask Redis. STORE_ABSENT when
 * the cookie is malformed.
 */
STORE_CALL session_token_of(const struct store *store, struct arena *arena,
    struct text cookie, struct text *token);

/*
 * Finds the member of a cookie, in one round trip. STORE_ABSENT when there is no such
 * session or it is over; STORE_LIMITED, with user and lookup set, when the limit is reached;
 * STORE_DOWN with user and lookup set when Redis is full and nothing was counted, and
 * without them when the member's slot cannot be reached. lookup may be NULL.
 */
STORE_CALL session_find(struct store *store, struct arena *arena,
    struct text cookie, struct user *user, struct session_lookup *lookup);

/* Lists the member's sessions that are not over, the last used first; *now is Redis's
 * clock. */
STORE_CALL session_list(struct store *store, struct arena *arena,
    struct text cookie, struct session **sessions, size_t *count, int64_t *now);

/* Ends the cookie's session. STORE_OK also when there was none. */
STORE_CALL session_end(
    struct store *store, struct arena *arena, struct text cookie);

/*
 * Ends the member's session with that id, or with an empty id all but the cookie's own.
 * STORE_ABSENT when there is no session with the id.
 */
STORE_CALL session_end_other(struct store *store, struct arena *arena,
    struct text cookie, struct text id);

/* The token of a secret that only one browser has, for forms before log-in. */
struct text session_token(
    const struct store *store, struct arena *arena, struct text secret);
