/*
 * What a member has seen: the number of an article's last comment when the member last
 * looked at it, for the READ_MARKS_MAX newest articles of those. A worker keeps it under the
 * count of its changes, which a session reads with the member: so a list costs nothing
 * more to say how many comments are new.
 */
#pragma once

#include "lists/read_cache.h"

enum { READ_MARKS_MAX = 400 };

struct read_mark {
	uint64_t article, last;
};

struct read_marks {
	const struct read_mark *articles; /* by id */
	size_t count;
};

/* As it was when the member had made so many visits. */
STORE_CALL read_marks_read(struct store *store, struct arena *arena,
    struct read_cache *kept, const struct user *user, struct read_marks *seen);

/* False when the article was not looked at since there are comments. */
bool read_marks_find(
    const struct read_marks *seen, uint64_t article, uint64_t *last);

/* How many of an article's comments are new to whoever has looked at it before. */
uint64_t read_marks_unread(
    const struct read_marks *seen, const struct article *article);

/* Notes that the member looks at an article whose last comment has that number, if Redis
 * takes it (redis_hint). */
void read_marks_set(struct store *store, struct arena *arena, uint64_t user,
    uint64_t article, uint64_t last);
