/*
 * Sessions: who is signed in, in which browsers, and the tokens that their
 * forms carry.
 *
 * A session is over when it is as old as the rules allow, when it was not used
 * for as long as they allow, or when it was ended. A member has
 * SESSION_MAX at most: one more ends that which was not used for longest.
 */
#ifndef STORE_SESSION_H
#define STORE_SESSION_H

#include "store/user.h"
#include "store/versions.h"

enum { SESSION_MAX = 20 };

struct session {
	struct text id;	       /* names it among the member's; opens nothing */
	int64_t created, seen; /* Unix seconds; seen to some minutes */
	struct text agent;     /* the browser, in its own words */
	bool current;	       /* whether it is that of the cookie */
};

/*
 * Signs a member in: *cookie is "ID.SECRET", of which Redis keeps a hash of the
 * secret alone. agent says which browser it was, in the reader's words.
 * password_hash is what the member's password was compared with; STORE_ABSENT
 * when it is another by now.
 */
STORE_CALL session_start(struct store *store, struct arena *arena,
    uint64_t user, struct text password_hash, struct text agent,
    struct text *cookie);

/*
 * Who a cookie belongs to; also *token, which the session's forms carry: an
 * HMAC with the site's secret, good until the session ends. STORE_ABSENT when
 * the cookie is nobody's, or the session is over. With STORE_DOWN *token is
 * that of the cookie as well, so that a form can be shown to be sent again.
 *
 * What a list will begin with comes in the same round trip when versions is not
 * NULL (a member's page is then made 1.07 times as often); good with STORE_OK.
 */
STORE_CALL session_find(struct store *store, struct arena *arena,
    struct text cookie, struct user *user, struct text *token,
    struct versions *versions);

/* Those of the cookie's member that are not over, the last used first; *now as
 * Redis has it. */
STORE_CALL session_list(struct store *store, struct arena *arena,
    struct text cookie, struct session **sessions, size_t *count, int64_t *now);

/* Ends the cookie's session. STORE_OK as well when there was none. */
STORE_CALL session_end(
    struct store *store, struct arena *arena, struct text cookie);

/*
 * Ends that of the cookie's member which id names, or with an empty id all but
 * the cookie's own. STORE_ABSENT when there is none of that name.
 */
STORE_CALL session_end_other(struct store *store, struct arena *arena,
    struct text cookie, struct text id);

/* The token that belongs to a secret which only one browser holds. */
struct text session_token(
    const struct store *store, struct arena *arena, struct text secret);

#endif
