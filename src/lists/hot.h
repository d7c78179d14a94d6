/*
 * The order of ORDER_HOT: by rule_hot (store/rules.h) at the last full minute.
 */
#pragma once

#include "lists/threshold.h"

int64_t hot_minute(int64_t now);

/* As threshold_read. */
STORE_CALL hot_read(const struct article_rows *rows,
    const struct list_query *query, uint64_t start, uint64_t count,
    struct order *order);
