/*
 * Which sorted sets make up a list, as the streams of a merge.
 */
#pragma once

#include "lists/article_rows.h"
#include "lists/merge.h"
#include "lists/query.h"

/* Whether a list's order is that of scores, not of times. */
bool list_sources_by_score(const struct list_query *query);
enum merge_direction list_sources_direction(const struct list_query *query);

/* The LIST of key_time (store/keys.h) that is all of it, unless groups are
 * combined. */
struct text list_sources_list(
    struct arena *arena, const struct list_query *query);

/* Whether there is more than one of them, so that a page is found only by way of all
 * that comes before it; and whether others are to be searched for what is in one. */
bool list_sources_are_merged(
    const struct store *store, const struct list_query *query);
bool list_sources_are_searched(const struct list_query *query);

/* Opens a merge of them. Of a search the sizes of the groups are asked for. */
STORE_CALL list_sources_open(const struct article_rows *details,
    const struct list_query *query, struct merge *merge);
