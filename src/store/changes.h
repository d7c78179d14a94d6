/*
 * The stream of changes of each bucket, and reading all of them.
 *
 *	1700000000000-0    post "7:3"
 *
 * An entry names a post of which something that search finds has changed: its texts, its
 * groups, or whether it is shown. The function that changes it writes the entry as well
 * (note_change in store/functions/post.lua). How it changed is not said: who follows the
 * changes reads the post as it is then. So entries may repeat and overtake each other.
 *
 * Any number of readers follow, each from its own positions. Streams are trimmed to some
 * 100,000 entries, and their last entry is always there: so the entry at a reader's position
 * is missing only after a gap. The reader was away for longer than that, or Redis has gone
 * back to an earlier state, after a failover or from a backup.
 */
#pragma once

#include "store/outbox.h"
#include "store/store.h"

/* The last entry that was read of a bucket; 0-0 when there was none. */
struct changes_position {
	struct outbox_id last;
};

/* Sets the position of each bucket, of which there is room for all, behind its last entry. */
STORE_CALL changes_end(struct store *store, struct arena *arena,
    struct changes_position *positions);

struct changes {
	struct post_id *posts; /* in the arena, those of a bucket in order */
	size_t count;
	bool has_more;	  /* in some bucket */
	int64_t first_ms; /* the moment of the oldest entry; 0 without one */
};

enum changes_result {
	CHANGES_OK,
	CHANGES_GAP, /* entries may be missing: all posts are to be read */
	CHANGES_DOWN
};

/*
 * Reads up to 100 entries of each bucket in one round trip, and sets the positions behind
 * them; on another result than CHANGES_OK they stay. Malformed entries are left out.
 */
enum changes_result changes_read(struct store *store, struct arena *arena,
    struct changes_position *positions, struct changes *changes)
    __attribute__((warn_unused_result));
