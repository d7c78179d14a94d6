/*
 * What hardly ever changes of the articles that a worker showed last: all but
 * their votes. With it a list costs Redis its order, and no article.
 *
 * Whatever changes a part that is kept here (filing, removal, restoring, becoming
 * interesting) counts up the bucket's edits in the same function. Each list reads
 * that number with its order, and what was kept under another number is not used
 * any more: so an edit is seen by every worker's next request. That needs the
 * order of replies on one connection: what is read after a number is never older.
 */
#ifndef STORE_CACHE_H
#define STORE_CACHE_H

#include "store/article.h"

struct cache;

/* Keeps up to 4,096 articles, some 400 bytes each, of a site with buckets. */
struct cache *cache_new(uint64_t buckets);
void cache_free(struct cache *cache);

/* The number of a bucket's edits, just read. */
void cache_follow(struct cache *cache, uint64_t bucket, int64_t edits);

/*
 * Copies what is kept of an article into the arena, without votes and counts.
 * False when nothing good is kept; a NULL cache keeps nothing.
 */
bool cache_find(const struct cache *cache, struct arena *arena, uint64_t id,
    struct article *article);

/* Keeps an article that was read after the last cache_follow. */
void cache_keep(struct cache *cache, const struct article *article);

#endif
