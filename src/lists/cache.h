/*
 * What a worker read last and need not read again: the order of lists, articles
 * but for their counts, and members' own votes. With it a page that somebody
 * has just seen costs Redis two commands.
 *
 * Nothing is kept for a time. Each bucket counts its changes, in the functions
 * that make them: of its lists, of its articles' other parts ("edits"), and of
 * each member's votes. Every list begins with reading those versions, and what
 * was kept under others is not used: so a change is seen by every worker's next
 * request. That rests on the order of replies on one connection: what is read
 * after a version is never older than it. And a cache is good for one connection:
 * a Redis that was started again may have less than it had, and give the same
 * versions and ids to something else.
 *
 * Without a cache (NULL) nothing is kept and nothing found.
 */
#ifndef LISTS_CACHE_H
#define LISTS_CACHE_H

#include "lists/merge.h"
#include "store/article.h"

struct cache;

/*
 * Keeps up to 64 orders, 1,024 articles of some 400 bytes, and 16,384 votes of
 * 16, of a site with that many buckets.
 */
struct cache *cache_new(uint64_t buckets);
void cache_free(struct cache *cache);

/* Forgets all of it. */
void cache_clear(struct cache *cache);

/* The edits of a bucket, just read. */
void cache_follow(struct cache *cache, uint64_t bucket, int64_t edits);

/*
 * Copies what is kept of an article into the arena, without votes and counts;
 * false when nothing is. cache_keep takes one that was read after the last
 * cache_follow.
 */
bool cache_find(const struct cache *cache, struct arena *arena, uint64_t id,
    struct article *article);
void cache_keep(struct cache *cache, const struct article *article);

/* A member's vote on an article; version is that of the member's votes. */
bool cache_find_vote(const struct cache *cache, uint64_t user, uint64_t id,
    int64_t version, enum vote *vote);
void cache_keep_vote(struct cache *cache, uint64_t user, uint64_t id,
    int64_t version, enum vote vote);

/* A part of an order, and whether the search for it was ended. */
struct order {
	struct entry *entries;
	size_t count;
	bool search_ended;
};

/* name says which part of which order; version is the sum of the buckets'
 * lists, which grows with each change in any. The entries found are in the
 * arena. */
bool cache_find_order(const struct cache *cache, struct arena *arena,
    struct text name, int64_t version, struct order *order);
void cache_keep_order(struct cache *cache, struct text name, int64_t version,
    const struct order *order);

#endif
