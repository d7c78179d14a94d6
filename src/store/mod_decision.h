/*
 * Decisions of a moderator on several posts or members at once. The log has one entry for all,
 * which is written before the first part is carried out and counts the parts as they are; what each
 * part did is an action of its own, which is in the log of its decision, for moderators alone, and
 * in that of its member.
 */
#pragma once

#include "store/mod_action.h"

struct mod_decision {
	struct mod_action entry; /* id 0: nothing was carried out yet */
};

/* Logs the entry unless it is; and makes an action that is about to be carried out a part of it. */
STORE_CALL mod_decision_add(struct store *store, struct arena *arena,
    struct mod_decision *decision, struct mod_action *part);

/* Counts a part that was carried out: an article, a comment or a member. */
STORE_CALL mod_decision_count(struct store *store, struct arena *arena,
    struct mod_decision *decision, const struct mod_action *part);

/* Adds a command that writes how many articles and comments a decision was on, where it was
 * interrupted between a part and its count. */
void mod_decision_send_counts(struct pipeline *pipeline,
    const struct store *store, uint64_t decision, int64_t articles,
    int64_t comments);

/* Whether an entry is one on several posts or members. */
bool mod_decision_is(const struct mod_action *action);
