/*
 * Inboxes and mutes in the archive: reading those of members for a dump.
 */
#pragma once

#include "store/inbox.h"

/* The number of notices of each of the members first to first + count - 1, up to
 * INBOX_MAX. */
STORE_CALL inbox_archive_read_sizes(struct store *store, struct arena *arena,
    uint64_t first, size_t count, size_t *sizes);

/* A member's notices, the oldest first, or mutes, articles first. What is damaged has
 * the number or the id 0. */
struct inbox_archive_notices {
	uint64_t user;
	struct notice *items;
	size_t count;
};
struct inbox_archive_mutes {
	uint64_t user;
	struct mute *items;
	size_t count;
};

/* Of members, whose user is set. */
STORE_CALL inbox_archive_read_notices(struct store *store, struct arena *arena,
    struct inbox_archive_notices *inboxes, size_t count);
STORE_CALL inbox_archive_read_mutes(struct store *store, struct arena *arena,
    struct inbox_archive_mutes *muted, size_t count);
