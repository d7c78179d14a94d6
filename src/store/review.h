/*
 * Moderators' decision that a post stays: its flags are dismissed; if it was held, it is shown; and
 * its author's further posts are not reviewed, if the author is a newcomer.
 */
#pragma once

#include "store/comment.h"

/* STORE_ABSENT, STORE_REMOVED; STORE_OWN when its author has withdrawn it; STORE_TAKEN when it
 * was held, and another article has its link by now. Does nothing to a post that nobody has to
 * look at. */
STORE_CALL review_keep(struct store *store, struct arena *arena,
    struct post_id id, const struct mod_action *action);
