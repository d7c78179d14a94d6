/*
 * Which posts' points are to be read again: votes are not noted as changes.
 *
 * Points are read when a post is put, and again one minute, ten minutes, one hour and six hours
 * after it was posted, then each day while votes are open, and at last once they are closed. So
 * from the moment of the last refresh follows which posts are due, however long ago that was.
 */
#pragma once

#include "search/index.h"
#include "store/store.h"

/* Posts that are due between two moments (Unix seconds), each once; *ids is in the arena. */
enum index_result refresh_due(struct index *index, struct arena *arena,
    const struct rules *rules, int64_t since, int64_t until,
    struct post_id **ids, size_t *count);
