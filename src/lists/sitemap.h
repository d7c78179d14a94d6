/*
 * Sitemaps of all articles for search engines, in chunks.
 *
 * A chunk is SITEMAP_CHUNK articles of one bucket, the oldest first: so it is one command,
 * and does not change while others are posted. Chunk i of bucket b has the number
 * i x buckets + b + 1.
 */
#pragma once

#include "store/article.h"

enum { SITEMAP_CHUNK = 1000 };

/* The numbers of all chunks, in order. */
STORE_CALL sitemap_chunks(struct store *store, struct arena *arena,
    uint64_t **numbers, size_t *count);

/* The ids of a chunk's articles; none past the end. */
STORE_CALL sitemap_ids(struct store *store, struct arena *arena,
    uint64_t number, uint64_t **ids, size_t *count);
