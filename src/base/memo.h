/*
 * A bounded cache from bytes to bytes: what was made from a key, until something
 * else takes its place.
 *
 * Nothing in it is ever out of date, because whatever a value is made from is
 * part of its key: who would make the same from the same again finds it here. A
 * page that shows article 7 as edited 3 times is kept under "7 3"; after the
 * next edit the key is "7 4", under which nothing is found, and the old value is
 * never asked for again. So there is no way to remove one.
 *
 * The table is set-associative: the hash of a key chooses a set of four slots, and
 * the value may be in any of them, the last one kept first. A new value takes
 * the slot of the oldest in its set. A slot has 32 bytes; a key and
 * value that fit into them take no other memory, which is why one of them costs
 * so little.
 */
#ifndef BASE_MEMO_H
#define BASE_MEMO_H

#include "base/text.h"

struct arena;
struct memo;

/* Room for that many values, each with its key of at most max_size bytes. */
struct memo *memo_new(size_t slots, size_t max_size);
void memo_free(struct memo *memo);

/*
 * Copies the value kept under the key into the arena; false when there is none.
 * In a NULL memo nothing is found, and nothing is kept.
 */
bool memo_find(struct memo *memo, struct arena *arena, struct text key,
    struct text *value);

/* Keeps copies of both, unless they are larger than max_size. */
void memo_keep(struct memo *memo, struct text key, struct text value);

#endif
