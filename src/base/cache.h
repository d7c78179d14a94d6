/*
 * A bounded cache from bytes to bytes.
 *
 * Entries are never stale and need no invalidation where the key contains the version
 * of everything that the value is made from, as nearly all do. A page that shows article 7 as edited 3
 * times is stored under "7 3"; after the next edit the key is "7 4", which is not found,
 * and the old entry is never asked for again.
 *
 * The table is set-associative: the hash of a key selects a set of four slots, in which
 * the value may be in any, the most recent first. A new value replaces the oldest of its
 * set. A slot has 32 bytes; a key and a value that fit into it take no other memory.
 */
#pragma once

#include "base/text.h"

struct arena;
struct cache;

/* A cache for so many values, each of at most max_size bytes with its key. */
struct cache *cache_new(size_t slots, size_t max_size);

/* The same, limited to max_bytes for all keys and values together, of which one value
 * may be a large part: the oldest values of some sets are evicted to make room. */
struct cache *cache_new_bounded(
    size_t slots, size_t max_size, size_t max_bytes);
void cache_free(struct cache *cache);

/*
 * Copies the value of a key into the arena; false if there is none. A NULL cache is
 * always empty.
 */
bool cache_get(struct cache *cache, struct arena *arena, struct text key,
    struct text *value);

/* The same without the copy: the value points into the cache and is valid until the
 * next cache_put, and so not across anything that lets other fibers run. */
bool cache_peek(struct cache *cache, struct text key, struct text *value);

/* Stores copies of both, unless they are larger than max_size. */
void cache_put(struct cache *cache, struct text key, struct text value);
