/*
 * Newcomers: members who have registered by themselves, until a moderator vouches for them, or
 * until they have been members for rules.newcomer_days and have rules.newcomer_votes upvotes from
 * members who are no newcomers. Moderators, members who were invited, whom a command has made, or
 * who were here before there was this rule, are none.
 *
 * This is the only definition. What depends on it: how much they may post a day, that moderators
 * review their posts until they keep one, links in their comments, and that none of their articles
 * is shown as overlooked (lists/overlooked.h).
 *
 * The member's field "newcomer" says that the member may be one. Upvotes are counted by the
 * function that casts them, in the bucket of the post (store/keys.h, "backing"). A newcomer's
 * next post finds that there are enough of them, and deletes the field: from then on
 * the member is no newcomer.
 */
#pragma once

#include "store/user.h"

/* Whether the member is one, as far as was found by the member's last post. */
bool newcomer_is(const struct user *user);

/* Finds whether the member still is one, before they post. */
STORE_CALL newcomer_settle(
    struct store *store, struct arena *arena, struct user *user, int64_t now);

/* Notes that moderators have kept a post of the member, unless that is noted. */
STORE_CALL newcomer_note_kept(
    struct store *store, struct arena *arena, uint64_t user);

/* The upvotes of members who are no newcomers on posts of some members. */
STORE_CALL newcomer_backing(
    struct store *store, struct arena *arena, struct user *users, size_t count);

/*
 * Of links, words as markup_find_links returns them, finds the first host that is not known: from
 * whose publisher no article has been listed for RULE_KNOWN_SECONDS. own is the host of the site.
 * Of more than some dozen publishers the next is not known. *host is empty when all are.
 */
STORE_CALL newcomer_find_unknown(struct store *store, struct arena *arena,
    struct text links, struct text own, int64_t now, struct text *host);
