#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/sanitizer.h"

/*
 * A bump allocator: an arena is a list of blocks, and allocates from the newest until
 * that is full. The first block is small, since most requests are waiting at any moment
 * and need little. Pages that need more seldom give way while they are rendered, so a few large
 * blocks, shared by all arenas, are enough for most of them.
 */
enum { FIRST_BLOCK = 16 * 1024, NEXT_BLOCK = 64 * 1024, SPARE_MAX = 6 };

/* Stays poisoned behind each allocation to detect overruns. */
enum { GAP = SANITIZER_ADDRESS ? 16 : 0 };

struct arena_block {
	struct arena_block *older;
	size_t size;
	alignas(max_align_t) char data[];
};

/* Free large blocks. */
static struct arena_block *spare;
static size_t spare_count;

static void
use_block(struct arena *arena, struct arena_block *block)
{
	arena->current = block;
	arena->next = block->data;
	arena->end = block->data + block->size;
}

static struct arena_block *
new_block(size_t size)
{
	struct arena_block *block = spare;

	if (size == NEXT_BLOCK && block != NULL) {
		spare = block->older;
		spare_count--;
		return block;
	}
	block = malloc(sizeof(*block) + size);
	if (block == NULL)
		log_fatal("out of memory: cannot allocate %zu bytes", size);
	block->size = size;
	ASAN_POISON_MEMORY_REGION(block->data, size);
	return block;
}

static void
add_block(struct arena *arena, size_t needed)
{
	size_t default_size = arena->current == NULL ? FIRST_BLOCK : NEXT_BLOCK;
	struct arena_block *block =
	    new_block(needed > default_size ? needed : default_size);

	block->older = arena->current;
	use_block(arena, block);
}

void *
arena_bytes(struct arena *arena, size_t size)
{
	size_t alignment = alignof(max_align_t);
	size_t taken = (size + alignment - 1) / alignment * alignment + GAP;
	void *bytes;

	if (size > SIZE_MAX / 2)
		log_fatal("out of memory: cannot allocate %zu bytes", size);
	if (arena->current == NULL ||
	    (size_t)(arena->end - arena->next) < taken)
		add_block(arena, taken);
	bytes = arena->next;
	arena->next += taken;
	ASAN_UNPOISON_MEMORY_REGION(bytes, size);
	return bytes;
}

void *
arena_zeroed(struct arena *arena, size_t count, size_t size)
{
	if (size != 0 && count > SIZE_MAX / 2 / size)
		log_fatal("out of memory: cannot allocate %zu times %zu bytes",
		    count, size);
	return memset(arena_bytes(arena, count * size), 0, count * size);
}

static void
free_block(struct arena_block *block)
{
	ASAN_UNPOISON_MEMORY_REGION(block->data, block->size);
	free(block);
}

/* Moves the current block to the spare ones, or frees it. */
static void
drop_block(struct arena *arena)
{
	struct arena_block *block = arena->current;

	arena->current = block->older;
	if (block->size == NEXT_BLOCK && spare_count < SPARE_MAX) {
		ASAN_POISON_MEMORY_REGION(block->data, block->size);
		block->older = spare;
		spare = block;
		spare_count++;
	} else {
		free_block(block);
	}
}

void
arena_reset(struct arena *arena)
{
	if (arena->current == NULL)
		return;
	while (arena->current->older != NULL)
		drop_block(arena);
	use_block(arena, arena->current);
	ASAN_POISON_MEMORY_REGION(arena->next, arena->current->size);
}

void
arena_free(struct arena *arena)
{
	while (arena->current != NULL)
		drop_block(arena);
	*arena = (struct arena){ 0 };
}

void
arena_trim(void)
{
	while (spare != NULL) {
		struct arena_block *block = spare;

		spare = block->older;
		free_block(block);
	}
	spare_count = 0;
}
