/*
 * What is in the site: every article, act, member and list, found by scanning all keys
 * of Redis.
 *
 * What exists from beginning to end is found; what comes or goes during the scan
 * may be missing. Costs one SCAN, which never blocks Redis for long, and memory:
 * 16 bytes for an article, an act, a record of voters or of flags, or a member, and some 60 for a list,
 * twice that while it grows.
 */
#pragma once

#include "store/store.h"

struct place {
	uint64_t bucket;      /* as in the key; 0 for a member */
	uint64_t id, comment; /* the latter 0, unless it is one's or of one */
};

/* By id, then by comment, then by bucket. */
struct places {
	struct place *items;
	size_t count;
};

struct inventory {
	struct places articles, acts, voters, flags, members;
	struct text *lists; /* keys of sorted sets */
	size_t list_count;
};

enum inventory_extent {
	INVENTORY_ARTICLES, /* nothing else */
	INVENTORY_ACTS,	    /* likewise */
	INVENTORY_ALL
};

/* Each once; lists by name. */
STORE_CALL inventory_read(struct store *store, struct arena *arena,
    enum inventory_extent extent, struct inventory *inventory);

bool inventory_has(const struct places *places, const struct place *place);
