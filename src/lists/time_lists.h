/*
 * Lists that are stored by time alone, an author's and a publisher's, in the order of scores.
 * That saves an entry an article, and a command a vote. So the scores of all articles are read,
 * from the list of all articles, and sorted here.
 */
#pragma once

#include "lists/merge.h"

/* The newest of a bucket that are read. */
enum { TIME_LIST_MAX = 2000 };

/* Reads the entries at start to start + count of a list by the scores of a scale into an empty
 * order, which has room for them. Its search has ended when a bucket has more than
 * TIME_LIST_MAX. It is expensive when several buckets have more than that together:
 * STORE_LIMITED when too many such reads are counted in *expensive (may be NULL). */
STORE_CALL time_list_read(struct store *store, struct arena *arena,
    struct text list, struct scale scale, enum merge_direction direction,
    size_t *expensive, uint64_t start, uint64_t count, struct order *order);
