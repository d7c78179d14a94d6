/*
 * All articles, in portions for search engines.
 *
 * A portion is SITEMAP_CHUNK articles of one bucket, the oldest first: so it is
 * one command, and stays what it is while others are posted. Portion i of bucket b is
 * number i x buckets + b + 1.
 */
#pragma once

#include "store/article.h"

enum { SITEMAP_CHUNK = 1000 };

/* The numbers of all portions there are, in order. */
STORE_CALL sitemap_portions(struct store *store, struct arena *arena,
    uint64_t **numbers, size_t *count);

/* The ids of a portion's articles; none past the end. */
STORE_CALL sitemap_ids(struct store *store, struct arena *arena,
    uint64_t number, uint64_t **ids, size_t *count);
