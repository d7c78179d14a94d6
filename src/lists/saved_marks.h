/*
 * Which posts a member has saved, for the buttons of lists and threads. Workers cache the set
 * under the count of its changes, which a session reads with the member: so a list costs
 * nothing more, and a member who never saved anything no command at all.
 */
#pragma once

#include "lists/read_cache.h"

struct saved_marks {
	const uint64_t *posts; /* of post_id_to_number, in order */
	size_t count;
};

/* Reads the set as of user->saves, at most SAVED_MAX posts. */
STORE_CALL saved_marks_read(struct store *store, struct arena *arena,
    struct read_cache *cache, const struct user *user,
    struct saved_marks *marks);

bool saved_marks_have(const struct saved_marks *marks, struct post_id post);
