/*
 * Groups, which members create and file articles in. They are never deleted.
 */
#ifndef STORE_GROUP_H
#define STORE_GROUP_H

#include "store/member.h"
#include "store/schema.h"

struct group {
	struct text name, title;
	struct member by;  /* who created it; may be nobody */
	int64_t created;   /* Unix seconds */
	uint64_t articles; /* how many it has; only in a list */
};

extern const struct schema group_schema;

/* STORE_ABSENT when there is none of that name. */
STORE_CALL group_get(struct store *store, struct arena *arena, struct text name,
    struct group *group);

/* The first of some names that is no group; empty when all are. */
STORE_CALL group_unknown(struct store *store, struct arena *arena,
    struct text names, struct text *unknown);

/* Reads name, title, by and created (0: now). STORE_TAKEN. */
STORE_CALL group_create(
    struct store *store, struct arena *arena, const struct group *group);

/* count groups from the one at start (from 0), in order of name; *got of them,
 * and *total in all. */
STORE_CALL group_list(struct store *store, struct arena *arena, uint64_t start,
    uint64_t count, struct group **groups, size_t *got, uint64_t *total);

#endif
