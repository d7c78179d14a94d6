/*
 * The sorted sets of which a list is the merge.
 */
#pragma once

#include "lists/article_rows.h"
#include "lists/merge.h"
#include "lists/query.h"

/* True when readers choose the order; otherwise the newest are first. */
bool list_sources_have_orders(const struct list_query *query);

/* The articles on the only page of a list; 0: it has pages. */
size_t list_sources_max(const struct list_query *query);

/* True when the entries' scores are articles' scores, not times. */
bool list_sources_by_score(const struct list_query *query);
/* True when they are asked for, and the list is stored by time alone (lists/time_lists.h). */
bool list_sources_are_sorted(const struct list_query *query);
enum merge_direction list_sources_direction(const struct list_query *query);

/* The sorted sets of the query's order; those by score are of the versions' scale, which may
 * be NULL for a list that has one order. */
enum key_kind list_sources_kind(
    const struct list_query *query, const struct versions *versions);

/* The LIST of key_time (store/keys.h) that is all of it, unless groups are
 * combined. */
struct text list_sources_list(
    struct arena *arena, const struct list_query *query);

/* True when there are several sets, so that a page is found only by way of all entries
 * before it; and when the others are searched for the entries of one. */
bool list_sources_are_merged(
    const struct store *store, const struct list_query *query);
bool list_sources_are_searched(const struct list_query *query);

/* True when the list is shown in that order. */
bool list_sources_have(enum list_kind kind, enum list_order order);

/* Begins a merge of the sets. A search asks for the sizes of its groups first. */
STORE_CALL list_sources_open(const struct article_rows *rows,
    const struct list_query *query, struct merge *merge);

/* Begins a merge of the lists by points (store/points.h) of some months ("2026-11"), or of those of
 * all time for no months; the entries' scores are those of these lists. */
STORE_CALL list_sources_open_points(const struct article_rows *rows,
    const struct list_query *query, const struct text *months,
    size_t month_count, struct merge *merge);

/* Reads the entries at start to start + count into an order, which has room for them. */
STORE_CALL list_sources_read(const struct article_rows *rows,
    const struct list_query *query, uint64_t start, uint64_t count,
    struct order *order);
