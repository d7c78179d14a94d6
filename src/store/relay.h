/*
 * The relay: delivers notifications from outboxes to inboxes, exactly once.
 *
 * A comment is in its article's slot, and an inbox in its member's: in a cluster no single
 * function can write both. So the function that writes a comment also adds an entry with
 * the recipients to the stream of the comment's bucket (store/functions/comment.lua), and
 * a relay delivers it afterwards. Comment and entry are written together or not at all;
 * an entry is deleted only after all deliveries; and a repeated delivery changes nothing.
 * So no notice is lost or doubled, whichever process is killed and whenever.
 *
 * Any number of relays may work on a site. A relay that is restarted under the same name
 * first takes the entries that it had claimed; two relays of one name merely do some work
 * twice. An entry for which Redis does not answer is retried every second, and does not
 * delay others; a malformed entry is logged and dropped.
 *
 * A relay also places articles by points once voting on them has closed (store/points.h), and
 * carries out what one act of a moderator does to many posts (store/containment.h).
 */
#pragma once

#include "store/store.h"

struct relay;

/* Creates a relay. The store must outlive it; the name is copied. */
struct relay *relay_new(struct store *store, struct text name);
void relay_free(struct relay *relay);

/*
 * Claims some hundred entries at most and delivers them, does a step of containments, and places
 * articles by points when that is due. Returns the milliseconds after which to call it again: 0
 * while there is more to deliver. Faults are logged once a minute.
 */
int relay_step(struct relay *relay);
