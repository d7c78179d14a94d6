/*
 * Groups, which members create and file articles in. A closed one keeps its articles
 * and takes no more; one that became another leads there (store/group_admin.h).
 */
#pragma once

#include "store/schema.h"

/* As the moment when a group was closed: it is being deleted. */
enum { GROUP_DELETING = 1 };

struct group {
	struct text name, title;
	struct member by;  /* who created it, if anybody */
	int64_t created;   /* Unix seconds */
	int64_t closed;	   /* the moment, or GROUP_DELETING; 0: it is open */
	struct text into;  /* the name that it has now, or is part of */
	uint64_t articles; /* how many it has; only in a list */
};

extern const struct schema group_schema;

/* STORE_ABSENT when there is none of that name. */
STORE_CALL group_get(struct store *store, struct arena *arena, struct text name,
    struct group *group);

/* The names of all groups in order when there are max at most; otherwise none. *total
 * is how many there are. */
STORE_CALL group_names(struct store *store, struct arena *arena, uint64_t max,
    struct text **names, size_t *count, uint64_t *total);

/* The first of the names of which there is no group that takes articles, and whether
 * there is one that is closed; empty when all do. */
STORE_CALL group_find_unusable(struct store *store, struct arena *arena,
    struct text names, struct text *name, bool *is_closed);

/* Those of the names that are of groups, whether they take articles or not, but for those
 * that are being deleted; of those that became others, the names that they have now. */
STORE_CALL group_resolve_names(struct store *store, struct arena *arena,
    struct text names, struct text *existing);

/* Reads name, title, by, created (0: now), closed and into. STORE_TAKEN, also by a group
 * that became another. */
STORE_CALL group_create(
    struct store *store, struct arena *arena, const struct group *group);

/* Sets a field of a group, or takes it out with an empty value; STORE_ABSENT when there is
 * no such group (any more), which stays so. The second adds it to a pipeline, whose reply
 * is for call_outcome. */
STORE_CALL group_set(struct store *store, struct arena *arena, struct text name,
    struct text field, struct text value);
void group_send_field(struct pipeline *pipeline, struct text name,
    struct text field, struct text value);

/* Up to count groups in order of name, from number start (from 0); *got of them,
 * of *total. A command for each group and one for each bucket. */
STORE_CALL group_list(struct store *store, struct arena *arena, uint64_t start,
    uint64_t count, struct group **groups, size_t *got, uint64_t *total);

/* The same for a page, without titles and articles that are out of reach, as store_run_partial
 * has it. */
STORE_CALL group_list_reachable(struct store *store, struct arena *arena,
    uint64_t start, uint64_t count, struct group **groups, size_t *got,
    uint64_t *total, bool *is_partial);
