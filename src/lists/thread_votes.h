/*
 * A member's votes on the comments of a thread, as far as a worker knows them: two bits for each
 * comment, in blocks of THREAD_VOTES_BLOCK numbers.
 *
 *	byte 0		byte 1
 *	3  2  1  0	7  6  5  4	the comment's number in the block
 *	00 10 01 00	00 00 11 00	00 unknown, 01 none, 10 up, 11 down
 *
 * They are cached under the stamp of the member's votes alone: what others do in the thread leaves
 * them as they are. What is read of an article on which the member has just voted must not be
 * added (RECENT_MS in lists/read_cache.h).
 */
#pragma once

#include "lists/read_cache.h"

enum { THREAD_VOTES_BLOCK = 4096 };

struct thread_votes_block;

struct thread_votes {
	struct read_cache *cache;
	struct arena *arena;
	struct stamp stamp; /* versions_votes_stamp */
	uint64_t user, article;
	struct thread_votes_block *blocks; /* those that were looked at */
};

/* False when it is not known. */
bool thread_votes_get(
    struct thread_votes *votes, uint64_t comment, enum vote *vote);

void thread_votes_add(
    struct thread_votes *votes, uint64_t comment, enum vote vote);

/* Caches what was added. */
void thread_votes_save(const struct thread_votes *votes);
