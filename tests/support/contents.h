/*
 * All that a world's Redis stores, as it was at one moment: read with three round trips,
 * however many keys there are.
 */
#pragma once

#include "redis/reply.h"
#include "world.h"

/* A key with its value: of a set its members, of a sorted set its members and their scores by
 * turns, both in order of the members; a hash's fields and values by turns; nothing of a
 * stream. */
struct content {
	struct text key;
	const char *name; /* the key as a string */
	struct text type; /* as TYPE answers */
	struct reply value;
	int64_t expires; /* as PEXPIRETIME answers */
};

struct contents {
	struct content *all; /* in order of the keys */
	size_t count;
	struct arena
	    arena; /* of these, and for what the caller makes of them */
};

/* The caller frees them. */
struct contents contents_read(struct world *world);
void contents_free(struct contents *contents);

/* NULL when there is no such key. The value is a nil then; a key of another type fails the
 * test. */
const struct content *contents_find(
    const struct contents *contents, struct text key);
const struct reply *contents_value(
    const struct contents *contents, struct text key, const char *type);

/* The score of a member of a sorted set; a nil when it has none. */
const struct reply *contents_score(
    const struct contents *contents, struct text key, struct text member);

bool contents_is_member(
    const struct contents *contents, struct text key, struct text member);

/* The next key that matches a pattern of fnmatch(3) from *at on, which is moved behind it;
 * NULL at the end. */
const struct content *contents_next(
    const struct contents *contents, const char *pattern, size_t *at);
