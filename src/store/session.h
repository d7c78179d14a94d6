/*
 * Sessions: who is signed in, and the tokens that their forms carry.
 */
#ifndef STORE_SESSION_H
#define STORE_SESSION_H

#include "store/user.h"

/*
 * Signs a member in: *cookie is "ID.SECRET", of which Redis keeps a hash of the
 * secret alone. agent says which browser it was, in the reader's words.
 */
STORE_CALL session_start(struct store *store, struct arena *arena,
    uint64_t user, struct text agent, struct text *cookie);

/*
 * Who a cookie belongs to; also *token, which the session's forms carry: an
 * HMAC with the site's secret, good until the session ends. STORE_ABSENT when
 * the cookie is nobody's, or the session is over. With STORE_DOWN *token is
 * that of the cookie as well, so that a form can be shown to be sent again.
 */
STORE_CALL session_find(struct store *store, struct arena *arena,
    struct text cookie, struct user *user, struct text *token);

/* Ends the cookie's session. STORE_OK as well when there was none. */
STORE_CALL session_end(
    struct store *store, struct arena *arena, struct text cookie);

/* The token that belongs to a secret which only one browser holds. */
struct text session_token(
    const struct store *store, struct arena *arena, struct text secret);

#endif
