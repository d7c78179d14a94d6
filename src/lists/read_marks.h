/*
 * Read marks of a member: the number of an article's last comment when the member last opened
 * it, for the READ_MARKS_MAX newest articles of those. Workers cache them under the count of
 * the member's visits, which a session reads with the member: so showing the number of unread
 * comments costs a list nothing more.
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

/* Reads the marks as of user->visits. */
STORE_CALL read_marks_read(struct store *store, struct arena *arena,
    struct read_cache *cache, const struct user *user,
    struct read_marks *marks);

/* False when the member has not opened the article since it has comments. */
bool read_marks_find(
    const struct read_marks *marks, uint64_t article, uint64_t *last);

/* The number of an article's comments since the mark; 0 without one. */
uint64_t read_marks_unread(
    const struct read_marks *marks, const struct article *article);

/* Sets the mark of an article to its last comment, unless Redis refuses hints
 * (redis_hint). */
void read_marks_set(struct store *store, struct arena *arena, uint64_t user,
    uint64_t article, uint64_t last);
