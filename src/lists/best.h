/*
 * The articles that were posted in a period, by points or by time.
 *
 * By points, those whose points are final come from lists by points (store/points.h), and the
 * newer ones, those of a week, are read from the lists by time and looked up in those by score:
 *
 *	              2026-09      2026-10      2026-11   placed          now
 *	by points     ------------|------------|----------|
 *	by time                                           |-----------------|
 *	a period           |----------------------------------------------->|
 *
 * The lists by points are one of all time, and one a month. Of a month that is only partly in the
 * period, the others are dropped while it is read. So an order is exact however many articles the
 * site has, while BEST_MAX at most take votes; and of those whose points are final, reading ends
 * after BEST_MAX entries. Beyond either the order is approximate.
 *
 * Days and weeks, and what was posted on a day by time, are read by time alone: they are nearly all
 * open, or few of their month.
 */
#pragma once

#include "lists/article_rows.h"
#include "lists/query.h"

enum { BEST_MAX = 10000 };

/* Reads the entries at start to start + count into an empty order, which has room for them: of
 * ORDER_BEST by points, then by time, then by id; of others the newest first. The entries' scores
 * are articles' scores. Settled when all its articles are placed by points. STORE_LIMITED when
 * there are many (lists/merge.h). */
STORE_CALL best_read(const struct article_rows *rows,
    const struct list_query *query, uint64_t start, uint64_t count,
    struct order *order);
