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
	struct post_id id; /* as key_kind_of has it */
};

/* By id, then by comment, then by bucket. */
struct places {
	struct place *items;
	size_t count;
};

/* What has its places: the kinds of keys, but for lists. */
enum inventory_kind {
	INVENTORY_ARTICLES,
	INVENTORY_COMMENTS,
	INVENTORY_VOTERS,
	INVENTORY_FLAGS,
	INVENTORY_THREADS, /* by their article */
	INVENTORY_ACTS,
	INVENTORY_MEMBERS,
	INVENTORY_INBOXES, /* and mutes, by their member */
	INVENTORY_KINDS
};

/* What is known by its key. */
enum inventory_key {
	INVENTORY_NAMES,
	INVENTORY_GROUPS,
	INVENTORY_CLAIMS,
	INVENTORY_KEYS
};

struct keys {
	struct text *items;
	size_t count;
};

struct inventory {
	struct keys keys[INVENTORY_KEYS];
	struct places places[INVENTORY_KINDS];
	int64_t began;	    /* Unix seconds: what was there then is found */
	struct text *lists; /* keys of sorted sets */
	size_t list_count;
};

enum inventory_extent {
	INVENTORY_POSTS, /* articles and comments, nothing else */
	INVENTORY_LOG,	 /* acts, likewise */
	INVENTORY_ALL
};

/* Each once; lists by name. */
STORE_CALL inventory_read(struct store *store, struct arena *arena,
    enum inventory_extent extent, struct inventory *inventory);

/* Whether it has a post, in that bucket; and a member. */
bool inventory_has_post(
    const struct inventory *inventory, const struct place *post);
bool inventory_has_member(const struct inventory *inventory, uint64_t user);
