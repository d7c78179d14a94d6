/*
 * Memory that lives as long as one request and is given back at once.
 *
 * A function that takes an arena allocates from it and never returns NULL:
 * when the machine has no memory left the process ends. Nothing is freed
 * singly. Built with AddressSanitizer, what a reset gave back is poisoned, and
 * so is what lies between two pieces.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_block;

/* All zero is an empty arena. */
struct arena {
	struct arena_block *first, *current;
	char *next, *end;
};

/* size bytes, not cleared, aligned for any type. */
void *arena_bytes(struct arena *arena, size_t size);

/* count objects of size bytes, cleared. */
void *arena_zeroed(struct arena *arena, size_t count, size_t size);

#define arena_new(arena, type, count) \
	((type *)arena_zeroed((arena), (count), sizeof(type)))

/* Makes all memory of the arena free for use again, and keeps the first
 * block. */
void arena_reset(struct arena *arena);

/* Gives everything back to the system; the arena is empty and may be used. */
void arena_free(struct arena *arena);

#endif
