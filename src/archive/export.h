/*
 * Reading the site for a dump, some hundred records in a few round trips.
 */
#pragma once

#include "archive/keyscan.h"
#include "archive/record.h"

/* The last user id that was given out. */
STORE_CALL export_last_user(
    struct store *store, struct arena *arena, uint64_t *last);

/*
 * The members first to first + count - 1, as records. The name is empty when there
 * is no such member, or not yet: the id was given out, but the name has not been
 * claimed for it.
 */
STORE_CALL export_users(struct store *store, struct arena *arena,
    uint64_t first, size_t count, struct record *records);

/* Up to count names after a name, in order, of a list of groups, KEY_GROUPS or
 * KEY_FORMER; the first after "". */
STORE_CALL export_group_names(struct store *store, struct arena *arena,
    struct text list, struct text after, size_t count, struct text *found,
    size_t *got);

/*
 * Articles or comments, each as it was at one moment, with the ids of its voters and of
 * those who flagged it, in order; there is room for the voters' names. What is none
 * has article 0 in its id. A post may have many voters, so ask for few at a time.
 */
STORE_CALL export_posts(struct store *store, struct arena *arena,
    const struct place *places, size_t count, struct record *records);

/* Acts; what is none has id 0. */
STORE_CALL export_acts(struct store *store, struct arena *arena,
    const struct place *places, size_t count, struct record *records);

/* How many notices each of the members first to first + count - 1 has, up to
 * INBOX_MAX. */
STORE_CALL export_inbox_sizes(struct store *store, struct arena *arena,
    uint64_t first, size_t count, size_t *sizes);

/* A member's notices, the oldest first, or mutes, articles first. What is damaged has
 * the number or the id 0. */
struct export_inbox {
	uint64_t user;
	struct notice *notices;
	size_t count;
};
struct export_mutes {
	uint64_t user;
	struct mute *mutes;
	size_t count;
};

/* Of members, whose user is set. */
STORE_CALL export_inboxes(struct store *store, struct arena *arena,
    struct export_inbox *inboxes, size_t count);
STORE_CALL export_mutes(struct store *store, struct arena *arena,
    struct export_mutes *muted, size_t count);
