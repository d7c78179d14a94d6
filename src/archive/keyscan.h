/*
 * What is in the site: every post, thread, act, member and list, found by scanning all
 * keys of Redis.
 *
 * What exists from beginning to end is found; what comes or goes during the scan
 * may be missing. Costs one SCAN, which never blocks Redis for long, and memory:
 * 24 bytes for a post, a thread, an act, a record of voters or of flags, a member, or
 * a member's inbox and mutes,
 * and some 60 for a list; three times that with what arrays leave behind as they grow.
 */
#pragma once

#include "store/store.h"

struct place {
	uint64_t bucket;   /* as in the key; 0 for a member */
	struct post_id id; /* as key_parse has it */
};

/* By id, then by comment, then by bucket. */
struct places {
	struct place *items;
	size_t count;
};

/* What has its places: the kinds of keys, but for lists. */
enum keyscan_kind {
	KEYSCAN_ARTICLES,
	KEYSCAN_COMMENTS,
	KEYSCAN_VOTERS,
	KEYSCAN_FLAGS,
	KEYSCAN_THREADS, /* by their article */
	KEYSCAN_ACTS,
	KEYSCAN_MEMBERS,
	KEYSCAN_INBOXES, /* and mutes, by their member */
	KEYSCAN_KINDS
};

/* What is known by its key. */
enum keyscan_key {
	KEYSCAN_NAMES,
	KEYSCAN_GROUPS,
	KEYSCAN_CLAIMS,
	KEYSCAN_KEYS
};

struct keys {
	struct text *items;
	size_t count;
};

struct keyscan {
	struct keys keys[KEYSCAN_KEYS];
	struct places places[KEYSCAN_KINDS];
	int64_t began;	    /* Unix seconds: what was there then is found */
	struct text *lists; /* keys of sorted sets */
	size_t list_count;
};

enum keyscan_extent {
	KEYSCAN_POSTS, /* articles and comments, nothing else */
	KEYSCAN_LOG,   /* acts, likewise */
	KEYSCAN_ALL
};

/* Each once; lists by name. */
STORE_CALL keyscan_read(struct store *store, struct arena *arena,
    enum keyscan_extent extent, struct keyscan *inventory);

/* Whether it has a post, in that bucket; and a member. */
bool keyscan_has_post(
    const struct keyscan *inventory, const struct place *post);
bool keyscan_has_member(const struct keyscan *inventory, uint64_t user);
