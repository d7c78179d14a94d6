/*
 * Memory that lives as long as one request and is freed all at once.
 *
 * A function that takes an arena allocates from it and never returns NULL:
 * when the machine has no memory left, the process ends. Pieces are not freed
 * one by one. Under AddressSanitizer, memory is poisoned after a reset, and so
 * are the gaps between pieces.
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

/* Frees all memory of the arena but its first block, which is used again. */
void arena_reset(struct arena *arena);

/* Frees all memory of the arena; it is then empty, and may be used again. */
void arena_free(struct arena *arena);
