#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/sanitizer.h"

#if SANITIZER_ADDRESS
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(start, size)	 ((void)(start), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(start, size) ((void)(start), (void)(size))
#endif

/*
 * While a request waits it needs little; what its page takes is wanted by one
 * request at a time, so the same large block goes from one to the other.
 */
enum { FIRST_BLOCK = 16 * 1024, NEXT_BLOCK = 96 * 1024, SPARE_MAX = 4 };

/* What stays poisoned behind each piece, so that running over its end shows. */
enum { GAP = SANITIZER_ADDRESS ? 16 : 0 };

struct arena_block {
	struct arena_block *next;
	size_t size;
	alignas(max_align_t) char data[];
};

/* Large blocks that no arena has now. */
static struct arena_block *spare;
static size_t spare_count;

static size_t
aligned(size_t size)
{
	size_t alignment = alignof(max_align_t);

	return (size + alignment - 1) / alignment * alignment;
}

static void
enter_block(struct arena *arena, struct arena_block *block)
{
	arena->current = block;
	arena->next = block->data;
	arena->end = block->data + block->size;
}

static struct arena_block *
take_block(size_t size)
{
	struct arena_block *block = spare;

	if (size == NEXT_BLOCK && block != NULL) {
		spare = block->next;
		spare_count--;
		return block;
	}
	block = malloc(sizeof(*block) + size);
	if (block == NULL)
		log_fatal("out of memory: %zu bytes were asked for", size);
	block->size = size;
	ASAN_POISON_MEMORY_REGION(block->data, size);
	return block;
}

static void
give_back(struct arena_block *block)
{
	if (block->size == NEXT_BLOCK && spare_count < SPARE_MAX) {
		ASAN_POISON_MEMORY_REGION(block->data, block->size);
		block->next = spare;
		spare = block;
		spare_count++;
		return;
	}
	ASAN_UNPOISON_MEMORY_REGION(block->data, block->size);
	free(block);
}

static void
add_block(struct arena *arena, size_t least)
{
	size_t usual = arena->current == NULL ? FIRST_BLOCK : NEXT_BLOCK;
	size_t size = least > usual ? least : usual;
	struct arena_block *block = take_block(size);

	block->next = NULL;
	if (arena->current == NULL)
		arena->first = block;
	else
		arena->current->next = block;
	enter_block(arena, block);
}

void *
arena_bytes(struct arena *arena, size_t size)
{
	size_t taken = aligned(size) + GAP;
	void *bytes;

	if (size > SIZE_MAX / 2)
		log_fatal("out of memory: %zu bytes were asked for", size);
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
		log_fatal("out of memory: %zu times %zu bytes", count, size);
	return memset(arena_bytes(arena, count * size), 0, count * size);
}

static void
free_blocks(struct arena_block *block)
{
	while (block != NULL) {
		struct arena_block *next = block->next;

		give_back(block);
		block = next;
	}
}

void
arena_reset(struct arena *arena)
{
	if (arena->first == NULL)
		return;
	free_blocks(arena->first->next);
	arena->first->next = NULL;
	enter_block(arena, arena->first);
	ASAN_POISON_MEMORY_REGION(arena->first->data, arena->first->size);
}

void
arena_free(struct arena *arena)
{
	free_blocks(arena->first);
	*arena = (struct arena){ 0 };
}
