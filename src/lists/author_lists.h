/*
 * A member's articles by score. They are kept by time alone: that saves an entry
 * an article, and a command a vote. So the scores of all of them are read, from
 * the list of all articles, and sorted here.
 */
#pragma once

#include "lists/merge.h"

/* So many of a bucket, the newest, are looked at. */
enum { AUTHOR_MAX = 2000 };

/* As merge_read, of a member's articles by score; order has room for count entries.
 * Its search has ended when there are more in a bucket than were looked at. */
STORE_CALL author_list_read(struct store *store, struct arena *arena,
    uint64_t author, enum merge_direction direction, uint64_t start,
    uint64_t count, struct order *order);
