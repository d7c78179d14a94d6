/*
 * A member's articles by score. They are stored by time alone: that saves an entry an
 * article, and a command a vote. So the scores of all of them are read, from the list of all
 * articles, and sorted here.
 */
#pragma once

#include "lists/merge.h"

/* The newest of a bucket that are read. */
enum { AUTHOR_MAX = 2000 };

/* Reads the entries at start to start + count by the scores of a scale into an empty order,
 * which has room for them. Its search has ended when a bucket has more than AUTHOR_MAX. */
STORE_CALL author_list_read(struct store *store, struct arena *arena,
    uint64_t author, struct scale scale, enum merge_direction direction,
    uint64_t start, uint64_t count, struct order *order);
