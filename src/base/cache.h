/*
 * A bounded cache from bytes to bytes: memoizes what was made from a key, until
 * another entry replaces it.
 *
 * No entry is ever stale, because everything that a value is made from is part
 * of its key. A page that shows article 7 as edited 3 times is kept under "7
 * 3"; after the next edit the key is "7 4", which is not found, and the old
 * entry is never asked for again. So there is no way to remove one.
 *
 * The table is set-associative: the hash of a key selects a set of four slots,
 * in which a value may be in any, the most recent first. A new value replaces
 * the oldest of its set. A slot has 32 bytes; a key and a value that fit into
 * it take no other memory.
 */
#pragma once

#include "base/text.h"

struct arena;
struct cache;

/* Room for that many values, each of at most max_size bytes with its key. */
struct cache *cache_new(size_t slots, size_t max_size);

/* The same, but all values together take at most max_bytes with their keys, of which one
 * value may be a large part: the oldest of some sets make room. */
struct cache *cache_new_bounded(
    size_t slots, size_t max_size, size_t max_bytes);
void cache_free(struct cache *cache);

/*
 * Copies the value kept under the key into the arena; false when there is none.
 * A NULL cache is one in which nothing can be kept.
 */
bool cache_get(struct cache *cache, struct arena *arena, struct text key,
    struct text *value);

/* The same without copying: the value lies in the cache, until something is kept
 * there. Whoever waits for anything in between has lost it. */
bool cache_peek(struct cache *cache, struct text key, struct text *value);

/* Keeps copies of both, unless they are larger than max_size. */
void cache_put(struct cache *cache, struct text key, struct text value);
