/*
 * The relay: it brings what stands in the outboxes into the inboxes.
 *
 * A comment lies with its article, and an inbox with its member: in a cluster no one
 * function can write both. So the function that writes a comment also says, in the
 * stream of its bucket, whom to tell of it (store/functions/comment.lua), and a relay
 * tells them afterwards. Redis has either both, the comment and its entry, or neither;
 * an entry stands there until everybody was told; and telling somebody twice does
 * nothing. So nobody is told twice or not at all, whatever is killed and whenever:
 *
 *	look	which outboxes are not empty; usually none is
 *	take	some entries, as a consumer of the group "relay": what one relay has
 *		taken no other takes, until nothing was heard of it for five seconds
 *	tell	everybody whom they name
 *	settle	delete and acknowledge those of which everybody was told
 *
 * Each of these costs one round trip, whatever the number of buckets.
 *
 * Any number of relays may work on a site. One that is started again first takes what
 * it had; its name says what that is, and two of the same name merely do some of it
 * twice. An entry for which Redis does not answer is tried again every second, and does
 * not keep others waiting; one that nobody can read is logged and dropped.
 */
#pragma once

#include "store/store.h"

struct relay;

/* The store stays the caller's, the name is copied. */
struct relay *relay_new(struct store *store, struct text name);
void relay_free(struct relay *relay);

/*
 * Takes some hundred entries at most, and deals with them. Returns the milliseconds
 * after which to call it again: 0 while there is more to do. What is wrong is logged
 * once a minute.
 */
int relay_step(struct relay *relay);
