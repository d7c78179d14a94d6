/*
 * What the index notes of the site beside posts: up to where each bucket's changes were read, and
 * the moment up to which points were refreshed (search/refresh.h).
 */
#pragma once

#include "search/index.h"
#include "store/changes.h"

struct positions {
	struct changes_position *changes; /* of each bucket */
	int64_t refreshed;		  /* Unix seconds */
};

/* Room for a site's, all none. */
struct positions positions_new(struct arena *arena, const struct store *store);
void positions_copy(struct positions *to, const struct positions *from,
    const struct store *store);

/* INDEX_BROKEN also when the index has other ones than the site. */
enum index_result positions_read(struct index *index, const struct store *store,
    struct positions *positions);

/* Commits, with these. */
enum index_result positions_commit(struct index *index,
    const struct store *store, const struct positions *positions);
