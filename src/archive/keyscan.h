/*
 * A scan of all keys of Redis: every post, thread, act, member and list of the site.
 *
 * Keys that exist from beginning to end are found; those that come or go during the scan may be
 * missing. Costs one SCAN, which never blocks Redis for long, of KEYSCAN_ALL also one TYPE for each
 * key, and memory: 24 bytes for a post, a thread, an act, a containment, a record of voters or of
 * flags, a member, or what a member keeps, and some 60 for a list; three times that with what
 * arrays leave behind as they grow.
 */
#pragma once

#include "base/buffer.h"
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

/* Kinds of keys that are places: an id in a bucket. */
enum keyscan_kind {
	KEYSCAN_ARTICLES,
	KEYSCAN_COMMENTS,
	KEYSCAN_VOTERS,
	KEYSCAN_FLAGS,
	KEYSCAN_THREADS, /* by their article */
	KEYSCAN_ACTS,
	KEYSCAN_CONTAINMENTS, /* by the number of their act */
	KEYSCAN_MEMBERS,
	KEYSCAN_INBOXES, /* and what else a member keeps, by the member */
	KEYSCAN_KINDS
};

/* Kinds of keys that are collected whole. */
enum keyscan_key {
	KEYSCAN_NAMES,
	KEYSCAN_GROUPS,
	KEYSCAN_CLAIMS,
	KEYSCAN_FRONTS, /* months of front pages */
	KEYSCAN_KEYS
};

struct keys {
	struct text *items;
	size_t count;
};

/* A key whose type is another than that of the layout (key_type). */
struct mistyped {
	struct text key, type;
};

struct keyscan {
	struct keys keys[KEYSCAN_KEYS];
	struct places places[KEYSCAN_KINDS];
	int64_t began;	    /* Unix seconds: what was there then is found */
	struct text *lists; /* keys of sorted sets */
	size_t list_count;
	struct mistyped *mistyped; /* of KEYSCAN_ALL */
	size_t mistyped_count;
};

enum keyscan_extent {
	KEYSCAN_POSTS, /* articles and comments, nothing else */
	KEYSCAN_LOG,   /* acts, likewise */
	KEYSCAN_ALL
};

/* Each once; lists by name. */
STORE_CALL keyscan_read(struct store *store, struct arena *arena,
    enum keyscan_extent extent, struct keyscan *keyscan);

/* It has found a post, in that bucket; or a member. */
bool keyscan_has_post(const struct keyscan *keyscan, const struct place *post);
bool keyscan_has_member(const struct keyscan *keyscan, uint64_t user);
/* True if an act is among these, of KEYSCAN_ACTS. */
bool keyscan_has_act(const struct places *acts, const struct place *act);

/* Sorts an array of items of that size, in a buffer, and drops repeated ones; returns how
 * many are left. */
size_t keyscan_sort_unique(struct buffer *buffer, size_t size,
    int (*compare)(const void *a, const void *b));
