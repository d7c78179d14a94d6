/*
 * Snapshots of Redis (RDB files, versions 9 to 12: of Redis 5 to 8 and of Valkey 8), read by the
 * lengths in them, so that nothing that is stored as a value is taken for anything else.
 */
#pragma once

#include "base/text.h"

/*
 * The number, from 1 to 127, of a field of a hash. The field is the first of a small hash, as
 * written first, or any of a large one. 0 when there is none; and when the snapshot has, before
 * that key, a value of a kind that Tally does not store.
 */
unsigned snapshot_hash_number(
    struct text bytes, struct text key, struct text field);
