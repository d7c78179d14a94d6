/*
 * An allocator whose memory is freed all at once, usually at the end of a request.
 *
 * A function that takes an arena allocates from it and never returns NULL: when memory
 * runs out, the process ends. Allocations are not freed one by one. Under
 * AddressSanitizer, memory is poisoned after a reset, and so are the gaps between
 * allocations.
 */
#pragma once

#include <stddef.h>

struct arena_block;

/* All zero is an empty arena. */
struct arena {
	struct arena_block *current;
	char *next, *end;
};

/* size bytes, not cleared, aligned for any type. */
void *arena_bytes(struct arena *arena, size_t size);

/* count objects of size bytes, cleared. */
void *arena_zeroed(struct arena *arena, size_t count, size_t size);

#define arena_new(arena, type, count) \
	((type *)arena_zeroed((arena), (count), sizeof(type)))

/* Frees all memory but the first block, which is reused. */
void arena_reset(struct arena *arena);

/* Frees all memory; the arena is then empty and can be used again. */
void arena_free(struct arena *arena);

/* Frees the blocks that are kept for reuse by any arena. */
void arena_trim(void);
