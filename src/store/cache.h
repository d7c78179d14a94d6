/*
 * What hardly ever changes of what a worker showed last: articles but for their
 * counts, and members' own votes. With it a list costs Redis its order alone.
 *
 * Whatever changes a part that is kept here (filing, removal, restoring,
 * becoming interesting) counts up the bucket's edits in the same function. Each
 * list reads that number with its order, and what was kept under another number
 * is not used any more: so an edit is seen by every worker's next request. That
 * needs the order of replies on one connection: what is read after a number is
 * never older. With a member's votes it is the same: a bucket counts how often
 * they changed.
 */
#ifndef STORE_CACHE_H
#define STORE_CACHE_H

#include "store/article.h"

struct cache;

/*
 * Keeps up to 4,096 articles of some 400 bytes, and 16,384 votes of 32 bytes,
 * of a site with that many buckets.
 */
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

/* A member's vote on an article; cast is how often one of theirs had changed in
 * its bucket, just read for cache_find_vote, and before the vote for the other.
 */
bool cache_find_vote(const struct cache *cache, uint64_t user, uint64_t id,
    int64_t cast, enum vote *vote);
void cache_keep_vote(struct cache *cache, uint64_t user, uint64_t id,
    int64_t cast, enum vote vote);

#endif
