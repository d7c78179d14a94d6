/*
 * The articles that were posted in a period, by points or by time.
 *
 * All of them are read from the lists by time, and their points follow from the scores. Of a
 * period with more than BEST_MAX only the newest are read: the order is that of these, and
 * approximate.
 */
#pragma once

#include "lists/article_rows.h"
#include "lists/query.h"

enum { BEST_MAX = 10000 };

/* Reads the entries at start to start + count into an empty order, which has room for them: of
 * ORDER_BEST by points, then by time, then by id; of others the newest first. The entries' scores
 * are articles' scores. STORE_LIMITED when there are many (lists/merge.h). */
STORE_CALL best_read(const struct article_rows *rows,
    const struct list_query *query, uint64_t start, uint64_t count,
    struct order *order);
