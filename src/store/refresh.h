/*
 * Refresh: writes everything that is derived from a record, whatever is there: its places in
 * lists, counts, claims, names and indexes (store/functions/refresh.lua). Data are moved on to
 * a new layout, repaired, and loaded in this way; refreshing what is as it should be changes
 * nothing, and members may use the site meanwhile.
 */
#pragma once

#include "redis/pipeline.h"
#include "store/article.h"
#include "store/user.h"

/* Adds the call that refreshes an article or a comment. call_outcome of the reply is
 * STORE_ABSENT when there is none; for an article the second item is the number of its last
 * comment. */
void refresh_send_post(
    struct pipeline *pipeline, const struct store *store, struct post_id id);

/* Adds the call that refreshes the lists of a moderator's action. */
void refresh_send_mod_action(
    struct pipeline *pipeline, const struct store *store, uint64_t action);

/* Adds the commands that refresh a member, whose record has been read or written: what is in the
 * member's own slot, and the role in the sets of moderators and owners. refresh_send_inbox does
 * the first alone. */
void refresh_send_member(struct pipeline *pipeline, const struct user *user);
void refresh_send_inbox(struct pipeline *pipeline, uint64_t user);

/* Claims an article's link or text, as posting does, unless another has it; nothing if the
 * link is none. */
void refresh_send_claim(struct pipeline *pipeline, const struct store *store,
    const struct article *article);

/*
 * Those of a member, or of a group, are in several slots: they are written one after the
 * other, and again if the record has changed meanwhile. STORE_ABSENT when there is none; a
 * group is then removed from the lists of groups. refresh_member does all but the name, which
 * refresh_name claims, unless it is another member's; so a registration that was cut short is
 * completed only on purpose.
 */
STORE_CALL refresh_member(
    struct store *store, struct arena *arena, uint64_t user);
STORE_CALL refresh_name(
    struct store *store, struct arena *arena, uint64_t user);
STORE_CALL refresh_group(
    struct store *store, struct arena *arena, struct text name);
